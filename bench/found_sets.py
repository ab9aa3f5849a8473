"""Makes collections of sets of what a Debian machine has, for bench/held_out.sh: nobody fitted prices to them.

    python3 bench/found_sets.py FOLDER [TITLES]

descriptions  the words of each package's description, as apt knows it
depends       the packages that each package depends on
sources       the words of each Python file below sys.path
code-lines    the words of 200,000 lines of these files
title-words   of TITLES, a text with a title a line: the words of 200,000 of them
title-grams   and the pieces of three characters of 60,000

A file NAME.txt has a set a line, numbers with blanks between. Sets of no token are left out.
"""

import random
import re
import subprocess
import sys
from pathlib import Path

WORD = re.compile(r"\w+")
LINES, GRAMS, FILES = 200_000, 60_000, 12_000


def write(path, sets):
    """Numbers tokens as they come, and writes the sets."""
    numbers = {}
    count = 0
    with open(path, "w") as file:
        for tokens in sets:
            row = sorted({numbers.setdefault(token, len(numbers)) for token in tokens})
            if row:
                file.write(" ".join(map(str, row)) + "\n")
                count += 1
    print(f"{path}: {count} sets of {len(numbers)} tokens")


def words(text):
    return set(WORD.findall(text))


def descriptions(available):
    text = None
    for line in available.splitlines():
        if line.startswith("Description"):
            if text:
                yield words(" ".join(text).lower())
            text = [line.split(":", 1)[1]]
        elif line.startswith(" ") and text is not None:
            text.append(line)
        elif text:
            yield words(" ".join(text).lower())
            text = None


def depends(available):
    for line in available.splitlines():
        if line.startswith("Depends:"):
            names = re.split("[,|]", line.split(":", 1)[1])
            yield {re.sub(r"\(.*?\)", "", name).strip().split(":")[0] for name in names}


def python_texts():
    files = sorted({file for folder in sys.path if folder for file in Path(folder).glob("**/*.py")})
    for file in files[:FILES]:
        yield file.read_text(encoding="utf-8", errors="replace")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    available = subprocess.run(["apt-cache", "dumpavail"], capture_output=True, text=True, errors="replace", check=True)
    write(folder / "descriptions.txt", descriptions(available.stdout))
    write(folder / "depends.txt", depends(available.stdout))
    texts = list(python_texts())
    write(folder / "sources.txt", map(words, texts))
    lines = [line for text in texts for line in text.splitlines() if len(line) > 20]
    random.Random(1).shuffle(lines)
    write(folder / "code-lines.txt", map(words, lines[:LINES]))
    if len(sys.argv) == 3:
        titles = Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()
        random.Random(1).shuffle(titles)
        write(folder / "title-words.txt", (words(title.lower()) for title in titles[:LINES]))
        write(folder / "title-grams.txt", ({t[i : i + 3] for i in range(len(t) - 2)} for t in titles[:GRAMS]))


if __name__ == "__main__":
    main()
