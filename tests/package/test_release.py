#!/usr/bin/env python3
"""packaging/release.py in a repository of its own, which has a library of a few functions."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

PACKAGING = pathlib.Path(__file__).resolve().parents[2] / "packaging"

HEADER = """#define AKIN_VERSION_MAJOR  0
#define AKIN_VERSION_MINOR  1
#define AKIN_VERSION_PATCH  0
#define AKIN_VERSION_STRING "0.1.0"
typedef struct akin_made { int number; } akin_made;
int akin_one(const akin_made *made);
"""
SOURCE = '#include "akin.h"\nint akin_one(const akin_made *made) { return made->number; }\n'
BUILD = """cmake_minimum_required(VERSION 3.25)
project(akin LANGUAGES C)
add_library(akin SHARED akin.c)
target_include_directories(akin PRIVATE include)
set_target_properties(akin PROPERTIES VERSION 0.0.0 SOVERSION 0)
"""
CHANGELOG = "# Changelog\n\n## [Unreleased]\n\nThe first.\n"
DEBIAN = """akin (0.1.0-1) unstable; urgency=medium

  * Begun.

 -- Some One <one@example.org>  Thu, 01 Jan 2026 00:00:00 +0000
"""


class Release(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="akin-release-")
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        (self.root / "packaging").mkdir()
        for name in ("release.py", "sbom.py", "symbols.py", "dependencies.sh"):
            shutil.copy(PACKAGING / name, self.root / "packaging")
        self.write("include/akin.h", HEADER)
        self.write("akin.c", SOURCE)
        self.write("CMakeLists.txt", BUILD)
        self.write("CHANGELOG.md", CHANGELOG)
        self.write("debian/changelog", DEBIAN)
        self.write("debian/libakin0.symbols", "")
        subprocess.run([sys.executable, self.root / "packaging/symbols.py"], check=True)
        self.write(".gitignore", "build/\n__pycache__/\n")
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.name", "Some One")
        self.git("config", "user.email", "one@example.org")
        self.git("config", "commit.gpgsign", "false")
        self.commit("The first")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def read(self, name):
        return (self.root / name).read_text(encoding="utf-8")

    def git(self, *words):
        return subprocess.run(["git", *words], cwd=self.root, check=True, capture_output=True, text=True).stdout

    def commit(self, message):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def release(self, *words):
        return subprocess.run(
            [sys.executable, self.root / "packaging/release.py", *words], capture_output=True, text=True, check=False
        )

    def refused(self, version, message):
        done = self.release(version)
        self.assertEqual(done.returncode, 1)
        self.assertIn(message, done.stderr)
        self.assertEqual(self.git("tag"), "")

    def test_first(self):
        done = self.release("0.2.0")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.git("log", "--format=%s"), "akin 0.2.0\nThe first\n")
        self.assertEqual(self.git("tag"), "v0.2.0\n")
        self.assertEqual(self.git("status", "--porcelain"), "")
        expected = HEADER.replace("MINOR  1", "MINOR  2").replace('"0.1.0"', '"0.2.0"')
        self.assertEqual(self.read("include/akin.h"), expected)
        heads = r"## \[Unreleased\]\n\n## \[0\.2\.0\] - \d{4}-\d\d-\d\d\n\nThe first\.\n$"
        self.assertRegex(self.read("CHANGELOG.md"), heads)
        self.assertRegex(self.read("debian/changelog"), r"\Aakin \(0\.2\.0-1\) unstable; [^-]*\n\n -- Some One <one@")
        self.assertIn("| libakin0 (>= 0.2.0), libakin0 (<< 0.2.1~)\n", self.read("debian/libakin0.symbols"))
        self.assertIn("libakin0 (>= 0.2.0), libakin0 (<< 0.2.1~)", self.read("debian/libakin0.symbols"))
        out = self.root / "build/release-0.2.0"
        names = sorted(path.name for path in out.iterdir())
        self.assertEqual(names, ["SHA256SUMS", "akin-0.2.0-abi.txt", "akin-0.2.0.spdx.json", "akin-0.2.0.tar.gz"])
        self.assertEqual(self.read("build/release-0.2.0/akin-0.2.0-abi.txt"), "There is no earlier tag.\n")
        subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=out, check=True)
        with tarfile.open(out / "akin-0.2.0.tar.gz") as packed:
            self.assertEqual(packed.extractfile("akin-0.2.0/include/akin.h").read().decode(), expected)
        described = json.loads(self.read("build/release-0.2.0/akin-0.2.0.spdx.json"))
        self.assertEqual([described["packages"][0][key] for key in ("name", "versionInfo")], ["akin", "0.2.0"])
        self.assertIn("zlib", [package["name"] for package in described["packages"]])

    def test_same_bytes_again(self):
        self.release("0.2.0")
        out = self.root / "build/release-0.2.0"
        before = {path.name: path.read_bytes() for path in out.iterdir()}
        self.write("later.txt", "later\n")
        self.commit("Later")
        self.assertEqual(self.release("--files", "v0.2.0").returncode, 0)
        self.assertEqual({path.name: path.read_bytes() for path in out.iterdir()}, before)

    @unittest.skipUnless(shutil.which("abidiff"), "there is no abidiff")
    def test_interface(self):
        self.release("0.2.0")
        changelog = "\n## [Unreleased]\n\nMore.\n"
        self.write("include/akin.h", self.read("include/akin.h") + "int akin_two(void);\n")
        self.write("akin.c", SOURCE + "int akin_two(void) { return 2; }\n")
        self.write("CHANGELOG.md", self.read("CHANGELOG.md").replace("\n## [Unreleased]\n", changelog))
        self.commit("A function")
        done = self.release("0.3.0")
        self.assertIn("the binary interface against v0.2.0: compatible\n", done.stdout, done.stderr)
        self.assertIn("'function int akin_two()'", self.read("build/release-0.3.0/akin-0.3.0-abi.txt"))
        self.write("akin.c", SOURCE)
        self.write("CHANGELOG.md", self.read("CHANGELOG.md").replace("\n## [Unreleased]\n", changelog))
        self.commit("No function")
        done = self.release("0.4.0")
        self.assertEqual(done.returncode, 1)
        self.assertIn("release: programs that use libakin.so.0 of v0.3.0 would break", done.stderr)
        self.assertEqual(self.git("tag"), "v0.2.0\nv0.3.0\n")
        self.write("CMakeLists.txt", BUILD.replace("VERSION 0.0.0 SOVERSION 0", "VERSION 1.0.0 SOVERSION 1"))
        self.commit("Another soname")
        self.assertEqual(self.release("0.4.0").returncode, 0)
        report = self.read("build/release-0.4.0/akin-0.4.0-abi.txt")
        self.assertIn("== libakin.so.0: gone\n", report)
        self.assertIn("== libakin.so.1: new\n", report)

    def test_packages(self):
        self.release("0.2.0")
        wheel = self.root / "build/libakin-0.2.0-cp311-abi3-any.whl"
        wheel.write_text("wheel")
        self.assertEqual(self.release("--files", "v0.2.0", str(wheel)).returncode, 0)
        self.assertIn(f"  {wheel.name}\n", self.read("build/release-0.2.0/SHA256SUMS"))
        other = self.root / "build/akin_0.1.0-1_amd64.deb"
        other.write_text("package")
        done = self.release("--files", "v0.2.0", str(other))
        self.assertIn("release: akin_0.1.0-1_amd64.deb is not of version 0.2.0", done.stderr)

    def test_refusals(self):
        self.refused("0.0.9", "release: 0.0.9 must be greater than 0.1.0")
        self.assertIn("release: there is no tag v0.9.0", self.release("--files", "v0.9.0").stderr)
        self.refused("0.2", "release: 0.2 is not a version; expected MAJOR.MINOR.PATCH")
        self.refused("0.02.0", "release: 0.02.0 is not a version")
        self.write("new.txt", "")
        self.refused("0.2.0", "release: there are changes that are not committed")
        self.commit("New")
        self.write("CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n## [0.1.0]\n\nOld.\n")
        self.commit("Nothing new")
        self.refused("0.2.0", "release: CHANGELOG.md has nothing under '## [Unreleased]'")


    def test_nothing_stays_of_a_release_that_fails(self):
        self.git("config", "user.useConfigOnly", "true")
        self.git("config", "--unset", "user.email")
        environment = {**os.environ, "HOME": str(self.root), "GIT_CONFIG_NOSYSTEM": "1"}
        done = subprocess.run(
            [sys.executable, self.root / "packaging/release.py", "0.2.0"],
            capture_output=True, text=True, check=False, env=environment,
        )
        self.assertEqual(done.returncode, 1)
        self.assertIn("release: git commit: ", done.stderr)
        self.assertEqual((self.git("status", "--porcelain"), self.git("tag")), ("", ""))

    def test_signed_files_stay(self):
        self.release("0.2.0")
        self.write("build/release-0.2.0/SHA256SUMS.asc", "signature")
        done = self.release("--files", "v0.2.0")
        self.assertIn("release: build/release-0.2.0 is signed: remove it first", done.stderr)
        self.assertTrue((self.root / "build/release-0.2.0/SHA256SUMS.asc").exists())


if __name__ == "__main__":
    unittest.main()
