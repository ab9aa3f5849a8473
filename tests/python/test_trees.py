"""Trees: joins against Zhang and Shasha on all pairs, mappings that cost as much as they should, and Python code."""

import ast
import json
import pathlib
import random

import pytest

import akin


def random_tree(draw, nodes, labels):
    """(label, children) of that many nodes."""
    children, left = [], nodes - 1
    while left > 0:
        size = draw.randint(1, left)
        children.append(random_tree(draw, size, labels))
        left -= size
    return draw.choice(labels), children


def edited(draw, tree, labels):
    """A tree with one random edit of a node, or of a child of it."""
    label, children = tree
    if children and draw.random() < 0.6:
        at = draw.randrange(len(children))
        return label, [*children[:at], edited(draw, children[at], labels), *children[at + 1 :]]
    kind = draw.randrange(3)
    if kind == 0:
        return draw.choice(labels), children
    if kind == 1 and children:
        at = draw.randrange(len(children))
        return label, [*children[:at], *children[at][1], *children[at + 1 :]]
    begin = draw.randint(0, len(children))
    end = draw.randint(begin, len(children))
    return label, [*children[:begin], (draw.choice(labels), children[begin:end]), *children[end:]]


def brackets(tree):
    return "{" + tree[0] + "".join(map(brackets, tree[1])) + "}"


def flat(tree):
    """Labels and first leaves in postorder."""
    labels, first = [], []

    def walk(node):
        firsts = [walk(child) for child in node[1]]
        labels.append(node[0])
        first.append(firsts[0] if firsts else len(labels) - 1)
        return first[-1]

    walk(tree)
    return labels, first


def zhang_shasha(a, b):
    (la, fa), (lb, fb) = flat(a), flat(b)
    of = [[0] * len(lb) for _ in la]
    for i in range(len(la)):
        for j in range(len(lb)):
            rows, columns = i - fa[i] + 2, j - fb[j] + 2
            f = [[x + y for y in range(columns)] for x in range(rows)]
            for x in range(1, rows):
                for y in range(1, columns):
                    p, q = fa[i] + x - 1, fb[j] + y - 1
                    if fa[p] == fa[i] and fb[q] == fb[j]:
                        match = f[x - 1][y - 1] + (la[p] != lb[q])
                    else:
                        match = f[fa[p] - fa[i]][fb[q] - fb[j]] + of[p][q]
                    f[x][y] = min(f[x - 1][y] + 1, f[x][y - 1] + 1, match)
            of[i][j] = f[-1][-1]
    return of[-1][-1]


def collection(seed, rows=40, labels="abcd"):
    draw = random.Random(seed)
    trees = []
    for _ in range(rows):
        if trees and draw.random() < 0.5:
            tree = draw.choice(trees)
            for _ in range(draw.randint(0, 4)):
                tree = edited(draw, tree, labels)
        else:
            tree = random_tree(draw, draw.randint(1, 12), labels)
        trees.append(tree)
    return trees


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("edits", [0, 1, 3, 6])
def test_join_is_zhang_and_shasha(seed, edits):
    trees = collection(seed)
    texts = [brackets(tree) for tree in trees]
    found = akin.trees.join(texts, edits=edits, threads=1 + seed % 2)
    expected = [
        (i, j, d)
        for i in range(len(trees))
        for j in range(i + 1, len(trees))
        if (d := zhang_shasha(trees[i], trees[j])) <= edits
    ]
    assert list(zip(found["left"], found["right"], found["distance"])) == expected
    assert found.stats["pairs_found"] == len(expected) and found.stats["rows_left"] == len(trees)
    two = akin.trees.join(texts[:15], texts[15:], edits=edits)
    assert list(zip(two["left"], two["right"], two["distance"])) == [
        (i, j - 15, d) for i, j, d in expected if i < 15 <= j
    ]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("edits", [None, 3])
def test_top_is_the_nearest(seed, edits):
    trees = collection(seed, rows=25)
    texts = [brackets(tree) for tree in trees]
    found = akin.trees.join(texts, edits=edits, top=3, threads=2)
    expected = []
    for i, tree in enumerate(trees):
        near = sorted((zhang_shasha(tree, other), j) for j, other in enumerate(trees) if j != i)[:3]
        expected += [(i, j, d) for d, j in near if edits is None or d <= edits]
    assert list(zip(found["left"], found["right"], found["distance"])) == expected


@pytest.mark.parametrize("seed", range(3))
def test_distance_and_mapping(seed):
    draw = random.Random(seed)
    for _ in range(60):
        a = random_tree(draw, draw.randint(1, 12), "abc")
        b = edited(draw, edited(draw, a, "abc"), "abc") if draw.random() < 0.5 else random_tree(draw, 9, "abc")
        expected = zhang_shasha(a, b)
        assert akin.trees.distance(brackets(a), brackets(b)) == expected
        assert akin.trees.distance(brackets(a), brackets(b), most=expected) == expected
        if expected:
            assert akin.trees.distance(brackets(a), brackets(b), most=expected - 1) is None
        found = akin.trees.compare(brackets(a), brackets(b))
        lost = sum(node.partner is None for node in found.left + found.right)
        renamed = sum(n.partner is not None and found.right[n.partner].label != n.label for n in found.left)
        assert found.distance == expected == lost + renamed
        partners = [node.partner for node in found.left if node.partner is not None]
        assert partners == sorted(set(partners))
        assert all(found.right[n.partner].partner == i for i, n in enumerate(found.left) if n.partner is not None)


def test_json_members_by_key_or_as_written():
    a, b = {"name": "Ann", "tags": [1, 2]}, {"tags": [1, 2], "name": "Ann"}
    texts = [json.dumps(a), json.dumps(b)]
    assert akin.trees.distance(*texts, format="json") == 0
    assert akin.trees.distance(*texts, format="json-written") == 4
    assert [node.label for node in akin.trees.compare(texts[0], "0", format="json").left] == [
        "{}", '"name":', '"Ann"', '"tags":', "[]", "1", "2"
    ]  # fmt: skip


def test_columns_ids_and_nulls():
    table = {"id": ["p", "q", "r", "s"], "tree": ["{a{b}}", None, " ", "{a}"], "note": ["x", "y", "z", "w"]}
    found = akin.trees.join(table, on="tree", id="id", edits=1, show="note")
    assert found.to_dict() == {
        "left": [0], "right": [3], "left_id": ["p"], "right_id": ["s"], "distance": [1], "left_note": ["x"],
        "right_note": ["w"],
    }  # fmt: skip
    assert len(akin.trees.join([], edits=3)) == 0


def test_python_code():
    source = pathlib.Path(__file__).read_text(encoding="utf-8")
    tree = akin.trees.of_python(source)
    assert akin.trees.distance(tree, akin.trees.of_python(ast.parse(source))) == 0
    assert akin.trees.distance(tree, akin.trees.of_python(source + "\n# a comment\n")) == 0
    assert akin.trees.distance(tree, akin.trees.of_python(source.replace("def flat(tree)", "def even(tree)", 1))) == 1
    assert akin.trees.of_python("'{\\\\}'") == "{Module{Expr{Constant{'\\{\\\\\\\\\\}'}}}}"
    with pytest.raises(SyntaxError):
        akin.trees.of_python("def")
    deep = akin.trees.of_python("-" * 80 + "1")
    assert akin.trees.distance(deep, akin.trees.of_python("-" * 78 + "1")) == 4


def random_document(draw, depth=0):
    name = draw.choice(["a", "b", "c:d", "_e-1"])
    keys = draw.sample(["x", "y", "k.1", "aa"], draw.randint(0, 3))
    attributes = "".join(
        f"{draw.choice(' ' + chr(10))}{key}{draw.choice(['=', ' = '])}"
        + draw.choice(['"{}"', "'{}'"]).format("".join(draw.choices(["v", " ", "&lt;", "&#x41;", "\t", "é", "1"], k=3)))
        for key in keys
    )
    texts = ["t", " ", "\n", "&amp;", "&#65;", "{", "\\", "é", "<!-- x -->", "<?p q?>", "<![CDATA[<&]]>", "]", ">"]
    content = "".join(
        random_document(draw, depth + 1) if depth < 3 and draw.random() < 0.3 else draw.choice(texts)
        for _ in range(draw.randint(0, 5))
    )
    return f"<{name}{attributes}/>" if not content else f"<{name}{attributes}>{content}</{name}>"


@pytest.mark.parametrize("seed", range(4))
def test_xml_is_that_of_expat(seed):
    """Whole documents, and those with a random change: both readers take them, with the same tree, or neither does."""
    draw, taken = random.Random(seed), 0
    for _ in range(400):
        source = draw.choice(["", " ", "<?xml version='1.0'?>", "<!-- -->"]) + random_document(draw)
        if draw.random() < 0.5:
            at = draw.randrange(len(source))
            change = draw.choice(["", "<", ">", "&", '"', "'", "/", "-", "]]>", "=", "a", "\x01"])
            source = source[:at] + change + source[at + draw.randrange(2) :]
        if source.count("<?xml") != source.startswith("<?xml version='1.0'?>"):
            continue  # what a declaration says is not checked
        try:
            tree = akin.trees.of_xml(source)
        except akin.InputError:
            with pytest.raises(akin.InputError):
                akin.trees.distance(source, source, format="xml")
            continue
        ours = akin.trees.compare(source, source, format="xml").left
        theirs = akin.trees.compare(tree, tree).left
        assert [(node.label, node.depth) for node in ours] == [(node.label, node.depth) for node in theirs], source
        taken += 1
    assert taken > 150


def test_documents():
    of = akin.trees.of_xml
    assert of("<a/>") == "{<a>}"
    assert of('<a y="2" x="1">t<b> {u} &amp; </b>\n v</a>') == '{<a>{x={"1"}}{y={"2"}}{"t"}{<b>{"\\{u\\} &"}}{"v"}}'
    assert akin.trees.distance(of("<a><b>1</b><c/></a>"), of("<a><!-- x --><b>2</b>\n</a>")) == 2
    deep = of("<a>" * 100000 + "</a>" * 100000)
    assert akin.trees.distance(deep, of("<a>" * 99999 + "</a>" * 99999)) == 1
    page = akin.trees.of_html
    assert page("") == "{<#document>}"
    assert page("</b><i>x</i></i>") == '{<#document>{<i>{"x"}}}'
    assert page("<ul><li>a<li>b</ul><hr/>") == '{<#document>{<ul>{<li>{"a"}{<li>{"b"}}}}{<hr>}}'
    assert page("<IMG SRC='x' alt>y") == '{<#document>{<img>{alt={""}}{src={"x"}}}{"y"}}'


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: akin.trees.join(["{a}", "{b"], edits=1), akin.InputError, "row 1: byte 3: expected }"),
        (lambda: akin.trees.join(["{a}"]), akin.OptionError, "expected edits, the largest distance, or top"),
        (lambda: akin.trees.join(["{a}"], top=0), akin.OptionError, "top is 0"),
        (lambda: akin.trees.join(["{a}"], edits=-1), akin.OptionError, "edits is -1"),
        (lambda: akin.trees.join(["{a}"], edits=1, format="yaml"), akin.OptionError, "yaml"),
        (lambda: akin.trees.join({"a": ["{a}"], "b": ["{a}"]}, on=["a", "b"], edits=1), akin.OptionError, "one"),
        (lambda: akin.trees.join(["{a}"], edit=1), TypeError, "did you mean edits"),
        (lambda: akin.trees.distance("{a}", "a"), akin.InputError, "the right tree: byte 1: expected a tree"),
        (lambda: akin.trees.distance("{a}", ""), akin.InputError, "the right tree: expected a tree, not blanks"),
        (lambda: akin.trees.distance("{a}", 3), TypeError, "expected two trees as str, got int"),
        (lambda: akin.trees.distance("{a}", "{\ud800}"), akin.InputError, "half of a surrogate pair"),
        (lambda: akin.trees.of_xml("<a>\n<b></a>"), akin.InputError, "line 2: mismatched tag"),
        (lambda: akin.trees.of_xml('<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>'), akin.InputError, "the entity e"),
        (lambda: akin.trees.compare("1", "[1", format="json"), akin.InputError, "the right tree: byte 3"),
    ],
)
def test_refusals(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_jobs(tmp_path):
    (tmp_path / "trees.txt").write_text("{a{b}}\n{a}\n{c{d{e}}}\n", encoding="utf-8")
    job = {"akin": "join", "version": 1, "input": [str(tmp_path / "trees.txt")], "tree-edits": 1}
    found = akin.run(job)
    assert found.to_dict() == {"left": [0], "right": [1], "distance": [1]}
    assert akin.run(job, tree_edits=0).to_dict() == {"left": [], "right": [], "distance": []}
    assert akin.run(job | {"tree-edits": True, "top": 1}).to_dict()["right"] == [1, 0, 0]
    compare = {"akin": "compare", "version": 1, "input": ["{a{b}}", "{a}"], "scorer": "tree-edits"}
    assert akin.run(compare) == 1
    assert akin.run(compare | {"mapping": True}).right[0].partner == 0


def test_peers():
    """zss and apted have the same distances."""
    zss, apted = pytest.importorskip("zss"), pytest.importorskip("apted")
    helpers = pytest.importorskip("apted.helpers")

    def of_zss(tree):
        return zss.Node(tree[0], [of_zss(child) for child in tree[1]])

    draw = random.Random(5)
    for _ in range(150):
        a = random_tree(draw, draw.randint(1, 20), "abcd")
        b = edited(draw, a, "abcd") if draw.random() < 0.5 else random_tree(draw, draw.randint(1, 20), "abcd")
        ours = akin.trees.distance(brackets(a), brackets(b))
        assert ours == zss.simple_distance(of_zss(a), of_zss(b))
        trees = [helpers.Tree.from_text(brackets(tree)) for tree in (a, b)]
        assert ours == apted.APTED(*trees).compute_edit_distance()


def test_index(tmp_path):
    """An index finds what a join finds, also when it was saved; and says what is proven."""
    draw = random.Random(11)
    trees = [brackets(random_tree(draw, draw.randint(1, 25), "abcd")) for _ in range(60)] + ["", None]
    asked = [brackets(edited(draw, random_tree(draw, draw.randint(1, 25), "abcd"), "abcdq")) for _ in range(12)]
    index = akin.trees.index({"t": trees, "n": [f"t{i}" for i in range(62)]}, "t", id="n", threads=1)
    index.save(tmp_path / "trees.akin")
    opened = akin.Index.open(tmp_path / "trees.akin")
    assert opened.kind == "trees" and len(opened) == 62
    for within in (None, 3, 20):
        best = akin.trees.join(asked, trees, edits=within, top=4)
        found = index.search(asked, k=4, within=within)
        assert found == opened.search(asked, k=4, within=within)
        assert found["query"] == best["left"] and found["object"] == best["right"]
        assert found["distance"] == best["distance"] and "none" not in found["certificate"]
        assert found["id"] == [f"t{row}" for row in found["object"]]
    few = index.search(asked, k=4, candidates=1, one_round=True)
    assert set(few["certificate"]) <= {"none", "by count", "by scan"} and "none" in few["certificate"]
    with pytest.raises(akin.OptionError, match="within is for trees"):
        akin.Index.build(["red"], kind="strings").search("red", within=2)
    with pytest.raises(akin.OptionError, match="not extended"):
        index.append({"t": ["{a}"], "n": ["x"]}, "t", id="n")
    with pytest.raises(akin.InputError, match="expected"):
        akin.trees.index(["{a"])
