"""A collection of notices: what their words weigh, and which of them answer a question best."""

import json
from pathlib import Path

import akin

DATA = Path(__file__).parent.parent / "data"
notices = [json.loads(line) for line in (DATA / "notices.jsonl").read_text(encoding="utf-8").splitlines()]
notices = [notice for notice in notices if notice["source"] == "board"]

index = akin.bm25([notice["text"] for notice in notices], stop_words="english", stem="english", formula="lucene")
print(f"{index.documents} documents, {index.terms} terms, {index.pairs} weights")

# The words that distinguish a notice from the others weigh most.
words, listed = index.vocabulary, list(index.table())
for number, notice in enumerate(notices[:3]):
    weights = sorted((-weight, words[term]) for document, term, _, weight in listed if document == number)
    print(f"  {notice['id']}: {', '.join(word for _, word in weights[:4])}")

questions = [
    "when does the first boat leave on Sunday?", "is a road or a bridge closed?", "lost and found",
    "learn something new in the evening"
]
asked = None
for query, document, score in index.rank(questions, k=2):
    if query != asked:
        print(f"\n{questions[query]}")
        asked = query
    print(f"  {score:.3f}  {notices[document]['text'][:78]}...")
