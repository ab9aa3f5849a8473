"""Types of parameters that take one of a few names. tests/python/test_types.py compares each with its table of
:func:`akin.choices`. A parameter whose names may have an argument, such as ``tokens="qgrams:3"``, is a ``str``."""

from typing import Literal, TypeAlias

Answer: TypeAlias = Literal["yes", "no", "unsure"]
Copies: TypeAlias = Literal["uniform", "poisson", "zipf"]
DictionaryKind: TypeAlias = Literal["chunks", "rrr", "stt"]
Family: TypeAlias = Literal["e2lsh-l1", "e2lsh-l2", "random-binning", "simhash", "minhash"]
Filter: TypeAlias = Literal["auto", "allpairs", "ppjoin", "groupjoin"]
Formula: TypeAlias = Literal["paper", "robertson", "lucene", "atire", "bm25+", "bm25l"]
IndexKind: TypeAlias = Literal["sets", "documents", "rows", "strings", "vectors", "signatures", "bm25", "trees"]
Missing: TypeAlias = Literal["zero", "skip", "equal"]
RecordKind: TypeAlias = Literal["people", "cd"]
SearchMeasure: TypeAlias = Literal["jaccard", "cosine", "dice"]
SearchTechnique: TypeAlias = Literal["auto", "lists", "scan", "cpu-idx", "cpq", "spq", "spq-scan"]
Sharing: TypeAlias = Literal["auto", "many", "one", "part"]
StringSimilarity: TypeAlias = Literal["levenshtein", "osa", "jaro", "jaro-winkler"]
StringTechnique: TypeAlias = Literal["auto", "bags", "segments"]
Technique: TypeAlias = Literal[
    "auto", "allpairs", "ppjoin", "groupjoin", "bitmap", "screened", "tensor", "prefix", "gssjoin", "fgssjoin",
    "sf-gssjoin", "hybrid"
]
TreeFormat: TypeAlias = Literal["brackets", "json", "json-written", "xml"]
UnknownTerms: TypeAlias = Literal["share", "add"]
WeighTechnique: TypeAlias = Literal["auto", "hash", "primitives", "dictionary"]
Weights: TypeAlias = Literal["given", "learn"]
