#!/usr/bin/env python3
"""Arrows run down: no call to a higher room, and no circle of modules within a room. rooms.sh has the rules of
includes.

    tests/lint/arrows.py [ROOT]

src/CMakeLists.txt lists the rooms from the lowest to the highest. A module is a header with the sources of its name:
a.h, a.c, and those of a_b.c, a_cuda.cu that have no header of their own. A header that no source belongs to has types
and inline functions alone, and is no module: what it includes counts for whoever includes it.

1. A room calls functions of itself and of lower rooms alone, wherever they are declared.
2. A header declares functions of its own module alone.
3. Within a room, modules that use one another in a circle are a fault. A module uses another if it includes its header,
   or calls a function that the other defines.

It prints what it finds, a line each, and exits with 1 if there is anything.
"""
import pathlib, re, sys

from c_source import code_of

ENDINGS = {".c", ".h", ".cu", ".cuh"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)
HEAD = re.compile(r"^(?!static|typedef|#|\s)[A-Za-z_][\w \t*]*?\b(akin_\w+)\s*\(([^;{}]*)\)\s*([;{])", re.M)


def module_of(path, headers):
    """The header that a file belongs to: the one with the longest name that the file's name begins with."""
    stem = str(path.with_suffix(""))
    while stem not in headers and "_" in stem.rsplit("/")[-1]:
        stem = stem.rpartition("_")[0]
    return stem if stem in headers else str(path.with_suffix(""))


class Source:
    def __init__(self, root, path, headers):
        text = path.read_text(encoding="utf-8")
        code = code_of(text)
        self.path = path.relative_to(root / "src")
        self.room = self.path.parts[0]
        self.name = module_of(self.path, headers)
        self.includes = INCLUDE.findall(text)
        heads = [(match[1], match[3]) for match in HEAD.finditer(code)]
        self.defines = {name for name, end in heads if end == "{"}
        self.declares = {name for name, end in heads if end == ";"}
        self.names = set(re.findall(r"\bakin_\w+", code))


def circles(edges):
    """Strongly connected parts with more than one file, by Tarjan's algorithm."""
    order, low, stack, on, found = {}, {}, [], set(), []

    def visit(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        on.add(node)
        for to in sorted(edges.get(node, ())):
            if to not in order:
                visit(to)
                low[node] = min(low[node], low[to])
            elif to in on:
                low[node] = min(low[node], order[to])
        if low[node] == order[node]:
            part = []
            while not part or part[-1] != node:
                part.append(stack.pop())
                on.discard(part[-1])
            if len(part) > 1:
                found.append(sorted(part))

    for node in sorted(edges):
        if node not in order:
            visit(node)
    return found


def modules_included(source, included, headers, with_source):
    """The modules of its room that a file includes, by itself or through headers that no source belongs to."""
    left, seen, found = list(source.includes), set(), set()
    while left:
        header = left.pop()
        if header in seen or header.split("/")[0] != source.room:
            continue
        seen.add(header)
        module = module_of(pathlib.Path(header), headers)
        if module in with_source:
            found.add(module)
        else:
            left += included.get(header, [])
    return found


def rooms_of(root):
    text = (root / "src/CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"set\(rooms\s([^)]*)\)", text)[1].split()


def faults(root):
    rooms = rooms_of(root)
    rank = {room: at for at, room in enumerate(rooms)}
    paths = [path for path in sorted((root / "src").rglob("*")) if path.suffix in ENDINGS]
    headers = {str(path.relative_to(root / "src").with_suffix("")) for path in paths if path.suffix == ".h"}
    sources = [Source(root, path, headers) for path in paths]
    for room in sorted({source.room for source in sources} - rank.keys()):
        yield f"src/{room}: is a room that src/CMakeLists.txt does not list"
    sources = [source for source in sources if source.room in rank]
    owner = {name: source for source in sources if source.path.suffix in {".c", ".cu"} for name in source.defines}
    public = set(re.findall(r"\bakin_\w+", code_of((root / "include/akin.h").read_text(encoding="utf-8"))))
    edges = {}
    with_source = {source.name for source in sources if source.path.suffix in {".c", ".cu"}}
    included = {str(source.path): source.includes for source in sources}
    for source in sources:
        if source.name in with_source:
            edges.setdefault(source.name, set()).update(modules_included(source, included, headers, with_source))
        if source.path.suffix in {".h", ".cuh"}:
            for name in sorted(source.declares - public):
                if name in owner and owner[name].name != source.name:
                    yield f"src/{source.path}: declares {name}, which {owner[name].path} defines"
            continue
        for name in sorted(source.names & owner.keys()):
            other = owner[name]
            if rank[other.room] > rank[source.room]:
                yield f"src/{source.path}: calls {name} of the higher room {other.room}"
            elif other.room == source.room:
                edges.setdefault(source.name, set()).add(other.name)
    for node, to in edges.items():
        to.discard(node)
    for part in circles(edges):
        yield "src/: a circle of modules: " + ", ".join(part)


found = list(faults(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
print("\n".join(found), end="\n" if found else "")
sys.exit(1 if found else 0)
