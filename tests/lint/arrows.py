#!/usr/bin/env python3
"""Arrows run down: no use of a higher room, and no circle of modules within a room. rooms.sh has the rules of includes.

    tests/lint/arrows.py [ROOT]

src/CMakeLists.txt lists the rooms from the lowest to the highest. The libraries beside libakin, papers/ and
generate/, are a room each: above all rooms of src/, and neither above the other. A module is a header with the
sources of its name: a.h, a.c, and those of a_b.c, a_cuda.cu that have no header of their own. A header that no source
belongs to has types and inline functions alone, and is no module: what it includes counts for whoever includes it. A
symbol is a function or a table that other files see.

1. A room uses symbols of itself and of lower rooms alone, wherever they are declared.
2. A header declares symbols of its own module alone. The kernels.h of a room, or its a_kernels.h, also declares the
   tables of kernels that files of CUDA define.
3. Within a room, modules that use one another in a circle are a fault. A module uses another if it includes its
   header, or uses a symbol that the other defines.

It prints what it finds, a line each, and exits with 1 if there is anything.
"""
import pathlib, re, sys

from c_source import code_of

ENDINGS = {".c", ".h", ".cu", ".cuh"}
SOURCES = {".c", ".cu"}
BESIDE = ("papers", "generate")
# they list the functions of a backend: who calls through their lists needs none of it
GATHERS = {"device/cuda_backend", "papers/kernels"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)
FUNCTION = re.compile(r"^(?!static|typedef|#|\s)[A-Za-z_][\w \t*]*?\b(akin_\w+)\s*\(([^;{}]*)\)\s*([;{])", re.M)
DATA = re.compile(
    r"^(?!static|typedef|#|\s)(?:extern\s+(?:\"\"\s+)?)?(?:struct\s+)?(?:const|unsigned|int|size_t|char)\b[\w\s*]*?"
    r"\b(akin_\w+(?:\[\w*\])*(?:,\s*akin_\w+(?:\[\w*\])*)*)\s*([=;])", re.M)


def symbols(code):
    """The names that a file defines, and those that it declares alone."""
    defines, declares = set(), set()
    for match in FUNCTION.finditer(code):
        (defines if match[3] == "{" else declares).add(match[1])
    for match in DATA.finditer(code):
        is_declared = match[2] == ";" and match[0].startswith("extern")
        (declares if is_declared else defines).update(re.findall(r"akin_\w+", match[1]))
    return defines, declares


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
        self.file = path.relative_to(root).as_posix()
        self.path = name_of(root, path)
        self.room = self.path.parts[0]
        self.name = module_of(self.path, headers)
        self.includes = INCLUDE.findall(text)
        self.defines, self.declares = symbols(code)
        self.names = set(re.findall(r"\bakin_\w+", code))


def name_of(root, path):
    """What an include calls a file: a folder of src/ is a room, and so are papers/ and generate/."""
    return path.relative_to(root / "src" if (root / "src") in path.parents else root)


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


def may_use(source, other, rank):
    return other.room == source.room or rank[other.room] < rank[source.room]


def may_declare(header, owner):
    is_of_kernels = header.path.stem == "kernels" or header.path.stem.endswith("_kernels")
    return (
        owner.name == header.name
        or is_of_kernels and owner.path.suffix == ".cu" and owner.path.parent == header.path.parent
    )


def faults(root):
    rank = {room: at for at, room in enumerate(rooms_of(root))}
    rank.update({room: len(rank) for room in BESIDE})
    paths = [
        path for folder in ("src", *BESIDE) for path in sorted((root / folder).rglob("*")) if path.suffix in ENDINGS
    ]
    headers = {str(name_of(root, path).with_suffix("")) for path in paths if path.suffix == ".h"}
    sources = [Source(root, path, headers) for path in paths]
    for room in sorted({source.room for source in sources} - rank.keys()):
        yield f"src/{room}: is a room that src/CMakeLists.txt does not list"
    sources = [source for source in sources if source.room in rank]
    owner = {name: source for source in sources if source.path.suffix in SOURCES for name in source.defines}
    public = {
        name
        for header in (root / "include").glob("*.h")
        for name in re.findall(r"\bakin_\w+", code_of(header.read_text(encoding="utf-8")))
    }
    edges = {}
    with_source = {source.name for source in sources if source.path.suffix in SOURCES}
    included = {str(source.path): source.includes for source in sources}
    for source in sources:
        if source.name in with_source and source.name not in GATHERS:
            edges.setdefault(source.name, set()).update(modules_included(source, included, headers, with_source))
        if source.path.suffix not in SOURCES:
            for name in sorted((source.declares - public) & owner.keys()):
                if not may_declare(source, owner[name]):
                    yield f"{source.file}: declares {name}, which {owner[name].path} defines"
            continue
        for name in sorted(source.names & owner.keys()):
            other = owner[name]
            if source.name in GATHERS:
                continue
            if not may_use(source, other, rank):
                yield f"{source.file}: uses {name} of the room {other.room}, which is not below"
            elif other.room == source.room:
                edges.setdefault(source.name, set()).add(other.name)
    for node, to in edges.items():
        to.discard(node)
    for part in circles(edges):
        yield "a circle of modules: " + ", ".join(part)


found = list(faults(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
print("\n".join(found), end="\n" if found else "")
sys.exit(1 if found else 0)
