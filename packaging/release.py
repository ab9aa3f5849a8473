#!/usr/bin/env python3
"""Makes a release: `release.py VERSION` writes the version, cuts the changelog, commits and tags; then it makes the
files of the release, as `release.py --files TAG [PACKAGE...]` does of a tag that is there.

The files go to build/release-VERSION: the source archive (made twice, and compared), its list of components (SPDX), the
report on the binary interface against the last tag (libabigail), copies of the packages, and checksums. A version whose
interface breaks programs is refused before anything is written, unless the library has another soname. Nothing leaves
this machine: what is left to do is printed at the end.
"""

import datetime
import gzip
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
HEADER = ROOT / "include" / "akin.h"
CHANGELOG = ROOT / "CHANGELOG.md"
DEBIAN = ROOT / "debian" / "changelog"
SYMBOLS = ROOT / "debian" / "libakin0.symbols"
# Whose interface may change in every version: docs/versions.md.
EXPERIMENTAL = ("libakin_papers.so",)
UNRELEASED = "## [Unreleased]\n"


def git(*words, **how):
    done = subprocess.run(["git", *words], cwd=ROOT, check=False, capture_output=True, **how)
    if done.returncode != 0:
        message = done.stderr if isinstance(done.stderr, str) else done.stderr.decode()
        sys.exit(f"release: git {words[0]}: {message.strip()}")
    return done.stdout


def said(*words):
    return git(*words, text=True).strip()


def stated(header):
    """The version that a header states."""
    return re.search(r'^#define AKIN_VERSION_STRING "(.*)"$', header, re.MULTILINE)[1]


def numbers(version):
    return tuple(map(int, version.split(".")))


def with_version(header, version):
    """The header with the version, which stands there as text and as three numbers."""
    for name, value in zip(("MAJOR", "MINOR", "PATCH"), version.split("."), strict=True):
        line = rf"^(#define AKIN_VERSION_{name} +)[0-9]+$"
        header, times = re.subn(line, rf"\g<1>{value}", header, flags=re.MULTILINE)
        assert times == 1, name
    return header.replace(f'AKIN_VERSION_STRING "{stated(header)}"', f'AKIN_VERSION_STRING "{version}"')


def cut(changelog, version, day):
    """The changelog, in which what was unreleased is the version's."""
    before, heading, after = changelog.partition(UNRELEASED)
    text = after.partition("\n## ")[0].strip()
    if not heading or not text:
        sys.exit(f"release: CHANGELOG.md has nothing under '{UNRELEASED.strip()}'")
    return f"{before}{UNRELEASED}\n## [{version}] - {day}\n{after}"


def with_entry(changes, version, now):
    """debian/changelog with an entry for the version, by whoever made the last one; as it is, if it has one. Its time
    is later than that of the last one, as Lintian wants it."""
    if changes.startswith(f"akin ({version}-"):
        return changes
    maintainer = re.search(r"^ -- (.*>)  ", changes, re.MULTILINE)[1]
    stamp = now.strftime("%a, %d %b %Y %H:%M:%S +0000")
    entry = f"akin ({version}-1) unstable; urgency=medium\n\n  * Version {version}: see CHANGELOG.md.\n\n"
    return f"{entry} -- {maintainer}  {stamp}\n\n{changes}"


def last_tag(commit):
    """The newest tag of a version in the history of a commit, the commit included; None without one."""
    found = subprocess.run(
        ["git", "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*", commit],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )
    return found.stdout.strip() or None


def commit(version):
    """Writes what states the version, commits it, and tags the commit."""
    if not re.fullmatch(r"(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*)){2}", version):
        sys.exit(f"release: {version} is not a version; expected MAJOR.MINOR.PATCH")
    if said("status", "--porcelain"):
        sys.exit("release: there are changes that are not committed")
    header = HEADER.read_text(encoding="utf-8")
    if numbers(version) < numbers(stated(header)) or said("tag", "--list", f"v{version}"):
        sys.exit(f"release: {version} must be greater than {stated(header)}, or have no tag")
    old = last_tag("HEAD")
    _, broken = interface_report(old, "HEAD") if old else ("", [])
    if broken:
        sys.exit(
            f"release: programs that use {' and '.join(broken)} of {old} would break: keep what is gone, or give the "
            f"library another soname; build/abi/report.txt says what"
        )
    now = datetime.datetime.now(datetime.timezone.utc)
    written = {
        HEADER: with_version(header, version),
        CHANGELOG: cut(CHANGELOG.read_text(encoding="utf-8"), version, now.date()),
        DEBIAN: with_entry(DEBIAN.read_text(encoding="utf-8"), version, now),
        # What the last tag lacks is brought by this version.
        SYMBOLS: said("show", f"{old}:debian/libakin0.symbols") + "\n" if old else "",
    }
    try:
        write_and_tag(version, written)
    except BaseException:
        git("checkout", "HEAD", "--", ".")
        raise


def write_and_tag(version, written):
    """Writes the files, makes the others that repeat the version, commits all, and tags the commit."""
    for path, text in written.items():
        path.write_text(text, encoding="utf-8")
    subprocess.run([sys.executable, ROOT / "packaging" / "symbols.py"], check=True)
    subprocess.run([sys.executable, ROOT / "packaging" / "symbols.py"], check=True)
    git("commit", "-a", "-m", f"akin {version}")
    git("tag", "-a", f"v{version}", "-m", f"akin {version}")


def archive_of(tag, version):
    """The sources of a tag, packed without a time of day. The same tag gives the same bytes."""
    tar = git("archive", "--format=tar", f"--prefix=akin-{version}/", f"{tag}^{{commit}}")
    return gzip.compress(tar, compresslevel=9, mtime=0)


def libraries_of(commit, folder):
    """Builds the shared libraries of a commit with the types of their functions. Returns their paths by name, and the
    folder of their headers."""
    place = folder / said("rev-parse", f"{commit}^{{tree}}")
    tree, build = place / "source", place / "build"
    if not (place / "done").exists():
        tree.mkdir(parents=True, exist_ok=True)
        packed = git("archive", "--format=tar", f"{commit}^{{commit}}")
        subprocess.run(["tar", "-x", "-C", tree], input=packed, check=True)
        configure = ["cmake", "-G", "Ninja", "-S", tree, "-B", build, "-DCMAKE_BUILD_TYPE=Release"]
        configure += ["-DCMAKE_C_FLAGS=-g"]
        off = [f"-DAKIN_{name}=OFF" for name in ("BUILD_CLI", "BUILD_TESTS", "BUILD_STATIC", "CUDA")]
        subprocess.run([*configure, *off], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cmake", "--build", build], check=True, stdout=subprocess.DEVNULL)
        (place / "done").touch()
    # The name with the soname's number, as the libraries of two sonames are not compared.
    found = {path.name: path for path in sorted(build.rglob("libakin*.so.*")) if path.name.count(".") == 2}
    return found, tree / "include"


def compare(name, before, after):
    """What abidiff says of the public functions of two builds of a library, and whether programs would break."""
    (old, old_headers), (new, new_headers) = before, after
    headers = ["--headers-dir1", old_headers, "--headers-dir2", new_headers, "--drop-private-types"]
    done = subprocess.run(["abidiff", *headers, old, new], capture_output=True, text=True, check=False)
    if done.returncode & 3:  # it failed, or was called wrongly
        sys.exit(f"release: abidiff: {done.stderr}")
    breaks = bool(done.returncode & 8)
    return f"\n== {name}: {'incompatible' if breaks else 'compatible'}\n{done.stdout}", breaks


def interface_report(old, new):
    """The interfaces of the libraries of two commits, as text, and the names of those that break programs."""
    folder = ROOT / "build" / "abi"
    (before, old_headers), (after, new_headers) = libraries_of(old, folder), libraries_of(new, folder)
    text, broken = [], []
    for name in sorted({*before, *after}):
        if name not in before or name not in after:
            text.append(f"\n== {name}: {'gone' if name in before else 'new'}\n")
            continue
        said_of_it, breaks = compare(name, (before[name], old_headers), (after[name], new_headers))
        text.append(said_of_it)
        if breaks and not name.startswith(EXPERIMENTAL):
            broken.append(name)
    report = "".join(text)
    (folder / "report.txt").write_text(report, encoding="utf-8")
    return report, broken


def copy_packages(packages, version, out):
    """Puts packages of the version beside the sources, so that the checksums are theirs, too."""
    for package in map(pathlib.Path, packages):
        if not re.search(rf"[-_]{re.escape(version)}[-_.]", package.name):
            sys.exit(f"release: {package.name} is not of version {version}")
        shutil.copy(package, out)


def files(tag, packages=()):
    """Makes the files of a tagged release."""
    if not said("tag", "--list", tag):
        sys.exit(f"release: there is no tag {tag}")
    version = stated(said("show", f"{tag}:include/akin.h"))
    if tag != f"v{version}":
        sys.exit(f"release: the tag {tag} has the version {version}")
    out = ROOT / "build" / f"release-{version}"
    if (out / "SHA256SUMS.asc").exists():
        sys.exit(f"release: {out.relative_to(ROOT)} is signed: remove it first, if it is to be made again")
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    source = archive_of(tag, version)
    if source != archive_of(tag, version):
        sys.exit("release: two archives of the same tag differ")
    (out / f"akin-{version}.tar.gz").write_bytes(source)
    epoch = said("log", "-1", "--format=%ct", tag)
    sbom = [sys.executable, ROOT / "packaging" / "sbom.py", "akin", version, out / f"akin-{version}.spdx.json"]
    subprocess.run(sbom, check=True, env={**os.environ, "SOURCE_DATE_EPOCH": epoch})
    old = last_tag(f"{tag}^")
    report, broken = interface_report(old, tag) if old else ("", [])
    heading = f"The binary interface of {tag}, against {old}\n" if old else "There is no earlier tag.\n"
    (out / f"akin-{version}-abi.txt").write_text(heading + report, encoding="utf-8")
    copy_packages(packages, version, out)
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(out.iterdir())]
    (out / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    print(f"release: {out.relative_to(ROOT)}:\n{''.join(sums)}", end="")
    if old:
        print(f"release: the binary interface against {old}: {'incompatible: ' * bool(broken)}"
              f"{', '.join(broken) or 'compatible'}")
    print(f"release: next: gpg --armor --detach-sign build/release-{version}/SHA256SUMS; git push origin HEAD {tag}")


def main(*words):
    if len(words) >= 2 and words[0] == "--files":
        files(words[1], words[2:])
    elif len(words) == 1 and not words[0].startswith("-"):
        commit(words[0])
        print(f"release: v{words[0]} is tagged; if this ends early: packaging/release.py --files v{words[0]}")
        files(f"v{words[0]}")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
