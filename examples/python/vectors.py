"""Colours as vectors: which named colours are nearest to one, found by hash functions, and how often these find the
same as comparing with all of them does."""

import random

import akin

NAMED = {
    "black": (0, 0, 0), "white": (255, 255, 255), "grey": (128, 128, 128), "silver": (192, 192, 192),
    "red": (255, 0, 0),
    "maroon": (128, 0, 0), "salmon": (250, 128, 114), "orange": (255, 165, 0), "gold": (255, 215, 0),
    "yellow": (255, 255, 0),
    "olive": (128, 128, 0), "lime": (0, 255, 0), "green": (0, 128, 0), "teal": (0, 128, 128), "cyan": (0, 255, 255),
    "navy": (0, 0, 128), "blue": (0, 0, 255), "purple": (128, 0, 128), "magenta": (255, 0, 255),
    "pink": (255, 192, 203),
}  # fmt: skip
names = list(NAMED)

index = akin.Index.build([list(map(float, colour)) for colour in NAMED.values()], kind="vectors", functions=100)
print(index)
asked = {"#ff7f50": (255, 127, 80), "#4169e1": (65, 105, 225), "#f5f5dc": (245, 245, 220)}
found = index.search([list(map(float, colour)) for colour in asked.values()], k=3, rerank=len(names))
for query, object, agree, _, distance in found:
    print(f"{list(asked)[query]}  {names[object]:8} {distance:6.1f}  {agree} of 100 functions agree")

# More of them: colours around 50 others. Each query's true 10 nearest are those of a search that compares with all.
draw = random.Random(4)
centres = [[draw.uniform(0, 255) for _ in range(3)] for _ in range(50)]
many = [[value + draw.gauss(0, 8) for value in draw.choice(centres)] for _ in range(3000)]
index = akin.Index.build(many, kind="vectors", functions=100)
queries = many[::100]
truth = index.search(queries, k=10, rerank=len(many))
print("\ncompared  recall  distance, of the true one")
for rerank in (10, 30, 100, 300):
    report = index.search(queries, k=10, rerank=rerank, truth=truth).stats
    print(f"{rerank:8}  {report['recall']:.3f}   {report['ratio']:.3f}")
