#!/usr/bin/env python3
"""Runs clang-tidy over every C file that is compiled, and says what it finds.

    tests/lint/tidy.py BUILD CLANG CLANG_TIDY

BUILD holds compile_commands.json of a build by CLANG. A file is not checked again if it was clean before: the key is
a digest of the preprocessed text with its comments, of the options, of the configuration and of the version of
CLANG_TIDY. The keys are names of empty files in $XDG_CACHE_HOME/akin-tidy; those that no run has used for 60 days go.
Where $CI is set there are no keys: a machine that begins with an empty cache would only pay for them.

The build is of x86-64, so it compiles no file of NEON. Such a file is checked with the arguments of another file of its
folder, but for 64-bit ARM. Without the headers of a cross compiler it is not checked, and a line says so.
"""
import concurrent.futures, hashlib, json, os, pathlib, re, shlex, subprocess, sys, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "akin-tidy"
KEPT = 60 * 86400  # seconds
ARM = "aarch64-linux-gnu"


def compiled_files(build):
    """The path and the arguments of every C file, once each."""
    files = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if entry["file"].endswith(".c"):
            words = entry.get("arguments") or shlex.split(entry["command"])
            compiler = 1 if pathlib.Path(words[0]).name == "ccache" else 0
            files.setdefault(entry["file"], (entry["directory"], words[compiler + 1:]))
    folders = {str(pathlib.Path(path).parent): entry for path, entry in files.items()}
    neon = {str(path): folders[str(path.parent)] for path in ROOT.glob("src/*/*_neon.c")}
    if not pathlib.Path("/usr", ARM, "include").exists():
        print(f"tidy.py: there is no cross compiler: {len(neon)} files for 64-bit ARM are not checked")
        return sorted(files.items())
    return sorted([*files.items(), *((path, (folder, for_arm(path, words))) for path, (folder, words) in neon.items())])


def for_arm(path, words):
    """The arguments that compile a file for 64-bit ARM, from those of its neighbour."""
    return [f"--target={ARM}", *words[: words.index("-o")], path]


def configurations(path):
    """The files .clang-tidy that hold for a source file."""
    folders = [folder for folder in pathlib.Path(path).parents if folder == ROOT or ROOT in folder.parents]
    return [folder / ".clang-tidy" for folder in folders if (folder / ".clang-tidy").exists()]


def digest(path, directory, arguments, clang, version):
    """The key of a file; "" if CLANG refuses it, so that CLANG_TIDY says why."""
    without_output = re.sub(r" -o \S+| -c\b", "", " ".join(map(shlex.quote, arguments)))
    command = [clang, *shlex.split(without_output), "-E", "-dD", "-C", "-P"]
    text = subprocess.run(command, cwd=directory, capture_output=True)
    if text.returncode != 0:
        return ""
    key = hashlib.sha256(version + without_output.replace(str(ROOT), "").encode())
    for configuration in configurations(path):
        key.update(configuration.read_bytes())
    key.update(text.stdout.replace(str(ROOT).encode(), b""))
    return key.hexdigest()


def check(entry, build, clang, clang_tidy, version):
    """What CLANG_TIDY says about a file; "": it is clean."""
    path, (directory, arguments) = entry
    key = "" if os.environ.get("CI") else digest(path, directory, arguments, clang, version)
    known = CACHE / key
    if key and known.exists():
        known.touch()
        return ""
    how = ["-p", str(build), path] if arguments[0] != f"--target={ARM}" else [path, "--", *arguments[:-1]]
    done = subprocess.run([clang_tidy, "--quiet", *how], capture_output=True, text=True, cwd=directory)
    if done.returncode != 0:
        return done.stdout + done.stderr
    if key:
        known.touch()
    return ""


def main():
    build, clang, clang_tidy = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]
    version = subprocess.run([clang_tidy, "--version"], capture_output=True, check=True).stdout
    CACHE.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as workers:
        said = workers.map(lambda entry: check(entry, build, clang, clang_tidy, version), compiled_files(build))
        found = [text for text in said if text]
    print("".join(found), end="")
    for known in CACHE.iterdir():
        if known.stat().st_mtime < time.time() - KEPT:
            known.unlink()
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
