#!/usr/bin/env python3
"""Joins of graphs, and pairs beside networkx.

    python3 bench/graphs.py make FOLDER [--graphs 10000] [--seed 1]
    python3 bench/graphs.py run AKIN FOLDER [--edits 5] [--threads 1,2] [--timeout 600]
    python3 bench/graphs.py pairs FOLDER [--pairs 60] [--seconds 10]

`make` writes graphs that look like molecules, of 20 to 40 nodes, a line each:

    molecules.txt   atoms of 7 elements, bonds of 3 kinds
    carbons.txt     19 of 20 atoms are alike, and all bonds: few filters help

Three in ten graphs are copies of earlier ones with up to 5 edits, whose nodes have other numbers. The file of the name
with .known has these pairs and the number of edits.

`run` joins the graphs within 1, 2 ... K edits, and checks that no known pair is missing.

`pairs` compares the first known pairs of molecules.txt, and as many random ones, by akin.graphs.distance and by
networkx.graph_edit_distance, which has --seconds a pair. It needs the packages akin, networkx and scipy.
"""

from __future__ import annotations

import argparse
import pathlib
import random
import resource
import subprocess
import time

KINDS = {
    "molecules": (dict(C=70, N=10, O=12, S=3, F=2, Cl=2, P=1), {"1": 75, "2": 10, "ar": 15}),
    "carbons": (dict(C=95, O=5), {"1": 1}),
}


def pick(draw, weights):
    return draw.choices(list(weights), list(weights.values()))[0]


def molecule(draw, count, atoms, bonds):
    """(labels, {(i, j): label}): a tree of nodes with up to 4 edges, and up to 3 edges more."""
    labels, edges, degree = [], {}, [0] * count
    for i in range(count):
        labels.append(pick(draw, atoms))
        if i:
            free = [j for j in range(i) if degree[j] < (4 if labels[j] == "C" else 3)]
            j = draw.choice(free[-6:])
            edges[j, i] = pick(draw, bonds)
            degree[i] += 1
            degree[j] += 1
    for _ in range(draw.randrange(1, 4)):
        i, j = sorted(draw.sample(range(count), 2))
        if (i, j) not in edges and max(degree[i], degree[j]) < 4 and j - i < 8:
            edges[i, j] = pick(draw, bonds)
            degree[i] += 1
            degree[j] += 1
    return labels, edges


def edited(draw, graph, edits, atoms, bonds):
    labels, edges = list(graph[0]), dict(graph[1])
    for _ in range(edits):
        kind = draw.randrange(5)
        if kind == 0:
            labels[draw.randrange(len(labels))] = pick(draw, atoms)
        elif kind == 1:
            edges[draw.choice(sorted(edges))] = pick(draw, bonds)
        elif kind == 2:
            edges.setdefault(tuple(sorted(draw.sample(range(len(labels)), 2))), pick(draw, bonds))
        elif kind == 3 and len(edges) > 1:
            del edges[draw.choice(sorted(edges))]
        else:
            labels.append(pick(draw, atoms))
    return labels, edges


def text(draw, graph):
    """The graph as akin reads it, with its nodes in random order."""
    labels, edges = graph
    place = list(range(len(labels)))
    draw.shuffle(place)
    order = sorted(range(len(labels)), key=place.__getitem__)
    words = sorted((*sorted((place[i], place[j])), label) for (i, j), label in edges.items())
    return " ".join(labels[i] for i in order) + ";" + "".join(f" {i}-{j}:{label}" for i, j, label in words)


def make(options):
    options.folder.mkdir(parents=True, exist_ok=True)
    for name, kinds in KINDS.items():
        draw = random.Random(options.seed)
        graphs, known = [], []
        for row in range(options.graphs):
            if graphs and draw.random() < 0.3:
                source, edits = draw.randrange(len(graphs)), draw.randrange(6)
                graphs.append(edited(draw, graphs[source], edits, *kinds))
                known.append((source, row, edits))
            else:
                graphs.append(molecule(draw, draw.randint(20, 40), *kinds))
        path = options.folder / f"{name}.txt"
        path.write_text("\n".join(text(draw, graph) for graph in graphs) + "\n")
        path.with_suffix(".known").write_text("".join(f"{a},{b},{edits}\n" for a, b, edits in known))
        print(f"{path}: {len(graphs)} graphs, {len(known)} of them copies with edits")


def known_of(path):
    return [tuple(map(int, line.split(","))) for line in path.with_suffix(".known").read_text().splitlines()]


def run(options):
    print("collection\tedits\tthreads\tpairs\tseconds\tuser seconds\tknown pairs")
    for name in KINDS:
        path = options.folder / f"{name}.txt"
        for edits in range(1, options.edits + 1):
            for threads in options.threads.split(","):
                command = [options.akin, "join", str(path), "--input", "text", "--graph-edits", str(edits)]
                before, begun = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime, time.perf_counter()
                try:
                    done = subprocess.run(
                        [*command, "--threads", threads, "--undecided", "--quiet"],
                        capture_output=True, text=True, timeout=options.timeout, check=True,
                    )  # fmt: skip
                except subprocess.TimeoutExpired:
                    print(f"{name}\t{edits}\t{threads}\t-\tmore than {options.timeout}")
                    continue
                seconds = time.perf_counter() - begun
                user = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
                found = {tuple(map(int, line.split(",")[:2])) for line in done.stdout.splitlines()[1:]}
                undecided = sum(line.endswith(",") for line in done.stdout.splitlines())
                known = {(a, b) for a, b, made in known_of(path) if made <= edits}
                assert known <= found, sorted(known - found)[:5]
                more = f", {undecided} undecided" if undecided else ""
                row = name, edits, threads, f"{len(found)}{more}", f"{seconds:.2f}", f"{user:.2f}", len(known)
                print(*row, sep="\t", flush=True)


def networkx_of(networkx, line):
    nodes, _, edges = line.partition(";")
    graph = networkx.Graph()
    for i, label in enumerate(nodes.split()):
        graph.add_node(i, label=label)
    for word in edges.split():
        ends, _, label = word.partition(":")
        graph.add_edge(*map(int, ends.split("-")), label=label)
    return graph


def pairs(options):
    import akin
    import networkx

    lines = (options.folder / "molecules.txt").read_text().splitlines()
    draw = random.Random(1)
    chosen = [(lines[a], lines[b]) for a, b, _ in known_of(options.folder / "molecules.txt")[: options.pairs]]
    akin.graphs.distance(*chosen[0])  # loads what it needs
    begun = time.perf_counter()
    ours = [akin.graphs.distance(a, b, most=5) for a, b in chosen]
    each = (time.perf_counter() - begun) / len(chosen) * 1000
    print(f"akin\t{len(chosen)} known pairs within 5 edits\t{each:.2f} ms a pair")
    graphs = [(networkx_of(networkx, a), networkx_of(networkx, b)) for a, b in chosen]
    same = dict(node_match=lambda a, b: a["label"] == b["label"], edge_match=lambda a, b: a["label"] == b["label"])
    took, agreed, ended = 0.0, 0, 0
    for ours_of, (a, b) in zip(ours, graphs):
        begun = time.perf_counter()
        theirs = networkx.graph_edit_distance(a, b, upper_bound=5, timeout=options.seconds, **same)
        seconds = time.perf_counter() - begun
        took += seconds
        ended += seconds < options.seconds
        agreed += seconds < options.seconds and theirs == ours_of
    print(f"networkx\tthe same\t{took / len(graphs) * 1000:.0f} ms a pair; {ended} of {len(graphs)} ended in "
          f"{options.seconds} s each, {agreed} of these agreed")
    small = [(akin_small(draw), akin_small(draw)) for _ in range(options.pairs)]
    begun = time.perf_counter()
    ours = [akin.graphs.distance(a, b) for a, b in small]
    each = (time.perf_counter() - begun) / len(small) * 1000
    print(f"akin\t{len(small)} random pairs of 6 to 8 nodes\t{each:.3f} ms a pair")
    begun = time.perf_counter()
    theirs = [
        networkx.graph_edit_distance(networkx_of(networkx, a), networkx_of(networkx, b), **same) for a, b in small
    ]
    differ = sum(a != b for a, b in zip(ours, theirs))
    print(f"networkx\tthe same\t{(time.perf_counter() - begun) / len(small) * 1000:.0f} ms a pair; {differ} differ")


def akin_small(draw):
    return text(draw, molecule(draw, draw.randint(6, 8), *KINDS["molecules"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    verb = verbs.add_parser("make")
    verb.add_argument("folder", type=pathlib.Path)
    verb.add_argument("--graphs", type=int, default=10000)
    verb.add_argument("--seed", type=int, default=1)
    verb.set_defaults(run=make)
    verb = verbs.add_parser("run")
    verb.add_argument("akin")
    verb.add_argument("folder", type=pathlib.Path)
    verb.add_argument("--edits", type=int, default=5)
    verb.add_argument("--threads", default="1,2")
    verb.add_argument("--timeout", type=float, default=600)
    verb.set_defaults(run=run)
    verb = verbs.add_parser("pairs")
    verb.add_argument("folder", type=pathlib.Path)
    verb.add_argument("--pairs", type=int, default=60)
    verb.add_argument("--seconds", type=float, default=10)
    verb.set_defaults(run=pairs)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
