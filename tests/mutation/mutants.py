"""Makes mutants of C: the same text with one small change, such as < for <=.

What it knows of C are tokens. A binary operator has a blank on both sides, which clang-format sees to. Nothing is
changed in comments, strings, lines of the preprocessor, static assertions, the sizes of arrays that are declared, and
in calls that reserve memory or say what went wrong. Nor does < become <= in `a < b ? a : b`, which is the same."""
import bisect
import dataclasses
import hashlib
import re

# Each kind of token, the first that fits.
TOKEN = re.compile(
    r"""(?P<left>/\*.*?\*/|//[^\n]*|^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<name>[A-Za-z_]\w*)
    |(?P<number>(?:0[xX][0-9a-fA-F]+|[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?|[0-9]+(?:[eE][-+]?[0-9]+)?)[uUlLfF]*)
    |(?P<sign><<=|>>=|\.\.\.|<<|>>|<=|>=|==|!=|&&|\|\||->|\+\+|--|[-+*/%&|^]=|[-+*/%&|^<>=!~?:;,.(){}\[\]])
    |(?P<blank>\s+)""",
    re.S | re.M | re.X,
)
FUNCTION = re.compile(r"\b(\w+)\((?:[^;{}()]|\([^;{}()]*\))*\)\s*\n\{", re.S)
# Their arguments stay as they are.
SPARED = re.compile(r"_Static_assert|static_assert|sizeof|akin_(alloc|zalloc|realloc|grow|reserve|fail|note)\w*")
RELATIONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
LOGIC = {"&&": "||", "||": "&&"}
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "|"}
ASSIGNMENTS = {"+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=", "<<=": ">>=", ">>=": "<<="}
# The smaller or the larger of two, which is the same by < and by <=.
SMALLER = re.compile(r"(?<![\w.>\])])([\w.>\[\]-]+) ([<>]=?) ([\w.>\[\]-]+) \? (?:\1 : \3|\3 : \1)(?![\w.(\[-])")
LARGEST = re.compile(r"(?:(?<=_)|^|(?<=mm_)|(?<=256_)|(?<=512_))(f?)(min|max)(?=_|$)")


@dataclasses.dataclass(frozen=True)
class Mutant:
    file: str
    line: int  # from 1 on
    kind: str
    function: str
    was: str  # the lines, without indentation
    now: str
    begin: int
    end: int
    put: str  # in place of text[begin:end]

    def name(self):
        """What stays the same when other lines change."""
        return f"{self.file}: {self.function}: {self.was} => {self.now}"

    def of(self, text):
        return text[: self.begin] + self.put + text[self.end :]


@dataclasses.dataclass(frozen=True)
class Token:
    kind: str
    text: str
    begin: int
    end: int
    is_spaced: bool  # a blank on both sides


def tokens_of(text):
    """The tokens of code, in order; what else there is has been left out."""
    tokens, at = [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise ValueError(f"not a token of C: {text[at : at + 20]!r}")
        if match.lastgroup not in ("left", "blank"):
            is_spaced = text[at - 1 : at].isspace() and text[match.end() : match.end() + 1].isspace()
            tokens.append(Token(match.lastgroup, match.group(), at, match.end(), is_spaced))
        at = match.end()
    return tokens


def _closing(tokens, at):
    """Where the bracket is closed that is opened at a token."""
    depth = 0
    for i in range(at, len(tokens)):
        depth += tokens[i].text in "([{"
        depth -= tokens[i].text in ")]}"
        if depth == 0:
            return i
    raise ValueError("a bracket that is not closed")


def _numbers(token):
    """A number one larger, and one smaller unless it is 0."""
    match = re.fullmatch(r"([0-9]+)([uUlL]*)", token.text)
    if not match or (len(match[1]) > 1 and match[1].startswith("0")):
        return
    value = int(match[1])
    yield f"{value + 1}{match[2]}"
    if value > 0:
        yield f"{value - 1}{match[2]}"


def _changes_of_sign(token):
    if not token.is_spaced:
        return
    for kind, table in (("relation", RELATIONS), ("logic", LOGIC), ("arithmetic", ARITHMETIC), ("sum", ASSIGNMENTS)):
        if token.text in table:
            yield kind, token.begin, token.end, table[token.text]


def _changes_of_name(tokens, i, text):
    token, after = tokens[i], tokens[i + 1 : i + 3]
    if token.text == "if" and after[0].text == "(" and after[1].text != "!":
        first, last = tokens[i + 1].begin, tokens[_closing(tokens, i + 1)].end
        yield "condition", first, last, f"(!{text[first:last]})"
    elif token.text in ("break", "continue", "return") and after[0].text == ";":
        yield "jump", token.begin, token.end, ""
    elif token.text == "return" and after[0].kind != "number":
        last = next(k for k in range(i, len(tokens)) if tokens[k].text == ";")
        yield "return", after[0].begin, tokens[last].begin, "0"
    elif after[0].text == "(" and LARGEST.search(token.text):
        swapped = LARGEST.sub(lambda m: m[1] + {"min": "max", "max": "min"}[m[2]], token.text)
        yield "min-max", token.begin, token.end, swapped


def _changes(tokens, text):
    spared = -1  # up to this token nothing is changed
    tokens = tokens + [Token("end", "", len(text), len(text), False)] * 2  # for those that look at the next ones
    for i, token in enumerate(tokens[:-2]):
        if i <= spared:
            continue
        if token.kind == "name" and SPARED.fullmatch(token.text) and tokens[i + 1].text == "(":
            spared = _closing(tokens, i + 1)
        elif token.kind == "name":
            yield from _changes_of_name(tokens, i, text)
        elif token.text == "[" and i > 1 and tokens[i - 1].kind == "name" and tokens[i - 2].kind == "name":
            spared = _closing(tokens, i) if tokens[i - 2].text != "return" else spared
        elif token.text == "!":
            yield "not", token.begin, token.end, ""
        elif token.kind == "number":
            for number in _numbers(token):
                yield "constant", token.begin, token.end, number
        elif token.kind == "sign":
            yield from _changes_of_sign(token)


def mutants_of(file, text):
    """All mutants of a file, in the order of their places."""
    lines = [0] + [match.end() for match in re.finditer("\n", text)]
    smaller = {match.start(2) for match in SMALLER.finditer(text)}
    functions = [(match.end(), match[1]) for match in FUNCTION.finditer(text)]
    found = []
    for kind, begin, end, put in _changes(tokens_of(text), text):
        if kind == "relation" and begin in smaller:
            continue
        first = bisect.bisect_right(lines, begin) - 1
        stop = text.index("\n", end)
        known = [name for at, name in functions if at <= begin]
        was = text[lines[first] : stop]
        now = text[lines[first] : begin] + put + text[end:stop]
        shorter = (re.sub(r"\s+", " ", line).strip() for line in (was, now))
        found.append(Mutant(file, first + 1, kind, known[-1] if known else "-", *shorter, begin, end, put))
    return found


def drawn(mutants, limit, seed):
    """As many of them at random; the same ones where other lines of the file have changed."""
    seen, order = {}, []
    for mutant in mutants:
        name = mutant.name()
        seen[name] = seen.get(name, 0) + 1
        order.append((hashlib.sha256(f"{seed}: {name}: {seen[name]}".encode()).digest(), mutant))
    order.sort(key=lambda pair: pair[0])
    return sorted((mutant for _, mutant in order[:limit]), key=lambda mutant: (mutant.begin, mutant.put))


def users_of(name, headers):
    """The functions through which a function of a header is called in other headers, itself among them."""
    bodies = []
    for text in headers:
        found = [(match.start(1), match[1]) for match in FUNCTION.finditer(text)]
        ends = [at for at, _ in found[1:]] + [len(text)]
        bodies += [(function, text[at:end]) for (at, function), end in zip(found, ends)]
    users = {name}
    while True:
        word = re.compile(rf"\b(?:{'|'.join(users)})\b")
        more = {function for function, body in bodies if function not in users and word.search(body)}
        if not more:
            return users
        users |= more
