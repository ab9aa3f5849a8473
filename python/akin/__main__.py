"""`python -m akin ARGUMENT...` runs the command `akin`, which pip installs beside the package."""

import os
import sys

from ._program import program


def main() -> None:
    found = program()
    if found is None:
        sys.exit("akin: the command is not installed beside the package: pip install --force-reinstall akin")
    os.execv(found, ["akin", *sys.argv[1:]])


main()
