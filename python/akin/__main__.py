"""`python -m akin ARGUMENT...` runs the command `akin`."""

from akin_command import main

if __name__ == "__main__":
    main()
