#!/usr/bin/env python3
"""debian/ fits the tree: what it repeats of other files is the same there.

    tests/lint/debian.py [--update] [ROOT]

1. The first entry of debian/changelog has the version of include/akin.h, and a revision.
2. debian/libakin0.symbols has the functions that the headers declare, and the bounds that this version makes: before
   1.0 a minor version may change the interface, so a program wants the libraries of the minor version that it was built
   with. All else that libakin exports is there for the libraries beside it, which fit one version alone.
3. debian/copyright has the words of LICENSE, and debian/control the Python of pyproject.toml.

--update writes the symbols, and an entry for a new version.

It prints what it finds, a line each, and exits with 1 if there is anything.
"""
import datetime, email.utils, pathlib, re, sys

LIBRARIES = {"libakin": "akin.h", "libakin_generate": "akin_generate.h", "libakin_papers": "akin_papers.h"}
VERSION = re.compile(r'^#define AKIN_VERSION_STRING "((\d+)\.(\d+)\.(\d+))"$', re.MULTILINE)
FUNCTION = re.compile(r"^AKIN_API [^;(]*\b(akin_[a-z0-9_]+)\(", re.MULTILINE)
ENTRY = re.compile(r"akin \(([^()]+)-([^-()]+)\) ")
MAINTAINER = re.compile(r"^Maintainer: (.*)$", re.MULTILINE)
PYTHON = re.compile(r"\b(python3(?:-dev)?) \(>= ([\d.]+)\)")
REQUIRED = re.compile(r'^requires-python = ">=([\d.]+)"$', re.MULTILINE)
UPDATE = "tests/lint/debian.py --update writes it"


def read(root, name):
    path = root / name
    return path.read_text(encoding="utf-8") if path.exists() else ""


def version_of(root):
    version, *parts = VERSION.search(read(root, "include/akin.h")).groups()
    return version, *map(int, parts)


def symbols(root):
    """What debian/libakin0.symbols is to be."""
    _, major, minor, patch = version_of(root)
    if major > 0:
        sys.exit("tests/lint/debian.py: expected a version before 1.0: later ones keep what programs were built with")
    since, until = f"{major}.{minor}.0", f"{major}.{minor + 1}~"
    for library, header in LIBRARIES.items():
        node = "Base" if header != "akin.h" else f"AKIN_{major}"
        functions = {f" {name}@{node} {since}" for name in FUNCTION.findall(read(root, f"include/{header}"))}
        yield f"{library}.so.0 libakin0 #MINVER#, libakin0 (<< {until})"
        if header == "akin.h":
            yield f"| libakin0 (>= {major}.{minor}.{patch}), libakin0 (<< {major}.{minor}.{patch + 1}~)"
        yield "* Build-Depends-Package: libakin-dev"
        if header == "akin.h":
            yield f" {node}@{node} {since}"
            yield " (symver|optional)AKIN_PRIVATE 0 1"
        yield from sorted(functions)


def entry(root):
    """The entry of a new version."""
    return (
        f"akin ({version_of(root)[0]}-1) unstable; urgency=medium\n\n"
        "  * New version. Its changelog has the changes.\n\n"
        f" -- {MAINTAINER.search(read(root, 'debian/control'))[1]}  "
        f"{email.utils.format_datetime(datetime.datetime.now(datetime.timezone.utc))}\n\n"
    )


def update(root):
    (root / "debian/libakin0.symbols").write_text("".join(f"{line}\n" for line in symbols(root)), encoding="utf-8")
    if [*faults_of_version(root)]:
        before = read(root, "debian/changelog")
        (root / "debian/changelog").write_text(entry(root) + before, encoding="utf-8")


def faults_of_version(root):
    version = version_of(root)[0]
    found = ENTRY.match(read(root, "debian/changelog"))
    if not found or found[1] != version:
        what = found[1] if found else "no version with a revision"
        yield f"debian/changelog:1: {what}; expected {version}, as include/akin.h says: {UPDATE}"


def faults_of_symbols(root):
    there, wanted = read(root, "debian/libakin0.symbols").splitlines(), [*symbols(root)]
    for line in [line for line in there if line not in wanted]:
        yield f"debian/libakin0.symbols: unexpected '{line.strip()}': {UPDATE}"
    for line in [line for line in wanted if line not in there]:
        yield f"debian/libakin0.symbols: there is no '{line.strip()}': {UPDATE}"
    if sorted(there) == sorted(wanted) and there != wanted:
        yield f"debian/libakin0.symbols: lines are in another order: {UPDATE}"


def faults_of_repeated(root):
    licence = read(root, "LICENSE").partition("\n\nPermission")
    repeated = read(root, "debian/copyright").partition("\n\nLicense: Expat\n")[2].replace("\n .\n", "\n")
    if "".join(licence[1:]).split() != repeated.split():
        yield "debian/copyright: the words of the licence are not those of LICENSE"
    holder = re.search(r"Copyright \(c\) (.*)", licence[0])
    if not holder or f"Copyright: {holder[1]}\n" not in read(root, "debian/copyright"):
        yield "debian/copyright: the holder is not that of LICENSE"
    required = REQUIRED.search(read(root, "pyproject.toml"))
    wanted = [(name, required and required[1]) for name in ("python3-dev", "python3")]
    if PYTHON.findall(read(root, "debian/control")) != wanted:
        yield f"debian/control: expected python3-dev and python3 (>= {wanted[0][1]}), as pyproject.toml requires"


def faults(root):
    yield from faults_of_version(root)
    yield from faults_of_symbols(root)
    yield from faults_of_repeated(root)


def main():
    words = sys.argv[1:]
    updates = "--update" in words
    roots = [word for word in words if word != "--update"]
    root = pathlib.Path(roots[0] if roots else pathlib.Path(__file__).resolve().parents[2])
    if updates:
        update(root)
    found = [*faults(root)]
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)


main()
