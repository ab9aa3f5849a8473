"""Runs a lint script over a small clean tree, and over the same tree with each of several planted faults."""
import os, pathlib, subprocess, sys, tempfile


def _lint(script, tree):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in tree.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        command = [script] if os.access(script, os.X_OK) else [sys.executable, script]
        done = subprocess.run([*command, folder], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


def check(script, clean, planted, is_found):
    """Exits with 1 unless the clean tree is clean, and each fault is found.

    planted: by a name the file, which may be a new one, the line that is added to it, and what the script is to say;
    is_found(said, file, expected) judges what it did say."""
    failed = 0
    status, said = _lint(script, clean)
    if status != 0 or said:
        failed += 1
        print(f"FAIL: the clean tree: status {status}: {said}")
    for what, (file, line, expected) in planted.items():
        status, said = _lint(script, {**clean, file: clean.get(file, "") + line + "\n"})
        if status != 1 or not is_found(said, file, expected):
            failed += 1
            print(f"FAIL: {what}: status {status}: {said}")
    print(f"{1 + len(planted) - failed} passed, {failed} failed")
    sys.exit(failed > 0)
