"""Molecules that differ by few atoms and bonds: by graph edits, and by fingerprints.

A molecule is a graph of atoms and bonds. Files of chemistry (MOL, SDF) have it as a table of atoms and one of bonds,
and GXL as XML. Both become the text that akin reads.
"""

from xml.etree import ElementTree

import akin

BONDS = {1: "single", 2: "double", 3: "triple", 4: "aromatic"}

# Records of an SDF: three lines of names, the counts, a line for each atom and each bond, properties, and the end.
SDF = """ethanol
  by hand

  3  2  0  0  0  0            999 V2000
    0.0000    0.0000    0.0000 C   0  0
    1.5000    0.0000    0.0000 C   0  0
    2.2000    1.2000    0.0000 O   0  0
  1  2  1  0
  2  3  1  0
M  END
$$$$
ethylamine
  by hand

  3  2  0  0  0  0            999 V2000
    2.2000    1.2000    0.0000 N   0  0
    1.5000    0.0000    0.0000 C   0  0
    0.0000    0.0000    0.0000 C   0  0
  1  2  1  0
  2  3  1  0
M  END
$$$$
acetaldehyde
  by hand

  3  2  0  0  0  0            999 V2000
    0.0000    0.0000    0.0000 C   0  0
    1.5000    0.0000    0.0000 C   0  0
    2.2000    1.2000    0.0000 O   0  0
  1  2  1  0
  2  3  2  0
M  END
$$$$
acetic acid
  by hand

  4  3  0  0  0  0            999 V2000
    0.0000    0.0000    0.0000 C   0  0
    1.5000    0.0000    0.0000 C   0  0
    2.2000    1.2000    0.0000 O   0  0
    2.2000   -1.2000    0.0000 O   0  0
  1  2  1  0
  2  3  2  0
  2  4  1  0
M  END
$$$$
"""

GXL = """<gxl><graph id="propane">
  <node id="a"><attr name="symbol"><string>C</string></attr></node>
  <node id="b"><attr name="symbol"><string>C</string></attr></node>
  <node id="c"><attr name="symbol"><string>C</string></attr></node>
  <edge from="a" to="b"><attr name="bond"><string>single</string></attr></edge>
  <edge from="b" to="c"><attr name="bond"><string>single</string></attr></edge>
</graph></gxl>"""


def of_mol(block):
    """The name and the graph of a MOL block (V2000)."""
    lines = block.splitlines()
    atoms, bonds = int(lines[3][:3]), int(lines[3][3:6])
    nodes = [line[31:34].strip() for line in lines[4 : 4 + atoms]]
    edges = [
        (int(line[:3]) - 1, int(line[3:6]) - 1, BONDS[int(line[6:9])]) for line in lines[4 + atoms : 4 + atoms + bonds]
    ]
    return lines[0].strip(), nodes, edges


def of_gxl(text):
    """The name and the graph of a GXL document, whose labels are the first attributes."""
    graph = ElementTree.fromstring(text).find("graph")
    nodes = {node.get("id"): node.findtext("attr/*") for node in graph.iter("node")}
    edges = [(edge.get("from"), edge.get("to"), edge.findtext("attr/*")) for edge in graph.iter("edge")]
    return graph.get("id"), nodes, edges


def fingerprint(nodes, edges):
    """A token for each bond and the atoms at its ends."""
    names = nodes if isinstance(nodes, dict) else dict(enumerate(nodes))
    return " ".join(f"{bond}:{'-'.join(sorted((names[a], names[b])))}" for a, b, bond in edges)


molecules = [of_mol(block) for block in SDF.split("$$$$\n") if block.strip()] + [of_gxl(GXL)]
table = {
    "name": [name for name, _, _ in molecules],
    "graph": [akin.graphs.of_edges(nodes, edges) for _, nodes, edges in molecules],
    "bonds": [fingerprint(nodes, edges) for _, nodes, edges in molecules],
}
for name, graph in zip(table["name"], table["graph"], strict=True):
    print(f"{name}: {graph}")

print("\nat most one edit apart:")
for _, _, one, other, distance in akin.graphs.join(table, on="graph", id="name", edits=1):
    print(f"  {one}, {other}: {distance}")

print("\nwhat becomes of acetaldehyde:")
found = akin.graphs.compare(table["graph"][2], table["graph"][3])
for node in found.right_nodes:
    if node.partner is None:
        print(f"  an atom more: {node.label}")
for edge in found.right_edges:
    if edge.partner is None:
        print(f"  a bond more: {edge.label}")

print("\nhalf of the bonds in common:")
for _, _, one, other, *_, similarity in akin.join(table, on="bonds", id="name", tokens="whitespace", jaccard=0.5):
    print(f"  {one}, {other}: {similarity:.2f}")
