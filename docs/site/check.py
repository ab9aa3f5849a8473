"""Holds a site against itself: each link leads to a page, a file or a place that is there, and no page loads anything from elsewhere."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ELSEWHERE = re.compile(r"""(?:@import\s+|url\()\s*["']?(?:url\(["']?)?(?:https?:)?//\S*""")


class Page(HTMLParser):
    """The places of a page, where its links lead, and what it loads."""

    def __init__(self, path):
        super().__init__()
        self.places, self.links, self.loads = set(), [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, pairs):
        given = dict(pairs)
        self.places.update(given[name] for name in ("id", "name") if given.get(name))
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        elif tag in ("script", "img", "iframe", "object", "embed", "source"):
            self.loads.append(given.get("src") or given.get("data") or "")
        elif tag == "link":
            self.loads.append(given.get("href") or "")


def faults(site):
    pages = {path: Page(path) for path in site.rglob("*.html")}
    for path, page in pages.items():
        for link in page.links + page.loads:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loads and parts.scheme != "data":
                    yield f"{path}: loads {link}"
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                yield f"{path}: {link} leads nowhere"
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].places:
                yield f"{path}: there is no {link}"
    for path in site.rglob("*.css"):
        for match in ELSEWHERE.finditer(path.read_text(encoding="utf-8")):
            yield f"{path}: loads {match[0]}"
