"""Turns a header of include/ into pages: its comments are the text, its declarations stand below them as they are in the header."""

import re
import textwrap

SECTION = re.compile(r"/\* -{20,} (.+) \*/")
NAMES = re.compile(r"\b(akin_[a-z0-9_]+)\s*\((?!\*)|\}\s*(akin_[a-z0-9_]+);|typedef struct \w+ (akin_[a-z0-9_]+);|\(\*(akin_[a-z0-9_]+)\)|#define (AKIN_\w+)")
CONSTANT = re.compile(r"^    (AKIN_\w+)(?: =|,| )", re.MULTILINE)
# Lines that the header has for the compiler alone.
MACHINERY = re.compile(r"#ifndef|#ifdef|#include|#endif|#define AKIN_(?:PAPERS_|GENERATE_)?H$|#define AKIN_API |extern |\}$")


def blocks(text):
    """Pairs of a comment and the declarations below it, as far as no blank line or other comment parts them."""
    comment, code, inside, depth = [], [], False, 0
    for line in [*(line for line in text.splitlines() if not MACHINERY.match(line)), ""]:
        if inside or (depth == 0 and line.startswith("/*")):
            if not inside and (code or comment):
                yield comment, code
                comment, code = [], []
            comment.append(line)
            inside = "*/" not in line
            if not inside and not line.rstrip().endswith("*/"):
                raise SystemExit(f"akin.h: a declaration stands behind a comment: {line}")
        elif line or depth:
            code.append(line)
            depth += line.count("{") - line.count("}")
        elif comment or code:
            yield comment, code
            comment, code = [], []


def plain(comment):
    """The text of a comment, line by line, without what makes it one."""
    joined = "\n".join(comment)
    joined = re.sub(r"^/\*[ ]?|[ ]?\*/$", "", joined)
    return [re.sub(r"^ \*(?: |$)", "", line).rstrip() for line in joined.splitlines()]


class Prose:
    """Comments as Markdown; names of the interface are links to where they are declared."""

    def __init__(self, places):
        self.places = places

    def word(self, text):
        def name(match):
            found = match[0]
            place = self.places.get(found)
            return f"[`{found}`]({place})" if place else f"`{found}`"

        parts = re.split(r"(`[^`]*`|\b(?:akin|AKIN)_\w+\b(?!\.h\b)|docs/[a-z-]+\.md)", text)
        for i, part in enumerate(parts):
            if re.fullmatch(r"(?:akin|AKIN)_\w+", part):
                parts[i] = re.sub(r".+", name, part)
            elif part.startswith("docs/"):
                parts[i] = f"[{part}](../{part})"
            elif not part.startswith("`"):
                parts[i] = re.sub(r"([\\*_<>\[\]|#])", r"\\\1", part)
        return "".join(parts)

    def text(self, lines):
        """Paragraphs; what is indented is a list of terms if it looks like one, and else stands as it is."""
        out, run = [], []

        def end():
            if run and run[0].startswith(" "):
                out.extend(self.indented(run))
            elif run:
                out.append(self.word(" ".join(line.strip() for line in run)))
            run.clear()

        for line in lines:
            if not line or (run and line.startswith(" ") != run[0].startswith(" ")):
                end()
            if line:
                run.append(line)
        end()
        return "\n\n".join(out)

    def indented(self, lines):
        items, lines = [], textwrap.dedent("\n".join(lines)).splitlines()
        for line in lines:
            item = re.match(r"([\w.\"<>/-]+(?: [\w.\"<>/-]+)*) {2,}(\S.*)", line)
            if item:
                items.append([item[1], item[2]])
            elif items and line.startswith("   "):
                items[-1][1] += " " + line.strip()
            else:
                return ["```text\n" + "\n".join(lines) + "\n```"]
        return ["\n".join(f"- **{self.word(term)}**: {self.word(text)}" for term, text in items)]


def names_of(code):
    """What a declaration declares: functions, types, macros; not the members of structs."""
    outer = re.sub(r"\{.*?^\}", "}", re.sub(r"/\*.*?\*/", "", code, flags=re.DOTALL), flags=re.DOTALL | re.MULTILINE)
    return [next(filter(None, match)) for match in NAMES.findall(outer)]


def sections(header):
    """The title of each section with its blocks; before the first title stand the conventions."""
    title, found = "conventions", []
    for comment, code in blocks(header):
        start = SECTION.fullmatch(comment[0]) if comment else None
        if start:
            yield title, found
            title, found = start[1], []
            comment = []
        if comment or code:
            found.append((plain(comment) if comment else [], "\n".join(code)))
    yield title, found


def label(name):
    return f"c-{name.lower()}"


def slug(title):
    return title.replace(" ", "-").lower()


def pages(file, header, introduction, further=()):
    """The pages of a header by name: `index`, which lists them and the further ones, and one for each section."""
    parts = [(title, found) for title, found in sections(header) if found]
    places = {}
    for title, found in parts:
        for _, code in found:
            names = names_of(code)
            for name in [*names, *CONSTANT.findall(code)] if names else ():
                places.setdefault(name, label(names[0]))
    missing = set(re.findall(r"^AKIN_API [^(]*\b(akin_\w+)\(", header, re.MULTILINE)) - places.keys()
    if missing:
        raise SystemExit(f"{file}: no page has {', '.join(sorted(missing))}")
    prose = Prose(places)
    out = {}
    for title, found in parts:
        text = f"# {title[0].upper() + title[1:]}\n"
        for comment, code in found:
            names = names_of(code)
            if names:
                shown = [f"`{name}`" for name in dict.fromkeys(names)]
                text += f"\n({label(names[0])})=\n## {', '.join(shown[:3])}{' ...' if len(shown) > 3 else ''}\n"
            said = prose.text(comment)
            text += f"\n{said}\n" if said else ""
            text += f"\n```c\n{code.replace('AKIN_API ', '')}\n```\n" if code else ""
        out[slug(title)] = text
    listed = "\n".join([*(f"{title[0].upper() + title[1:]} <{slug(title)}>" for title, _ in parts), *further])
    out["index"] = f"{introduction}\n\n```{{toctree}}\n:maxdepth: 2\n\n{listed}\n```\n"
    return out
