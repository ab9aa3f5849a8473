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


def _changed(text, change):
    """A line more, or one text in the place of another."""
    return text + change + "\n" if isinstance(change, str) else text.replace(*change)


def check(script, clean, planted, is_found):
    """Exits with 1 unless the clean tree is clean, and each fault is found.

    planted: by a name the file, which may be a new one, the line that is added to it, or a text of it and the one that
    replaces this, and what the script is to say;
    is_found(said, file, expected) judges what it did say."""
    failed = 0
    status, said = _lint(script, clean)
    if status != 0 or said:
        failed += 1
        print(f"FAIL: the clean tree: status {status}: {said}")
    for what, (file, change, expected) in planted.items():
        status, said = _lint(script, {**clean, file: _changed(clean.get(file, ""), change)})
        if status != 1 or not is_found(said, file, expected):
            failed += 1
            print(f"FAIL: {what}: status {status}: {said}")
    print(f"{1 + len(planted) - failed} passed, {failed} failed")
    sys.exit(failed > 0)
