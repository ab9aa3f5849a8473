"""C as the lint scripts read it: blanks replace all but code."""
import re

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')


def _blank(match):
    """The line ends of what is cut out, so that lines keep their numbers."""
    return "\n" * match.group().count("\n")


def without_comments(text):
    return COMMENT.sub(_blank, text)


def code_of(text):
    """C without comments, its strings empty."""
    return STRING.sub('""', without_comments(text))
