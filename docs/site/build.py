#!/usr/bin/env python3
"""Builds the documentation site: build/docs/site from the Markdown files of the repository, which stay as they are, and from
pages that are made of the headers in include/, of the docstrings of the package, of examples/, and of the tables of names.

    docs/site/build.py BUILD OUT

BUILD is where akin and its Python extension were built. Needs Sphinx and myst-parser, and no network. Every warning, such as a
link that leads nowhere, is an error, and so is a picture of a page that akin would have drawn differently.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import check
import examples
import header
import names
import pictures

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# As in the repository, so that links between files hold on the site as they do there.
SHARED = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "LICENSE", "docs", "include", "src")
GROUPS = (
    ("Start", ["install", "start", "no-rules", "label", "tutorial"]),
    ("Recipes", ["recipes/index", "recipes/*"]),
    ("Reference", ["files", "join", "strings", "trees", "graphs", "dedupe", "evaluate", "report", "jobs", "search", "vectors", "rank", "weigh", "dictionary", "generate"]),
    ("From Python", ["python", "migrat*"]),
    ("From C", ["errors-and-threads"]),
    ("More on", ["text", "gpu", "container"]),
    ("How it works", ["how-*"]),
    ("Benchmarks", ["benchmarks*"]),
)

# The libraries beside libakin, with the title of their pages.
BESIDE = {
    "papers": ("The papers", "an annex of libakin"),
    "generate": ("Generated data", "the generators of records and documents"),
}


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def toctree(caption, names):
    return f"```{{toctree}}\n:caption: {caption}\n:maxdepth: 1\n:hidden:\n\n" + "\n".join(names) + "\n```\n\n"


def contents():
    """The groups of the navigation: a page of docs/ that no group names is in the last of them."""
    docs = ROOT / "docs"
    left = sorted(str(path.relative_to(docs).with_suffix("")) for folder in (docs, docs / "recipes") for path in folder.glob("*.md"))
    groups = []
    for caption, patterns in GROUPS:
        found = list(dict.fromkeys(name for pattern in patterns for name in left if Path(name).match(pattern)))
        left = [name for name in left if name not in found]
        groups.append((caption, [f"docs/{name}" for name in found]))
    further = {"More on": ["names"], "From Python": ["python/index", "examples/python"], "From C": ["c/index", "examples/c"]}
    groups = [(caption, names + further.get(caption, [])) for caption, names in groups]
    groups.append(("Project", ["The README <README>", "ARCHITECTURE", "CONTRIBUTING", "SECURITY", "CHANGELOG", *(f"docs/{name}" for name in left)]))
    return "".join(toctree(caption, names) for caption, names in groups if names)


def python_page():
    """python.rst, with a last section for what the package has and the page does not name."""
    page = (HERE / "python.rst").read_text(encoding="utf-8")
    module = ast.parse((ROOT / "python/akin/__init__.py").read_text(encoding="utf-8"))
    names = [alias.asname for part in module.body if isinstance(part, ast.ImportFrom) for alias in part.names]
    left = [name for name in names if not name.startswith("_") and not re.search(rf"^\.\. auto\w+:: akin\.{name}$", page, re.MULTILINE)]

    def directive(name):
        kind = "class" if name[0].isupper() else "module" if (ROOT / f"python/akin/{name}.py").exists() else "function"
        return f"\n.. auto{kind}:: akin.{name}\n" + ("   :members:\n" if kind != "function" else "")

    return f"{page}\nFurther\n-------\n{''.join(map(directive, left))}" if left else page


def header_pages(file, said, further=()):
    return header.pages(file, (ROOT / "include" / file).read_text(encoding="utf-8"), said, further)


def c_pages():
    """The pages of all headers, by name."""
    said = "# The C interface\n\nThese pages are made from `akin.h`, the header of libakin, which is its manual: read it there, or here."
    yield from header_pages("akin.h", said, [f"{folder}/index" for folder in BESIDE]).items()
    for folder, (title, what) in BESIDE.items():
        file = f"akin_{folder}.h"
        said = f"# {title}\n\nThese pages are made from `{file}`, the header of libakin_{folder}, {what}."
        yield from ((f"{folder}/{name}", text) for name, text in header_pages(file, said).items())


def stage(source, akin):
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    for name in SHARED:
        (source / name).symlink_to(ROOT / name)
    (source / "examples").mkdir()
    for path in (ROOT / "examples").iterdir():
        (source / "examples" / path.name).symlink_to(path)
    for language in ("python", "c"):
        write(source / f"examples/{language}.md", examples.page(ROOT / "examples" / language))
    write(source / "index.md", (HERE / "index.md").read_text(encoding="utf-8") + "\n" + contents())
    for name, text in c_pages():
        write(source / "c" / f"{name}.md", text)
    write(source / "python/index.rst", python_page())
    write(source / "names.md", names.page(akin))


def package(build, folder):
    """The package as it is imported: its modules, and the extension that was built."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "python/akin", folder / "akin")
    shutil.copy(build / "python/_akin.abi3.so", folder / "akin")


def main():
    build, out = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    stage(out / "source", build / "akin")
    package(build, out / "package")
    environment = dict(os.environ, PYTHONPATH=str(out / "package"))
    shutil.rmtree(out / "site", ignore_errors=True)
    command = ["sphinx-build", "-q", "-W", "--keep-going", "-b", "html", "-c", HERE, "-d", out / "state", out / "source", out / "site"]
    status = subprocess.run(command, env=environment).returncode
    found = list(check.faults(out / "site"))
    found += [f"docs/images/{name}: would be drawn differently now; draw it anew by docs/site/pictures.py, and look at it"
              for name in pictures.differing(build / "akin", ROOT / "docs/images")]
    print(*found, sep="\n", end="\n" if found else "", file=sys.stderr)
    return status or len(found)


if __name__ == "__main__":
    sys.exit(main() != 0)
