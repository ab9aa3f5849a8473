#!/usr/bin/env python3
"""Each installed file has its Debian package: debian/*.install and debian/not-installed name each of them once.

    tests/package/debian.py PREFIX LIBDIR

debhelper finds that too, when it builds the packages, which takes minutes. It takes a pattern as the shell does: `*`
stands for no slash, and a folder for what is in it.

It prints what it finds, a line each, and exits with 1 if there is anything.
"""
import pathlib, re, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MADE = "usr/lib/python3/"  # the component `python` of CMake, and debian/metadata.py


def regex(pattern):
    return re.compile("[^/]*".join(map(re.escape, pattern.split("*"))) + "(/.*)?")


def patterns():
    """The first word of each line: a file and a pattern."""
    for path in (*sorted(ROOT.glob("debian/*.install")), ROOT / "debian/not-installed"):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                yield path.name, line.split()[0]


def installed(prefix, libdir):
    """The installed files, by the names that they have in a Debian package."""
    for path in sorted(prefix.rglob("*")):
        name = path.relative_to(prefix).as_posix()
        if not path.is_dir():
            yield f"usr/{re.sub(f'^{re.escape(libdir)}/', 'lib/MULTIARCH/', name)}"


def faults(prefix, libdir):
    files = [*installed(prefix, libdir)]
    named = {file: [] for file in files}
    for source, pattern in patterns():
        found = [file for file in files if regex(pattern).fullmatch(file)]
        for file in found:
            named[file].append(source)
        if not found and not pattern.startswith(MADE) and not (ROOT / pattern).exists():
            yield f"debian/{source}: there is no {pattern}"
    for file, sources in named.items():
        if len(sources) != 1:
            yield f"debian/*.install: {file} is in {' and '.join(sources) or 'no package'}; expected one"


def main():
    found = [*faults(pathlib.Path(sys.argv[1]), sys.argv[2])]
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)


main()
