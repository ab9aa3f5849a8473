"""Graphs: joins against every pair by brute force, mappings that cost as much as they should, and texts of edges."""

import itertools
import random

import pytest

import akin


def random_graph(draw, count, labels="abc"):
    nodes = [draw.choice(labels) for _ in range(count)]
    pairs = itertools.combinations(range(count), 2)
    return nodes, {pair: draw.choice(labels) for pair in pairs if draw.random() < 0.4}


def edited(draw, graph, edits, labels="abc"):
    nodes, edges = list(graph[0]), dict(graph[1])
    for _ in range(edits):
        kind = draw.randrange(3)
        if kind == 0:
            nodes[draw.randrange(len(nodes))] = draw.choice(labels)
        elif kind == 1 and edges:
            edges.pop(draw.choice(sorted(edges)))
        elif len(nodes) > 1:
            edges[tuple(sorted(draw.sample(range(len(nodes)), 2)))] = draw.choice(labels)
    return nodes, edges


def shuffled(draw, graph):
    nodes, edges = graph
    place = draw.sample(range(len(nodes)), len(nodes))
    order = sorted(range(len(nodes)), key=place.__getitem__)
    return [nodes[i] for i in order], {tuple(sorted((place[i], place[j]))): x for (i, j), x in edges.items()}


def text(graph):
    return akin.graphs.of_edges(graph[0], [(*pair, label) for pair, label in graph[1].items()])


def brute_force(a, b):
    """The least cost of all mappings of the nodes of the smaller graph, which need none of them deleted."""
    if len(a[0]) > len(b[0]):
        a, b = b, a
    least = None
    for images in itertools.permutations(range(len(b[0])), len(a[0])):
        cost = len(b[0]) - len(a[0]) + sum(a[0][i] != b[0][image] for i, image in enumerate(images))
        kept = 0
        for (i, j), label in a[1].items():
            other = b[1].get(tuple(sorted((images[i], images[j]))))
            cost += label != other
            kept += other is not None
        cost += len(b[1]) - kept
        least = cost if least is None else min(least, cost)
    return least


def collection(seed, rows, least, most):
    draw = random.Random(seed)
    graphs = []
    for _ in range(rows):
        if graphs and draw.random() < 0.6:
            graph = edited(draw, draw.choice(graphs), draw.randrange(4))
        else:
            graph = random_graph(draw, draw.randint(least, most))
        graphs.append(shuffled(draw, graph))
    return graphs


@pytest.mark.parametrize("seed", range(4))
def test_joins_are_those_of_brute_force(seed):
    graphs = collection(seed, 24, 1, 5)
    texts = [text(graph) for graph in graphs]
    edits = seed + 1
    found = akin.graphs.join(texts, edits=edits, threads=1 + seed % 2)
    expected = [
        (i, j, d)
        for i, j in itertools.combinations(range(len(graphs)), 2)
        if (d := brute_force(graphs[i], graphs[j])) <= edits
    ]
    columns = found.to_dict()
    assert list(zip(columns["left"], columns["right"], columns["distance"], strict=True)) == expected
    assert found.stats["pairs_found"] == len(expected) and found.stats["rows_left"] == len(graphs)
    two = akin.graphs.join(texts[:10], texts[10:], edits=edits).to_dict()
    assert list(zip(two["left"], two["right"], two["distance"], strict=True)) == [
        (i, j - 10, d) for i, j, d in expected if i < 10 <= j
    ]


def test_larger_graphs_by_the_index_and_by_pairs():
    draw = random.Random(5)
    graphs = [random_graph(draw, draw.randint(12, 16), "abcdefgh") for _ in range(30)]
    graphs += [shuffled(draw, edited(draw, graph, draw.randrange(4), "abcdefgh")) for graph in graphs]
    texts = [text(graph) for graph in graphs]
    for edits in (0, 1, 3):
        found = akin.graphs.join(texts, edits=edits).to_dict()
        expected = [
            (i, j, d)
            for i, j in itertools.combinations(range(len(texts)), 2)
            if (d := akin.graphs.distance(texts[i], texts[j], most=edits)) is not None
        ]
        assert list(zip(found["left"], found["right"], found["distance"], strict=True)) == expected
    assert len(expected) >= 30


def test_mappings_cost_the_distance():
    draw = random.Random(3)
    for _ in range(40):
        a, b = random_graph(draw, draw.randint(1, 5)), random_graph(draw, draw.randint(1, 5))
        expected = brute_force(a, b)
        found = akin.graphs.compare(text(a), text(b))
        assert found.distance == expected == akin.graphs.distance(text(b), text(a))
        assert expected == 0 or akin.graphs.distance(text(a), text(b), most=expected - 1) is None
        cost = 0
        for left, right in ((found.left_nodes, found.right_nodes), (found.left_edges, found.right_edges)):
            cost += sum(item.partner is None for item in (*left, *right))
            cost += sum(item.partner is not None and item.label != right[item.partner].label for item in left)
        assert cost == expected


def test_pairs_beyond_the_budget():
    ring = "a a a a a a; 0-1 1-2 2-3 3-4 4-5 5-0"
    rings = "a a a a a a; 0-1 1-2 2-0 3-4 4-5 5-3"
    assert akin.graphs.distance(ring, rings, budget=None) == 4
    with pytest.raises(akin.LimitError, match="row 0 and row 1"):
        akin.graphs.join([ring, rings], edits=4, budget=2)
    with pytest.raises(akin.LimitError, match="2 states"):
        akin.graphs.distance(ring, rings, budget=2)
    found = akin.graphs.join([ring, rings, "a"], edits=4, budget=2, undecided=True)
    assert found.to_dict() == {"left": [0], "right": [1], "distance": [None]}
    assert found.stats["undecided"] == 1 and found.stats["pairs_found"] == 0


def test_tables_and_wrong_arguments():
    table = {"id": ["p", "q"], "graph": ["a b; 0-1", None], "note": ["x", "y"]}
    assert len(akin.graphs.join(table, on="graph", id="id", edits=9, show="note")) == 0
    assert len(akin.graphs.join([], edits=3)) == 0
    with pytest.raises(akin.InputError, match="byte 8"):
        akin.graphs.join(["a b; 0-2"], edits=1)
    with pytest.raises(akin.OptionError, match="expected one"):
        akin.graphs.join(table, on=["id", "graph"], edits=1)
    with pytest.raises(akin.OptionError, match="budget"):
        akin.graphs.join(["a"], edits=1, budget=0)
    with pytest.raises(TypeError, match="two graphs"):
        akin.graphs.distance("a", 1)
    with pytest.raises(akin.InputError, match="surrogate"):
        akin.graphs.distance("\ud800", "a")


def test_texts_of_edges():
    assert akin.graphs.of_edges(["a"]) == "a"
    assert akin.graphs.of_edges(["a b", '"', "", 7], [(0, 1), (3, 1, "x;y")]) == '"a b" "\\"" "" 7; 0-1 3-1:"x;y"'
    labels = ["a", "\\", 'x"\\ ', ";", "\u00e9\n"]
    found = akin.graphs.compare(akin.graphs.of_edges(labels, [(0, 1, label) for label in labels[:1]]), "a")
    assert [node.label for node in found.left_nodes] == labels
    with pytest.raises(akin.OptionError, match="4 values"):
        akin.graphs.of_edges(["a"], [(0, 0, "", 1)])
    with pytest.raises(akin.OptionError, match="nodes that are there"):
        akin.graphs.of_edges({"x": "a"}, [("x", "y")])


def test_jobs(tmp_path):
    path = tmp_path / "graphs.txt"
    path.write_text("a b; 0-1\na c; 0-1\n")
    job = {"akin": "join", "version": 1, "input": [str(path)], "graph-edits": 1, "budget": 1, "undecided": True}
    assert akin.run(job).to_dict()["distance"] == [None]
    assert akin.run({**job, "budget": 1000}).to_dict()["distance"] == [1]
    two = {"akin": "compare", "version": 1, "input": ["a b; 0-1", "a c; 0-1"], "scorer": "graph-edits"}
    assert akin.run(two) == 1
    assert akin.run({**two, "mapping": True}).left_nodes[1] == akin.graphs.Node("b", 1)
