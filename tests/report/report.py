"""
The page that akin dedupe --report writes, in Chromium: it loads without a complaint and without any network, says what
the command's other outputs say, can be searched, sorted and gone through by keys, is as wide as its window, light and
dark, and whatever records hold stays text. Skipped (exit status 77) where there is no Chromium with chromedriver.

    report.py AKIN [SCREENSHOTS]

SCREENSHOTS is a folder in which pictures of the pages are left, for people to look at.
"""

import csv
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import unittest
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Absent, Browser  # noqa: E402

AKIN = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else "akin"
SHOTS = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
THRESHOLD = 0.75

# What would rather be something else than text.
HOSTILE = ["</script><script>window.hacked=1</script>", '"><img src=x onerror=window.hacked=1>',
           "'onclick='window.hacked=1",
           "<!-- <script>", "{{title}}{{#gold}}", "a\u2028b\u2029c", "tab\tline\nend", "\u202eright to left",
           "\u2067isolate",
           "\u05e9\u05dc\u05d5\u05dd", "zero\u200bwidth", "no\u00a0break", "&amp;&lt;&#0;", "Zoe\u0308", "\ufeffmark",
           "${x}`y`",
           "javascript:alert(1)", "x" * 4000 + "1" + "y" * 4000, "\U0001f469\u200d\U0001f467", "'; DROP TABLE--",
           "\\u003cb>",
           "]]>", "bell\u0007", "del\u007f", "<svg/onload=window.hacked=1>", "</td></tr></table>", "</title>",
           "</style>"]


def make_records():
    draw = random.Random(1)
    first = ["anna", "bernd", "carla", "dieter", "emma", "franz", "greta", "hans", "ines", "jan"]
    last = ["ahrens", "becker", "clausen", "dietrich", "ebert", "fischer", "gross", "hoffmann", "jansen", "keller"]
    records, gold = [], []
    for i in range(150):
        name = draw.choice(first) + " " + draw.choice(last)
        record = {
            "id": f"r{i}", "name": name, "city": draw.choice(["bonn", "köln", "ulm", None]),
            "born": f"19{draw.randrange(10, 99)}-05-{draw.randrange(10, 28)}"
        }
        records.append(record)
        for copy in range(draw.choice([0, 0, 1, 1, 2])):
            at = draw.randrange(len(name))
            other = dict(
                record, id=f"r{i}-{copy}", name=name[:at] + draw.choice("xyz") + name[at + draw.choice([0, 1]):]
            )
            if draw.random() < 0.3:
                other["city"] = "wien"
            records.append(other)
            gold.append((record["id"], other["id"]))
    for i, text in enumerate(HOSTILE):
        pair = [
            {"id": f"h{i}<b>&\"'" + side, "name": text + side, "city": "<i>", "born": "1900-01-01"} for side in "ab"
        ]
        records += pair
        gold.append((pair[0]["id"], pair[1]["id"]))
    return records, gold


def plain(text):
    """What the page shows of a value: control characters as pictures."""
    return "".join(
        chr(0x2400 + ord(c)) if ord(c) < 32 and c not in "\t\n" else "\u2421" if c == "\x7f" else c for c in text
    )


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.folder = tempfile.TemporaryDirectory(prefix="akin-report.")
        cls.path = os.path.join(cls.folder.name, "report.html")
        cls.records, gold = make_records()
        cls.table = os.path.join(cls.folder.name, "<b>people.jsonl")
        with open(cls.table, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(record) + "\n" for record in cls.records)
        gold_file = os.path.join(cls.folder.name, "gold.jsonl")
        with open(gold_file, "w", encoding="utf-8") as file:
            file.writelines(json.dumps({"l": l, "r": r}) + "\n" for l, r in gold)
        cls.pairs_file = os.path.join(cls.folder.name, "pairs.jsonl")
        done = subprocess.run(
            [AKIN, "dedupe", cls.table, "--id", "id", "--window", "12:name:value", "--block", "born",
             "--compare", "name:jaro-winkler:0.7:2", "--compare", "city:levenshtein", "--compare", "born:date/30:0.5",
             "--threshold", str(THRESHOLD), "--missing", "skip", "--gold", gold_file, "--report", cls.path,
             "--pairs", cls.pairs_file, "-o", os.path.join(cls.folder.name, "clusters.csv")],
            capture_output=True, text=True, check=True)
        cls.summary = done.stderr
        with open(cls.pairs_file, encoding="utf-8") as file:
            cls.pairs = {(p["left"], p["right"]): p for p in map(json.loads, file)}
        evaluated = subprocess.run(
            [AKIN, "evaluate", cls.pairs_file, gold_file], capture_output=True, text=True, check=True
        )
        cls.curve = subprocess.run([AKIN, "evaluate", cls.pairs_file, gold_file, "--curve"], capture_output=True,
                                   text=True,
                                   check=True).stdout.splitlines()
        cls.evaluation = dict(line.split() for line in evaluated.stdout.splitlines())

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    def show(self, width=1600, scheme="light"):
        self.browser.open(self.path, width, 900, scheme)

    def texts(self, selector):
        return self.browser.run("return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector)

    def text(self, selector):
        return self.texts(selector)[0]

    def listed(self):
        """What the rows of the list say, as it stands."""
        return self.browser.run(
            "return [...document.querySelectorAll('.pairs > tbody > tr[data-kind]')].map(r => ({average: "
            "Number(r.dataset.average), "
            "kind: r.dataset.kind, ids: [...r.cells[1].children].map(c => c.textContent), each: r.dataset.each.split(' "
            "'), "
            "right: r.dataset.right, text: [...r.cells].slice(2).map(c => [...c.children].map(v => v.textContent))}))")

    def show_all(self):
        """Every pair, not only the first ones."""
        while self.browser.run("const b = document.querySelector('.more'); if (b.hidden) return false; "
                               "b.firstElementChild.click(); return true"):
            pass
        return self.listed()

    # ------------------------------------------------------------------------------------------------------- loading

    def test_every_size_and_scheme(self):
        for scheme in "light", "dark":
            for width in 1600, 900, 360:
                with self.subTest(scheme=scheme, width=width):
                    self.browser.complaints(), self.browser.requests()
                    self.show(width, scheme)
                    self.browser.run("document.querySelectorAll('details').forEach(d => d.open = true)")
                    self.browser.settle()
                    self.assertEqual(self.browser.complaints(), [])
                    asked = self.browser.requests()
                    self.assertEqual([url for url in asked if not url.startswith(("file:", "data:"))], [])
                    self.assertEqual(sum(url.startswith("file:") for url in asked), 1)
                    self.assertEqual(self.browser.run("return document.documentElement.scrollWidth"), width)
                    light = self.browser.run("return getComputedStyle(document.body).backgroundColor")
                    self.assertEqual(sum(map(int, light[4:-1].split(","))) > 382, scheme == "light")
                    self.check_contrast()
                    self.check_charts(width)
                    if SHOTS:
                        self.show(width, scheme)
                        self.browser.screenshot(os.path.join(SHOTS, f"report-{scheme}-{width}.png"))

    def check_contrast(self):
        """WCAG's 4.5 : 1, for what is read."""
        poor = self.browser.run("""
            const part = v => { v /= 255; return v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; };
            const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).map(Number);
                                 return .2126 * part(r) + .7152 * part(g) + .0722 * part(b); };
            const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
                                  if (!c.endsWith(', 0)')) return c; } return 'rgb(255, 255, 255)'; };
            const poor = [];
            const all = 'p, td, th, dt, dd, h1, h2, h3, nav a, summary, mark, svg text, label span';
            for (const e of document.querySelectorAll(all)) {
                if (!e.textContent.trim() || !e.getClientRects().length)
                    continue;
                const style = getComputedStyle(e), ink = e instanceof SVGElement ? style.fill : style.color;
                const [a, b] = [light(ink), light(ground(e))].sort((x, y) => y - x);
                if ((a + .05) / (b + .05) < 4.5)
                    poor.push(e.tagName + '.' + e.getAttribute('class') + ' ' + e.textContent.slice(0, 40)
                              + ink + ground(e));
            }
            return poor.slice(0, 9);""")
        self.assertEqual(poor, [])

    def check_charts(self, width):
        charts = self.browser.run("""
            return [...document.querySelectorAll('.plot, .waterfall')].map(p => {
                const s = p.querySelector('svg'); return {
                name: p.id, width: s ? s.getBoundingClientRect().width : 0, label: s?.getAttribute('aria-label'),
                bars: s?.querySelectorAll('rect:not(.hit), path').length, markup: s?.outerHTML ?? '',
                outside: s ? [...s.querySelectorAll('text')].filter(t => { const a = t.getBoundingClientRect(),
                    b = document.documentElement.clientWidth; return a.left < 0 || a.right > b; }).length : 0 }; })""")
        self.assertEqual(len(charts), 7) # all columns, three columns, two curves, the waterfall
        for chart in charts:
            self.assertGreater(chart["width"], 200)
            self.assertGreater(chart["bars"], 0)
            self.assertTrue(chart["label"])
            self.assertEqual(chart["outside"], 0)
            for word in "NaN", "Infinity", "undefined", "[object":
                self.assertNotIn(word, chart["markup"])

    def test_without_scripts(self):
        self.browser.command("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.browser.call("POST", "/url", {"url": "file://" + self.path})
            answer = self.browser.command("Runtime.evaluate", returnByValue=True, expression=(
                "JSON.stringify({text: document.body.innerText, tools: "
                "getComputedStyle(document.querySelector('.tools')).display, "
                "rows: document.querySelectorAll('.pairs tbody tr').length, marks: "
                "document.querySelectorAll('mark').length})"))
            page = json.loads(answer["result"]["value"])
        finally:
            self.browser.command("Emulation.setScriptExecutionDisabled", value=False)
        self.assertIn("Without it, this page has all figures as tables", page["text"].replace("\n", " "))
        self.assertEqual(page["tools"], "none")
        self.assertEqual(page["marks"], 0)
        self.assertGreater(page["rows"], 100)

    def test_print(self):
        self.show(720, "dark")
        self.browser.media("dark", "print")
        self.browser.settle()
        self.assertEqual(self.browser.run("return document.documentElement.scrollWidth"), 720)
        self.assertEqual(
            self.browser.run("return getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)"
        )
        self.assertEqual(self.browser.run("return getComputedStyle(document.querySelector('.tools')).display"), "none")
        self.browser.media("light")

    # ------------------------------------------------------------------------------------------------------- figures

    def test_figures_are_those_of_the_summary(self):
        self.show()
        number = lambda selector: int(self.text(selector).replace(",", ""))  # noqa: E731
        line = {key: rest for key, rest in (row.split(None, 1) for row in self.summary.replace(",", "").splitlines())}
        self.assertEqual(number("#records"), len(self.records))
        self.assertEqual(number("#pairs-all"), int(line["records"].split()[1]))
        self.assertEqual(number("#compared"), int(line["compared"].split()[0]))
        self.assertEqual(number("#found"), int(line["found"].split()[0]))
        self.assertEqual(number("#found"), len(self.pairs))
        self.assertEqual(number("#clustered"), int(line["found"].split()[2]))
        with open(os.path.join(self.folder.name, "clusters.csv"), encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        clusters = [row["cluster"] for row in rows]
        self.assertEqual(number("#duplicates"), len(clusters) - len(set(clusters)))
        for name, tile in (("precision", "#precision"), ("recall", "#recall-at"), ("f1", "#f1")):
            exact = self.browser.run("return document.querySelector(arguments[0]).dataset.v", tile)
            self.assertEqual(float(exact), float(self.evaluation[name]))
        evaluated = self.texts("#evaluation tr:first-child td")
        self.assertEqual([int(cell.replace(",", "")) for cell in evaluated[:3]],
                         [int(self.evaluation[name]) for name in ("pairs", "gold", "both")])
        sizes = self.browser.run(
            "return [...document.querySelectorAll('.sizes tbody tr')].map(r => Number(r.cells[2].textContent))"
        )
        self.assertEqual(sum(sizes), sum(clusters.count(c) for c in set(clusters) if clusters.count(c) > 1))
        selected = [row.split() for row in self.summary.replace(",", "").splitlines() if row.startswith("selected")]
        shown = self.browser.run("return [...document.querySelectorAll('#selections tbody tr')].map(r => "
                                 "[...r.querySelectorAll('td')].map(c => c.textContent.replace(/,/g, '')))")
        fresh = [row[3] if row[4:6] == ["of", "them"] else row[1] for row in selected]  # of the first one all are new
        self.assertEqual(
            [[int(row[0]), int(row[1])] for row in shown],
            [[int(row[1]), int(new)] for row, new in zip(selected, fresh)],
        )
        bins = self.browser.run("return [...document.querySelectorAll('[data-chart=overall] tbody tr')].map(r => "
                                "[...r.cells].map(c => Number(c.textContent.replace(/,/g, ''))))")
        reached = [max(k for k in range(101) if pair["similarity"] >= k / 100 - 5e-10) for pair in self.pairs.values()]
        self.assertEqual({round(100 * low): found for low, found, *_ in bins if found}, dict(Counter(reached)))
        curve = self.browser.run("return [...document.querySelectorAll('[data-chart=curve] tbody tr')].map(r => "
                                 "[...r.cells].slice(0, 3).map(c => Number(c.textContent.replace(/,/g, ''))))")
        for low, pairs, both in (row.split(",")[:3] for row in self.curve[1:]):
            if float(low) >= THRESHOLD:
                self.assertIn([float(low), int(pairs), int(both)], curve)
        at = next(row for row in curve if row[0] == THRESHOLD)
        self.assertEqual(at[1:], [int(self.evaluation[name]) for name in ("pairs", "both")])

    def test_pairs_are_those_of_the_file(self):
        self.show()
        shown = self.show_all()
        found = [row for row in shown if row["kind"] == "found"]
        for row in found:
            pair = self.pairs[tuple(row["ids"])]
            self.assertEqual(row["average"], pair["similarity"])
            for given, (name, similarity) in zip(row["each"], pair["each"].items()):
                if similarity is None:
                    self.assertEqual(given, "none")
                elif similarity > 0:
                    self.assertEqual(float(given), similarity)
        nearest = sorted(pair["similarity"] for pair in self.pairs.values())[:100]
        self.assertEqual(sorted(row["average"] for row in found)[:len(nearest)], nearest)
        self.assertTrue(any(row["kind"] == "near" and row["average"] < THRESHOLD for row in shown))
        self.assertTrue(any(row["kind"] != "found" and row["right"] == "1" for row in shown))
        away = [abs(row["average"] - THRESHOLD) for row in shown]
        self.assertEqual(away, sorted(away))

    # ---------------------------------------------------------------------------------------------------- exploring

    def test_search(self):
        self.show()
        self.browser.run("document.querySelector('.search input').focus()")
        self.browser.type("becker")
        rows = self.show_all()
        self.assertGreater(len(rows), 2)
        for row in rows:
            self.assertIn("becker", json.dumps([row["ids"], row["text"]]))
        self.assertEqual(self.text(".count"), f"{len(rows)} pairs")
        self.browser.type(" no such thing")
        self.assertEqual(self.listed(), [])
        self.assertEqual(self.text(".count"), "0 pairs")
        self.assertTrue(self.browser.run("return document.querySelector('.detail').hidden"))
        hidden = "return document.querySelector('.none').hidden"
        self.assertFalse(self.browser.run(hidden)) # it is said that there is none
        self.browser.run(
            "const i = document.querySelector('.search input'); i.value = ''; i.dispatchEvent(new Event('input'))"
        )
        self.assertGreater(len(self.show_all()), 100)
        self.assertTrue(self.browser.run(hidden))

    def sort(self, name):
        self.browser.run("const s = document.querySelector('.sort select'); s.value = [...s.options].find(o => "
                         "o.textContent === arguments[0]).value; s.dispatchEvent(new Event('change'))", name)
        return self.show_all()

    def test_sort(self):
        self.show()
        averages = [row["average"] for row in self.sort("similarity, highest first")]
        self.assertEqual(averages, sorted(averages, reverse=True))
        averages = [row["average"] for row in self.sort("similarity, lowest first")]
        self.assertEqual(averages, sorted(averages))
        cities = [row["each"][1] for row in self.sort("city, least alike first")]
        numbers = [2.0 if city == "none" else float(city) for city in cities]
        self.assertEqual(numbers, sorted(numbers))
        self.assertIn(2.0, numbers)

    def test_filters(self):
        self.show()
        everything = self.show_all()
        for name, holds in (("found", lambda r: r["kind"] == "found"),
                            ("missed", lambda r: r["kind"] != "found" and r["right"] == "1"),
                            ("wrong", lambda r: r["kind"] == "found" and r["right"] == "0")):
            expected = sum(map(holds, everything))
            labels = [text for text in self.texts(".filters label") if text.startswith(name + " ")]
            if expected == 0:
                self.assertEqual(labels, [])
                continue
            self.assertEqual(labels, [f"{name} {expected}"])
            self.browser.run("[...document.querySelectorAll('.filters label')].find(l => l.textContent === "
                             "arguments[0]).click()",
                             labels[0])
            rows = self.show_all()
            self.assertEqual(len(rows), expected)
            self.assertTrue(all(map(holds, rows)))

    def check_waterfall(self, row):
        """The bars of the pair that is shown add up to its average."""
        panel = self.browser.run("""
            const svg = document.querySelector('.waterfall svg'), scale = svg.getBoundingClientRect().width - 2;
            const number = (e, name) => Number(e.getAttribute(name));
            const texts = all => [...all].map(e => e.textContent);
            const rows = document.querySelectorAll('.values tbody tr');
            const drawn = svg.querySelectorAll('rect.found, rect.near');
            return {title: texts(document.querySelectorAll('#detail-title bdi')), scale: scale,
                    bars: [...drawn].map(r => [number(r, 'x'), number(r, 'width')]),
                    limit: number(svg.querySelector('.limit'), 'x1'), said: texts(svg.querySelectorAll('text')),
                    values: [...rows].map(r => texts(r.querySelectorAll('td')))}""")
        self.assertEqual(panel["title"], row["ids"])
        parts, total = panel["bars"][:-1], panel["bars"][-1]
        self.assertAlmostEqual(total[1] / panel["scale"], row["average"], delta=0.01)
        self.assertAlmostEqual((panel["limit"] - 1) / panel["scale"], THRESHOLD, delta=0.01)
        at = 0
        for x, width in parts:
            if width > 1.5:
                self.assertAlmostEqual((x - 1) / panel["scale"], at, delta=0.01)
            at += width / panel["scale"]
        self.assertAlmostEqual(at, row["average"], delta=0.02)
        self.assertEqual(len(panel["values"]), 3)
        self.assertEqual(panel["values"], row["text"])

    def test_choose(self):
        for width in 1600, 360:
            self.show(width)
            rows = self.listed()
            for at in 0, 3, 7, 2:
                place = self.browser.run("const r = document.querySelectorAll('.pairs > tbody > "
                                         "tr[data-kind]')[arguments[0]]; "
                                         "r.scrollIntoView({block: 'center'}); const b = r.getBoundingClientRect(); "
                                         "return [b.x + 30, b.y + 10]",
                                         at)
                self.browser.click(*place)
                chosen = self.browser.run("return [...document.querySelectorAll('.pairs > tbody > tr[data-kind]')].map("
                                          "r => r.getAttribute('aria-selected')).indexOf('true')")
                self.assertEqual(chosen, at)
                self.check_waterfall(rows[at])
                inset = self.browser.run("return document.querySelector('.detail').closest('.detail-row') !== null")
                self.assertEqual(inset, width == 360)

    def test_keys(self):
        self.show()
        rows = self.listed()
        self.browser.press("Tab")
        self.assertEqual(self.browser.run("return document.activeElement.textContent"), "Skip to the result")
        self.browser.run("document.querySelector('tr[aria-selected=true]').focus()")
        at = lambda: self.browser.run(  # noqa: E731
            "return [...document.querySelectorAll('.pairs > tbody > tr[data-kind]')].indexOf(document.activeElement)"
        )
        for keys, expected in (
            (["ArrowDown", "ArrowDown"], 2), (["ArrowUp"], 1), (["End"], len(rows) - 1), (["ArrowDown"], len(rows) - 1),
            (["Home"], 0)
        ):
            self.browser.press(*keys)
            self.assertEqual(at(), expected)
            self.check_waterfall(rows[expected])
        visits = self.browser.run(
            "return [...document.querySelectorAll('.pairs > tbody > tr')].filter(r => r.tabIndex === 0).length"
        )
        self.assertEqual(visits, 1) # one stop for Tab, the arrows go on from there

    def test_switch(self):
        ground = "return getComputedStyle(document.body).backgroundColor"
        self.show(scheme="light")
        light = self.browser.run(ground)
        self.browser.run("document.querySelector('.themes input').focus()")
        self.browser.press("ArrowRight", "ArrowRight")
        dark = self.browser.run(ground)
        self.assertNotEqual(light, dark)
        self.show(scheme="dark")
        self.assertEqual(self.browser.run(ground), dark)
        self.browser.run("document.querySelectorAll('.themes label')[1].click()")
        self.assertEqual(self.browser.run(ground), light)

    # ---------------------------------------------------------------------------------------------------- hostility

    def test_values_stay_text(self):
        hostile = [record for record in self.records if record["city"] == "<i>"]
        table, path = (os.path.join(self.folder.name, name) for name in ("<b>hostile.jsonl", "hostile.html"))
        with open(table, "w", encoding="utf-8") as file:
            file.writelines(
                json.dumps({"<u>" + key: value for key, value in record.items()}) + "\n" for record in hostile
            )
        subprocess.run([AKIN, "dedupe", table, "-q", "--id", "<u>id", "--window", "3:<u>name:value", "--block",
                        "<u>city",
                        "--compare", "<u>name:levenshtein", "--compare", "<u>city:exact", "--threshold", "0.8",
                        "--report", path,
                        "-o", os.devnull], check=True)
        self.browser.complaints()
        self.browser.open(path)
        rows = self.show_all()
        self.browser.run("document.querySelectorAll('details').forEach(d => d.open = true)")
        counts = self.browser.run("const n = s => document.querySelectorAll(s).length; return [window.hacked ?? 0, "
                                  "n('script'), n('style'), "
                                  "n('img, iframe, object, embed, link:not([rel=icon]), b:not(.filters b), [onclick], "
                                  "[onload], [onerror]'), "
                                  "n('h1'), n('main'), n('title')]")
        self.assertEqual(counts, [0, 1, 1, 0, 1, 1, 1])
        self.assertEqual(self.browser.complaints(), [])
        self.assertEqual(self.text("h1"), "Duplicates in <b>hostile.jsonl")
        self.assertEqual(self.texts(".values th bdi")[-2:], ["<u>name", "<u>city"])
        self.check_unseen()
        seen = {}
        for row in rows:
            for id, value in zip(row["ids"], row["text"][0]):
                seen[id] = value
        for i, text in enumerate(HOSTILE):
            for side in "ab":
                value, expected = seen.get(f"h{i}<b>&\"'" + side), plain(text + side)
                self.assertIsNotNone(value, f"{text} is not listed")
                if len(text) > 1000:
                    self.assertTrue(value.startswith("\u2026") and value.endswith(side) and len(value) < 1000)
                    continue
                for sign in "\u2028\u2029\u202e\u2067\u200b\u00a0\ufeff": # what cannot be seen is shown by its number
                    expected = expected.replace(sign, f"U+{ord(sign):04X}")
                self.assertEqual(value, expected)

    def check_unseen(self):
        """What cannot be seen is nowhere in what is shown, but within an emoji."""
        raw = self.browser.run(r"""
            const unseen = /(?![\n\t\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/u, found = [];
            const walk = document.createTreeWalker(document.documentElement,
                                                   NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
            for (let node; (node = walk.nextNode());)
                for (const text of node.attributes ? [...node.attributes].map(a => a.value) : [node.data])
                    if (unseen.test(text) && !node.closest?.('script') && !node.parentElement.closest('script'))
                        found.push((node.tagName ?? node.parentElement.tagName) + ': ' + text);
            return found;""")
        self.assertEqual(raw, [])

    def make_page(self, name, text, *arguments):
        """Opens the page of a table."""
        table, path = (os.path.join(self.folder.name, name + end) for end in (".csv", ".html"))
        with open(table, "w", encoding="utf-8") as file:
            file.write(text)
        subprocess.run([AKIN, "dedupe", table, "-q", *arguments, "-o", os.devnull, "--report", path], check=True)
        self.browser.complaints()
        self.browser.open(path)
        self.browser.run("document.querySelectorAll('details').forEach(d => d.open = true)")
        self.browser.settle()
        self.assertEqual(self.browser.complaints(), [])

    def test_unseen(self):
        """Bidi controls and the like in ids, names of columns, pairs, and all records of a cluster."""
        for sign in "\u202e\u2066\u200b\ufeff\u2028\u2029\u00ad\u034f\u3164\x01":
            name, value = f"na{sign}me", f"abc{sign}evil{sign} def"
            self.make_page(f"unse{ord(sign)}", f"id,{name}\n" + "".join(
                f"x{sign}{i},{text}\n" for i,
                text in enumerate((value, value, value.replace("evil", "evik"), "abc def"))),
                "--id", "id", "--all-pairs", "--window", f"3:{name}:value", "--compare", f"{name}:jaro-winkler",
                "--threshold", "0.9")
            shown = f"U+{ord(sign):04X}" if sign > " " else chr(0x2400 + ord(sign))
            self.check_unseen()
            for selector in (".members tbody th", ".members thead th:last-child", ".pairs td:nth-child(2) bdi",
                             ".values th",
                             "#detail-title bdi", "#rules th", ".sort option:last-child", ".waterfall text"):
                self.assertTrue(any(shown in text for text in self.texts(selector)), selector)
            members = [text for text in self.texts(".members tbody td") if "evi" in text]
            self.assertEqual([text.count(shown) for text in members], [2, 2, 2])
            if sign > " ":
                self.assertEqual(
                    len(self.texts(".members td .sign")), sum(text.count(shown) for text in self.texts(".members td"))
                )

    def test_ways(self):
        """A column compared in several ways is called by them, and the threshold crosses no text."""
        self.make_page("ways",
                       "v,w\n" + "".join(f"a tall {word} house,{word}\n" for word in ("red", "read", "rad", "blue")),
                       "--all-pairs", "--compare", "v:tfidf/2", "--compare", "v:soundex", "--compare", "w:jaro:0:15",
                       "--threshold", "0.95")
        self.assertEqual(
            [text for text in self.texts(".waterfall .strong") if text[1:2] in ("", ":")],
            ["v:tfidf/2", "v:soundex", "w"]
        )
        self.assertEqual([text for text in self.texts(".sort option") if text.startswith(("v", "w"))],
                         [name + ", least alike first" for name in ("v:tfidf/2", "v:soundex", "w")])
        lines, crossed = self.browser.run("""
            const boxes = s => [...document.querySelectorAll('.waterfall ' + s)].map(e => e.getBoundingClientRect());
            const lines = boxes('.limit');
            const crosses = (l, t) => l.x > t.x && l.x < t.right && l.y < t.bottom && l.bottom > t.y;
            return [lines.length, lines.filter(l => boxes('text').some(t => crosses(l, t))).length]""")
        self.assertEqual([lines, crossed], [5, 0])

    def test_low(self):
        """A threshold of many zeros is written as a decimal everywhere."""
        self.make_page(
            "low", "name\nanna\nannna\nbert\n", "--all-pairs", "--compare", "name:jaro-winkler", "--threshold",
            "0.0000001"
        )
        self.assertIn("threshold 0.0000001", self.texts("#overall text"))
        self.assertIn("threshold 0.0000001", self.texts(".waterfall text"))
        self.assertNotRegex(self.browser.run("return document.body.innerText"), "[0-9]e-[0-9]")

    def make_learnt(self):
        """The page of a table without rules."""
        table, path = (os.path.join(self.folder.name, name) for name in ("learnt.csv", "learnt.html"))
        subprocess.run([AKIN, "generate", "records", "-q", "--records", "300", "--duplicates", "0.5", "--copies",
                        "uniform", "--most-copies", "3", "--seed", "7", "-o", table], check=True)
        subprocess.run([AKIN, "dedupe", table, "-q", "--id", "id", "-o", os.devnull, "--report", path], check=True)
        return path

    def check_evidence(self, at):
        """The bars of a pair are its evidence: each begins where the one before ends, and they end at the sum."""
        self.browser.run("document.querySelectorAll('.pairs > tbody > tr[data-kind]')[arguments[0]].click()", at)
        average, bits, bars = self.browser.run("""
            const row = document.querySelectorAll('.pairs > tbody > tr[data-kind]')[arguments[0]];
            const rects = [...document.querySelectorAll('.waterfall svg rect')];
            return [Number(row.dataset.average), row.dataset.bits.split(' '),
                    rects.map(r => [Number(r.getAttribute('x')), Number(r.getAttribute('width'))])]""", at)
        parts = [float(part) for part in bits if part != "none"]
        if 1e-6 < average < 1 - 1e-6:
            self.assertAlmostEqual(sum(parts), math.log2(average / (1 - average)), delta=0.02)
        drawn = [part for i, part in enumerate(parts) if i < len(parts) - 3 or part != 0]
        self.assertEqual(len(bars), len(drawn) + 1)
        first, last = bars[0], bars[-1]
        scale = first[1] / abs(parts[0]) # pixels a bit; the odds before values are known are never even
        self.assertAlmostEqual(last[1], max(1, abs(sum(parts)) * scale), delta=2)

    def test_learnt(self):
        path = self.make_learnt()
        for scheme, width in (("light", 1600), ("dark", 900), ("light", 360)):
            with self.subTest(scheme=scheme, width=width):
                self.browser.complaints()
                self.browser.open(path, width, 900, scheme)
                for at in 0, 1, 5:
                    self.check_evidence(at)
                self.browser.run("document.querySelectorAll('details').forEach(d => d.open = true)")
                self.browser.settle()
                self.assertEqual(self.browser.complaints(), [])
                self.assertEqual(self.browser.run("return document.documentElement.scrollWidth"), width)
                self.check_contrast()
                labels = self.browser.run("return [...document.querySelectorAll('svg.shares')].map(s => "
                                          "[s.getAttribute('aria-label'), s.getBoundingClientRect().width])")
                self.assertTrue(len(labels) == 2 and all(label and wide > 200 for label, wide in labels))
                self.assertNotRegex(self.browser.run("return document.querySelector('main').innerHTML"),
                                    "NaN|Infinity|undefined")
                if SHOTS:
                    self.browser.screenshot(os.path.join(SHOTS, f"learnt-{scheme}-{width}.png"))

    def test_differences(self):
        """Of two values the marked text is not in both, and the other text is the same."""
        self.show()
        self.show_all()
        cells = self.browser.run("""
            const cells = document.querySelectorAll('.pairs > tbody > tr[data-kind] > td:not(:nth-child(-n + 2))');
            const unmarked = v => [...v.childNodes].filter(n => n.nodeName !== 'MARK').map(n => n.textContent).join('');
            return [...cells].map(c => [c.className,
                ...[...c.children].map(v => [v.tagName, v.textContent, unmarked(v)])])""")
        differing = 0
        for kind, left, right in cells:
            if "BDI" not in (left[0], right[0]) or left[0] != right[0]:
                continue
            self.assertEqual(left[2], right[2])
            self.assertEqual(kind == "alike", left[1] == right[1])
            differing += left[1] != right[1]
        self.assertGreater(differing, 30)

    def test_small(self):
        """One column, nothing found, no gold standard, two tables: there is nothing to stumble over."""
        for name, tables, rows in (("none", 1, "name\n"), ("one", 1, "name\na\n"), ("unlike", 1, "name\na\nb\n"),
                                   ("two", 2, "name\na\nb\n")):
            with self.subTest(name):
                table, path = (os.path.join(self.folder.name, name + end) for end in (".csv", ".html"))
                with open(table, "w", encoding="utf-8") as file:
                    file.write(rows)
                gold = os.path.join(self.folder.name, "none-gold.csv")
                with open(gold, "w", encoding="utf-8") as file:
                    file.write("left,right\n0,1\n")
                subprocess.run([AKIN, "dedupe"] + [table] * tables + [
                               "-q", "--all-pairs", "--compare", "name:exact", "--threshold", "0.9",
                               "-o", os.devnull, "--report",
                               path] + (["--gold", gold] if name in ("none", "one") else []), check=True)
                self.browser.complaints()
                self.browser.open(path, 360)
                self.assertEqual(self.browser.complaints(), [])
                self.assertEqual(self.browser.run("return document.documentElement.scrollWidth"), 360)
                self.assertEqual(
                    self.browser.run("return document.querySelector('#gold') === null"), name in ("unlike", "two")
                )
                page = self.browser.run("return document.body.innerText")
                if name != "two": # nothing is said of pairs that are not there
                    self.assertIn("There are none: no pair", page)
                    self.assertNotIn("F1 is best", page)
                    self.assertNotIn("of found", page)
                    self.assertEqual(self.texts("table.pairs"), [])


if __name__ == "__main__":
    try:
        Browser().close()
    except Absent as why:
        print(f"report: skipped: {why}")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
