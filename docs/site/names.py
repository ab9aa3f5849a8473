"""Makes the page of names: every table of choices that the libraries have, with its rows."""

import re
import subprocess

HEAD = """# Names

The names that options, plans and functions take. `akin help TABLE` prints a table, and Python lists it by `akin.choices(TABLE)`. C lists it by
`akin_choices`, or by `akin_annex_choices` if a library beside libakin has it. What stands behind a name is its argument; what stands in brackets may be left out.
"""


def _rows(akin, table):
    """The summary of a table, and its rows as (name with its arguments, what it is)."""
    said = subprocess.run([akin, "help", table], capture_output=True, text=True, check=True).stdout
    head, _, body = said.partition("\n\n")
    rows = []
    for line in body.splitlines():
        begins = re.match(r"  (\S+)(?:  +(.*))?$", line)
        if begins:
            rows.append((begins[1], begins[2] or ""))
        elif line.strip() and rows:
            name, what = rows[-1]
            rows[-1] = (name, f"{what} {line.strip()}".strip())
    return head.partition(": ")[2], rows


def page(akin):
    _, tables = _rows(akin, "choices")
    text = HEAD
    for table, _ in tables:
        what, rows = _rows(akin, table)
        text += f"\n## {table}\n\n{what[:1].upper()}{what[1:]}\n\n| name | |\n| --- | --- |\n"
        text += "".join(f"| `{name}` | {said.replace('|', chr(92) + '|')} |\n" for name, said in rows)
    return text
