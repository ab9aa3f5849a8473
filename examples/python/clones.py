"""Functions that somebody copied and changed a little, and configurations that are nearly the same.

Both are trees. A name, a number or a statement more is a few edits, whatever the layout, the comments and the order of
members.
"""

import ast
import json

import akin

SOURCES = {
    "prices.py": '''
def total(prices, rate):
    """What a customer pays."""
    amount = 0
    for price in prices:
        amount += price * (1 + rate)
    return round(amount, 2)


def cheapest(prices):
    return min(prices, default=None)
''',
    "weights.py": """
def total(weights, tare):   # in grams
    amount = 0
    for weight in weights:
        amount += weight * (1 + tare)
    return round(amount, 3)


def names(parts):
    return [part.name for part in parts if part.name]
""",
}

functions = [
    (f"{path}:{node.lineno} {node.name}", node)
    for path, source in SOURCES.items()
    for node in ast.walk(ast.parse(source))
    if isinstance(node, ast.FunctionDef)
]
table = {"name": [name for name, _ in functions], "tree": [akin.trees.of_python(node) for _, node in functions]}
print("clones")
for _, _, one, other, distance in akin.trees.join(table, on="tree", id="name", edits=12):
    print(f"  {one} and {other}: {distance} edits")

servers = [
    {"host": "north", "port": 80, "tags": ["web", "old"], "limits": {"users": 100}},
    {"port": 80, "host": "north", "limits": {"users": 100}, "tags": ["web"]},
    {"host": "south", "port": 22, "tags": []},
    {"host": "north", "port": 8080, "tags": ["web", "old"], "limits": {"users": 100}},
]
texts = [json.dumps(server) for server in servers]
print("configurations")
for left, right, _ in akin.trees.join(texts, edits=4, format="json"):
    found = akin.trees.compare(texts[left], texts[right], format="json")
    lost = [node.label for node in found.left if node.partner is None]
    come = [node.label for node in found.right if node.partner is None]
    changed = [
        f"{node.label} -> {found.right[node.partner].label}"
        for node in found.left
        if node.partner is not None and found.right[node.partner].label != node.label
    ]
    print(f"  {left} and {right}: without {lost}, with {come}, changed {changed}")
