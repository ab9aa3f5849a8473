#!/usr/bin/env python3
"""What the command shows on a terminal: results as tables, what was written, progress.

    tests/cli/terminal.py AKIN
"""

import os
import pty
import re
import subprocess
import sys
import tempfile
import threading
import time
import unicodedata

AKIN = os.path.abspath(sys.argv[1])
END = b"<the end>"  # what a test writes to the terminal when the command has ended


def shown(*words, columns=80, stdin=None, stdout=True):
    """What a terminal shows of the command. `stdin`: pieces of bytes with pauses between; `stdout` False: only stderr
    is the terminal."""
    own, other = pty.openpty()
    import fcntl
    import struct
    import termios

    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    job = subprocess.Popen(
        [AKIN, *words], stdin=subprocess.PIPE, stdout=other if stdout else subprocess.DEVNULL, stderr=other,
        env={**os.environ, "TERM": "xterm"}
    )
    for piece in stdin or ():
        job.stdin.write(piece)
        job.stdin.flush()
        time.sleep(1.2)
    job.stdin.close()

    def end():
        job.wait()
        os.write(other, END)

    # The terminal stays open until all is read: what a closed one still held may be lost.
    ending = threading.Thread(target=end)
    ending.start()
    text = b""
    while not text.endswith(END):
        text += os.read(own, 65536)
    ending.join()
    text = text[: -len(END)]
    os.close(other)
    os.close(own)
    assert job.returncode == 0, text
    return text.decode().replace("\r\n", "\n")


def plain(*words):
    return subprocess.run([AKIN, *words], check=True, capture_output=True, text=True, encoding="utf-8").stdout


def wide(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def test_table():
    """The values are those of a pipe, aligned, numbers to the right."""
    lines = shown("join", "rows.csv", "--on", "name", "--id", "id", "--jaccard", "0.5").splitlines()
    expected = plain("join", "rows.csv", "--on", "name", "--id", "id", "--jaccard", "0.5").splitlines()
    rows = [line.split(",") for line in expected]
    assert any(len(score) > 8 for _, _, score in rows[1:])  # which the table shortens
    rows[1:] = [[left, right, f"{float(score):.6f}".rstrip("0").rstrip(".")] for left, right, score in rows[1:]]
    assert [re.split(" {2,}", line.strip()) for line in (lines[0], *lines[2:-1])] == rows
    assert lines[-1] == f"{len(expected) - 1} rows"
    ends = [match.end() for match in re.finditer("-+", lines[1])]
    assert all(line[ends[-1] - 1] != " " and len(line) == ends[-1] for line in lines[:-1])


def test_digits():
    """A table has 6 decimal places of similarities and scores, or the number of the option; values that are shown stay
    as they are."""
    words = ("join", "digits.csv", "--on", "name", "--show", "value", "--jaccard", "0.5")
    assert shown(*words).splitlines()[2].split() == ["0", "1", "0.666667", "0.1234567890123", "0.5"]
    assert shown(*words, "--digits", "2").splitlines()[2].split() == ["0", "1", "0.67", "0.1234567890123", "0.5"]
    assert shown(*words, "--digits", "15").splitlines()[2].split()[2] == "0.666666666666667"
    assert shown(*words, "--format", "csv").splitlines()[1] == "0,1,0.6666666666666666,0.1234567890123,0.5"
    plain("index", "rows.csv", "--kind", "bm25", "--on", "name", "-o", "digits.akin")
    for words in (("search", "digits.akin", "--query", "green blue"), ("rank", "digits.akin", "--query", "green blue")):
        own = [line.split()[-1] for line in shown(*words).splitlines()[2:-1]]
        full = [line.split(",")[-1] for line in plain(*words, "--format", "csv").splitlines()[1:]]
        assert own == [f"{float(score):.6f}".rstrip("0") for score in full], (own, full)
        assert own != full


def test_no_rows():
    assert shown("join", "rows.csv", "--on", "id", "--jaccard", "1").splitlines()[-1] == "0 rows"


def test_long_results_are_cut():
    lines = shown("join", "many.csv", "--on", "name", "--jaccard", "1").splitlines()
    assert len(lines) == 43 and lines[-1] == "... 1,185 more; -o FILE writes all 1,225 rows"


def test_wide_and_strange_values():
    """Values are cut so that a table fits, and nothing in them can steer the terminal."""
    lines = shown("join", "strange.csv", "--on", "name", "--id", "id", "--jaccard", "1", columns=60).splitlines()
    assert all(wide(line) <= 60 for line in lines) and any("..." in line for line in lines)
    assert not any(c < " " for line in lines for c in line)
    tables = [line for line in lines[:-1]]
    assert len({wide(line) for line in tables}) == 1


def test_a_format_or_a_file_is_no_table():
    words = ("join", "rows.csv", "--on", "name", "--jaccard", "0.5")
    assert shown(*words, "--format", "csv") == shown(*words, "-o", "-") == plain(*words)
    assert shown(*words, "--count") == plain(*words, "--count")


def test_other_commands():
    dedupe = shown(
        "dedupe", "rows.csv", "-q", "--id", "id", "--all-pairs", "--compare", "name:jaccard", "--threshold", "0.5"
    )
    assert re.match("id +cluster +size +representative\n", dedupe) and dedupe.endswith("4 rows\n")
    plain("index", "rows.csv", "--on", "name", "--kind", "documents", "--id", "id", "-o", "rows.akin")
    assert re.match("query +rank +id +count\n", shown("search", "rows.akin", "rows.csv", "--on", "name", "-k", "2"))
    plain("index", "rows.csv", "--kind", "bm25", "--on", "name", "--id", "id", "-o", "ranked.akin")
    assert re.match(
        "query +document +rank +score\n", shown("rank", "ranked.akin", "rows.csv", "--on", "name", "-k", "2")
    )


def test_what_was_written():
    words = ("join", "rows.csv", "--on", "name", "--jaccard", "0.5", "-o", "pairs.csv")
    assert re.fullmatch(r"akin: pairs.csv: wrote 3 pairs in \d+\.\d\d s\n", shown(*words))
    assert shown(*words, "-q") == ""
    assert subprocess.run([AKIN, *words], check=True, capture_output=True).stderr == b""  # a log stays empty


def test_a_selection_says_of_how_many():
    """Records without their duplicates are some of all records, and clusters of two and more some of all clusters."""
    join = ("join", "rows.csv", "--on", "name", "--jaccard", "0.6", "-o", "written")
    dedupe = ("dedupe", "rows.csv", "--all-pairs", "--compare", "name:jaccard", "--threshold", "0.6", "-o", "written")
    for words in (join, dedupe):
        assert re.search(
            r"^akin: one.csv: wrote 2 of 4 records in \d+\.\d\d s$", shown(*words, "--deduplicated", "one.csv"),
            re.MULTILINE
        ), words
    for words in ((*join, "--clusters", "--clusters-of", "2"), (*dedupe, "--clusters-of", "2")):
        assert re.search(r"^akin: written: wrote 1 of 2 clusters in \d+\.\d\d s$", shown(*words), re.MULTILINE), words
    one = shown(*join, "--clusters", "--clusters-of", "1")
    assert re.fullmatch(r"akin: written: wrote 2 clusters in \d+\.\d\d s\n", one)
    assert re.fullmatch(r"akin: written: wrote 1 number in \d+\.\d\d s\n", shown(*join, "--count"))


def test_jobs_that_are_saved():
    for words in (
        ("join", "rows.csv", "--on", "name", "--jaccard", "0.5", "-o", "pairs.csv"),
        (
            "link", "rows.csv", "rows.csv", "--all-pairs", "--compare", "name:exact", "--threshold", "1", "-o",
            "pairs.csv"
        ),
    ):
        assert re.search(
            r"^akin: job.json: wrote 1 job in \d+\.\d\d s$", shown(*words, "--save-job", "job.json"), re.MULTILINE
        ), words
        assert shown(*words, "--save-job", "job.json", "-q") == "", words


def test_every_command_says_what_it_wrote():
    column = ("rows.csv", "--on", "name")
    for words, written in (
        (("compare", "--files", "rows.csv", *column, "--scorer", "exact"), ("4 scores",)),
        (("index", *column, "--kind", "documents"), ("4 objects",)),
        (("index", *column, "--kind", "bm25"), ("4 documents",)),
        (("weigh", *column), ("9 weights",)),
        (("weigh", *column, "--vocabulary", "words.tsv"), ("9 weights", "4 terms")),
        (("generate", "sets", "--sets", "1"), ("1 set",)),
        (("generate", "text", "--bytes", "100"), (r"\d\d bytes",)),
        (("generate", "records", "--records", "100", "--gold", "gold.csv"), ("100 records", r"\d+ pairs")),
        (("dictionary", "build", *column), ("4 words",)),
        (("dictionary", "lookup", "words.akin", *column), ("4 ids",)),
    ):
        path = "words.akin" if words[:2] == ("dictionary", "build") else "written"
        said = shown(*words, "-o", path)
        lines = [rf"akin: \S+: wrote {each} in \d+\.\d\d s\n" for each in written]
        progress = r"(\r\x1b\[Kakin: \w+ +\d+ %)*(\r\x1b\[K)?"  # on a machine that is busy
        assert re.fullmatch(progress + "".join(lines), said), (words, said)
        assert subprocess.run([AKIN, *words, "-o", path], check=True, capture_output=True).stderr == b"", words


def test_progress():
    piece = b"".join(b"word%d\n" % i for i in range(200_000))
    text = shown(
        "join", "-", "--input", "text", "--tokens", "words", "--jaccard", "1", "--threads", "1", "--clusters-of", "100",
        "--format", "csv", stdin=(piece, piece), stdout=False
    )
    assert re.search(r"akin: reading  [\d.]+ MB, [\d.]+ [kM]B/s", text), text
    assert text.endswith("\r\x1b[K")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    with open("rows.csv", "w", encoding="utf-8") as file:
        file.write("id,name\na,red green blue\nbb,red green\nc,green blue red\nd,other\n")
    with open("digits.csv", "w", encoding="utf-8") as file:
        file.write("value,name\n0.1234567890123,red green blue\n0.5,red green\n")
    with open("many.csv", "w", encoding="utf-8") as file:
        file.write("name\n" + "the same\n" * 50)
    with open("strange.csv", "w", encoding="utf-8") as file:
        file.write('id,name\n"a ""quoted"", long value that goes on and on, and on and on, far beyond what fits",x\n')
        file.write('"\x1b[31mred\nline",x\nワイド文字,x\nÅngström,x\n')
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            try:
                test()
            except AssertionError:
                print(f"{name} fails:", file=sys.stderr)
                raise
