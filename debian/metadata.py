#!/usr/bin/env python3
"""Writes what Python knows of the installed package, of pyproject.toml and the version in akin.h: NAME.dist-info.

    debian/metadata.py FOLDER

scikit-build-core does that for pip; Debian 12 does not have it. The file of entry points is left out: the command of
the package akin has their place.
"""
import pathlib, re, sys, tomllib

ROOT = pathlib.Path(__file__).resolve().parents[1]


def requirement(text, extra):
    """What an extra requires, with its condition: `pyarrow; extra == "parquet"`."""
    return f'{text}; extra == "{extra}"'


def fields(project, version):
    yield "Metadata-Version", "2.1"
    yield "Name", project["name"]
    yield "Version", version
    yield "Summary", project["description"]
    for classifier in project["classifiers"]:
        yield "Classifier", classifier
    yield "Requires-Python", project["requires-python"]
    for extra, required in project["optional-dependencies"].items():
        yield "Provides-Extra", extra
        for text in required:
            yield "Requires-Dist", requirement(text, extra)


def main():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    header = (ROOT / "include/akin.h").read_text(encoding="utf-8")
    version = re.search('^#define AKIN_VERSION_STRING "(.*)"$', header, re.MULTILINE)[1]
    folder = pathlib.Path(sys.argv[1]) / f"{project['name']}-{version}.dist-info"
    folder.mkdir(parents=True)
    lines = (f"{name}: {value}\n" for name, value in fields(project, version))
    (folder / "METADATA").write_text("".join(lines), encoding="utf-8")
    (folder / "INSTALLER").write_text("debian\n", encoding="utf-8")


main()
