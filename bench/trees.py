#!/usr/bin/env python3
"""Joins of trees, beside other programs on the same trees.

    python3 bench/trees.py make FOLDER [--sources DIR ...] [--functions 100000] [--proteins 100000] [--seed 1]
    python3 bench/trees.py run AKIN FOLDER [--edits 10] [--trees 20000] [--threads 1] [--tjoin DIR] [--timeout 600]
    python3 bench/trees.py pairs FOLDER [--pairs 200]

`make` writes collections in bracket notation, a tree a line, each in random order:

    files.txt       the Python files below DIR (default: where this machine has packages), one of each content
    functions.txt   some of the functions in them
    proteins.txt    made-up entries of a database of proteins, flat and wide: many are copies with up to 12 edits

`run` joins the first --trees trees of each collection. --tjoin is a checkout of DatabaseGroup/tree-similarity (GitHub,
MIT): a small program that calls its TJoin is compiled against it. Both sides read the file; seconds are those of
whole processes. TJoin finds fewer pairs: some that zss confirms are missing.

`pairs` compares random pairs of trees of up to 150 nodes, of functions.txt, by akin.trees.distance, and by zss and
apted of PyPI where they are installed: seconds of each, and whether all distances agree.
"""
import argparse, ast, pathlib, random, resource, subprocess, sys, tempfile, time

PROGRAM = """
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "unit_cost_model.h"
#include "string_label.h"
#include "node.h"
#include "bracket_notation_parser.h"
#include "touzet_baseline_tree_index.h"
#include "t_join_ti.h"
int main(int, char **words)
{
    using Label = label::StringLabel;
    std::vector<node::Node<Label>> trees;
    std::vector<std::pair<int, std::vector<label_set_converter::LabelSetElement>>> sets;
    std::vector<std::pair<int, int>> candidates;
    std::vector<join::JoinResultElement> pairs;
    parser::BracketNotationParser<Label> parser;
    parser.parse_collection(trees, words[1]);
    join::TJoinTI<Label, ted::TouzetBaselineTreeIndex<cost_model::UnitCostModelLD<Label>>> join;
    join.execute_join(trees, sets, candidates, pairs, atof(words[2]));
    printf("%zu\\n", pairs.size());
}
"""
HERE = ["/usr/lib/python3", "/usr/lib/python3.11", "/usr/lib/python3.12", "/usr/local/lib", "/opt"]
SLOTS = "id accession name gene organism lineage host comment reference feature keyword sequence".split()


def of_python(source):
    import akin
    return akin.trees.of_python(source).replace("\n", " ")


def sources(folders):
    """The syntax trees of the Python files below folders, each content once."""
    seen = set()
    for path in sorted(p for folder in folders for p in pathlib.Path(folder).rglob("*.py")):
        try:
            text = path.read_text(encoding="utf-8")
            if len(text) > 200000 or text in seen:
                continue
            seen.add(text)
            yield ast.parse(text)
        except (OSError, SyntaxError, ValueError, RecursionError):
            continue


def protein(draw):
    """The values of the fields of an entry."""
    return {
        slot: [f"{slot}-{int(draw.paretovariate(0.6)) % 50000}" for _ in range(1 + int(draw.expovariate(0.25)))]
        for slot in SLOTS
    }


def edited(draw, entry, edits):
    entry = {slot: list(values) for slot, values in entry.items()}
    for _ in range(edits):
        values = entry[draw.choice(SLOTS)]
        at, kind = draw.randrange(len(values) + 1), draw.randrange(3)
        values[at:at + (kind != 0)] = [] if kind == 1 else [f"new-{draw.randrange(10**6)}"]
    return entry


def proteins(draw, count):
    made = []
    while len(made) < count:
        made.append(
            edited(draw, draw.choice(made), draw.randint(1, 12)) if made and draw.random() < 0.3 else protein(draw)
        )
    for entry in made:
        yield "{entry%s}" % "".join(
            "{%s%s}" % (slot, "".join("{%s}" % value for value in values)) for slot, values in entry.items() if values
        )


def write(path, lines):
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    print(f"{path}: {len(lines)} trees")


def make(options):
    draw, folder = random.Random(options.seed), pathlib.Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    files, functions, seen = [], [], 0
    for tree in sources(options.sources):
        files.append(of_python(tree))
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                seen += 1
                at = len(functions) if len(functions) < options.functions else draw.randrange(seen)
                if at < options.functions:
                    functions[at:at + 1] = [node]
    draw.shuffle(files)
    draw.shuffle(functions)
    write(folder / "files.txt", files)
    write(folder / "functions.txt", [of_python(node) for node in functions])
    entries = list(proteins(draw, options.proteins))
    draw.shuffle(entries)
    write(folder / "proteins.txt", entries)


def timed(words, limit):
    """What a program prints, and its seconds; None: it took too long."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    try:
        said = subprocess.run(words, capture_output=True, text=True, check=True, timeout=limit).stdout
    except subprocess.TimeoutExpired:
        return None, limit, limit
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return int(said), time.perf_counter() - begun, after.ru_utime - before.ru_utime


def compiled(checkout, folder):
    program = pathlib.Path(folder) / "tjoin"
    program.with_suffix(".cc").write_text(PROGRAM, encoding="utf-8")
    folders = [f"-I{path}" for path in [*pathlib.Path(checkout, "src").rglob("*")] if path.is_dir()]
    subprocess.run(
        ["g++", "-O3", "-march=native", "-std=c++17", "-w", *folders, program.with_suffix(".cc"), "-o", program],
        check=True
    )
    return program


def run(options):
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(options.tjoin, folder) if options.tjoin else None
        print("collection\ttrees\tnodes\tprogram\tpairs\tseconds\tuser seconds")
        for path in sorted(pathlib.Path(options.folder).glob("*.txt")):
            some = pathlib.Path(folder) / path.name
            with open(path, encoding="utf-8") as whole:
                lines = [line for line, _ in zip(whole, range(options.trees))]
            some.write_text("".join(lines), encoding="utf-8")
            nodes = sum(line.count("{") - line.count("\\{") for line in lines)
            akin = [options.akin, "join", some, "--tree-edits", str(options.edits), "--count", "-q"]
            sides = [("akin", [*akin, "--threads", str(options.threads)])]
            sides += [("tjoin", [program, some, str(options.edits)])] if program else []
            for name, words in sides:
                found, seconds, user = timed(words, options.timeout)
                told = f"{seconds:.2f}\t{user:.2f}" if found is not None else f"> {seconds:.0f}\t"
                number = "" if found is None else found
                print(f"{path.stem}\t{len(lines)}\t{nodes}\t{name}\t{number}\t{told}", flush=True)


def read(text):
    """(label, children), without a parser of others."""
    stack, label, at = [("", [])], [], 1
    while at < len(text):
        c = text[at]
        if c == "\\":
            at += 1
            label.append(text[at])
        elif c in "{}":
            if label is not None:
                stack.append(("".join(label), []))
                stack[-2][1].append(stack[-1])
            label = [] if c == "{" else None
            if c == "}":
                stack.pop()
        else:
            label.append(c)
        at += 1
    return stack[0][1][0]


def pairs(options):
    import akin
    draw = random.Random(options.seed)
    with open(pathlib.Path(options.folder) / "functions.txt", encoding="utf-8") as whole:
        small = [line.rstrip("\n") for line, _ in zip(whole, range(20000)) if line.count("{") <= 150]
    chosen = [draw.sample(small, 2) for _ in range(options.pairs)]
    begun = time.perf_counter()
    ours = [akin.trees.distance(a, b) for a, b in chosen]
    print(f"akin: {time.perf_counter() - begun:.3f} s for {len(chosen)} pairs, with reading")
    trees = [(read(a), read(b)) for a, b in chosen]
    for name, prepare, distance in peers():
        ready = [(prepare(a), prepare(b)) for a, b in trees]
        begun = time.perf_counter()
        theirs = [distance(a, b) for a, b in ready]
        seconds = time.perf_counter() - begun
        print(f"{name}: {seconds:.3f} s, {sum(x != y for x, y in zip(ours, theirs))} distances differ")


def peers():
    try:
        import zss
        def of_zss(tree):
            return zss.Node(tree[0], [of_zss(child) for child in tree[1]])
        yield "zss", of_zss, zss.simple_distance
    except ImportError:
        print("zss: is not installed")
    try:
        import apted, apted.helpers
        def of_apted(tree):
            return apted.helpers.Tree(tree[0], *map(of_apted, tree[1]))
        yield "apted", of_apted, lambda a, b: apted.APTED(a, b).compute_edit_distance()
    except ImportError:
        print("apted: is not installed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    verb = verbs.add_parser("make")
    verb.add_argument("folder")
    verb.add_argument("--sources", nargs="+", default=HERE)
    verb.add_argument("--functions", type=int, default=100000)
    verb.add_argument("--proteins", type=int, default=100000)
    verb.add_argument("--seed", type=int, default=1)
    verb.set_defaults(act=make)
    verb = verbs.add_parser("run")
    verb.add_argument("akin")
    verb.add_argument("folder")
    verb.add_argument("--edits", type=int, default=10)
    verb.add_argument("--trees", type=int, default=20000)
    verb.add_argument("--threads", type=int, default=1)
    verb.add_argument("--tjoin")
    verb.add_argument("--timeout", type=float, default=600)
    verb.set_defaults(act=run)
    verb = verbs.add_parser("pairs")
    verb.add_argument("folder")
    verb.add_argument("--pairs", type=int, default=200)
    verb.add_argument("--seed", type=int, default=1)
    verb.set_defaults(act=pairs)
    options = parser.parse_args()
    options.act(options)


if __name__ == "__main__":
    sys.setrecursionlimit(100000)
    main()
