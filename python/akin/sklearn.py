"""A transformer for scikit-learn: texts become the rows of a sparse matrix of BM25 weights."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ._bm25 import bm25
from ._names import Formula

_DELTA = {"bm25+": 1.0, "bm25l": 0.5}


class BM25Transformer(TransformerMixin, BaseEstimator):
    """Weighs the terms of texts by BM25, as ``TfidfVectorizer`` does by tf-idf. ``fit`` learns the rarity of terms and
    the mean length of texts.

    Parameters
    ----------
    formula, k1, b, delta, tokens, ignore_case, stop_words, stem
        As in :func:`akin.bm25`.
    threads, device
        See :mod:`akin`.

    Attributes
    ----------
    vocabulary_ : dict
        The column of each term. Columns are sorted by term.
    idf_ : ndarray of shape (n_features,)
        The inverse document frequency of each term.
    mean_length_ : float
        The mean number of tokens of a text.

    Notes
    -----
    ``transform`` and ``fit_transform`` give a text the same weights, except for the last bits. Rows of
    ``fit_transform`` are those of ``akin.bm25(...).weights``, in another order of columns.

    Examples
    --------
    >>> from akin.sklearn import BM25Transformer
    >>> fitted = BM25Transformer().fit(["red wine", "white wine", "a river"])
    >>> fitted.transform(["red river"]).shape, list(fitted.vocabulary_)
    ((1, 5), ['a', 'red', 'river', 'white', 'wine'])
    """

    def __init__(
        self,
        *,
        formula: Formula = "lucene",
        k1: float = 1.2,
        b: float = 0.75,
        delta: float | None = None,
        tokens: str = "words",
        ignore_case: bool | None = None,
        stop_words: str | Iterable[str] = (),
        stem: str | None = None,
        threads: int = 0,
        device: str = "auto",
    ) -> None:
        self.formula = formula
        self.k1 = k1
        self.b = b
        self.delta = delta
        self.tokens = tokens
        self.ignore_case = ignore_case
        self.stop_words = stop_words
        self.stem = stem
        self.threads = threads
        self.device = device

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags

    def _counts(self, texts: Any) -> Any:
        """The counts of terms in texts, with weights that only ``fit_transform`` uses."""
        if isinstance(texts, str):
            raise ValueError("expected an iterable of texts, got one text")
        if not hasattr(texts, "__arrow_c_stream__") and not hasattr(texts, "__arrow_c_array__"):
            texts = [text if text is None else str(text) for text in texts]
        return bm25(
            texts,
            formula=self.formula,
            k1=self.k1,
            b=self.b,
            delta=self.delta,
            tokens=self.tokens,
            ignore_case=self.ignore_case,
            stop_words=self.stop_words,
            stem=self.stem,
            threads=self.threads,
            device=self.device,
        )

    def _fit(self, texts: Any) -> Any:
        made = self._counts(texts)
        if made.terms == 0:
            raise ValueError("empty vocabulary: the texts have no terms, or stop words alone")
        order = sorted(range(made.terms), key=made.vocabulary.__getitem__)
        self.vocabulary_ = {made.vocabulary[term]: place for place, term in enumerate(order)}
        self.mean_length_ = made.words / made.documents
        some, count = numpy.asarray(made.df, dtype=float)[order], float(made.documents)
        self.idf_ = {
            "robertson": lambda: numpy.log((count - some + 0.5) / (some + 0.5)),
            "lucene": lambda: numpy.log(1.0 + (count - some + 0.5) / (some + 0.5)),
            "bm25+": lambda: numpy.log((count + 1.0) / some),
            "bm25l": lambda: numpy.log((count + 1.0) / (some + 0.5)),
        }.get(self.formula, lambda: numpy.log(count / some))()
        return made

    def fit(self, X: Any, y: Any = None) -> BM25Transformer:
        """Learns the terms of texts and their rarity. ``y`` is ignored. Returns self. Raises ValueError if no text has
        a term, and as :func:`akin.bm25`."""
        self._fit(X)
        return self

    def fit_transform(self, X: Any, y: Any = None, **unused: Any) -> csr_matrix:
        """Learns from texts, and returns their weights: a ``csr_matrix``, texts by terms. Raises ValueError as
        :meth:`fit`."""
        made = self._fit(X)
        places = numpy.asarray([self.vocabulary_[term] for term in made.vocabulary])
        weights = csr_matrix(made.weights)
        weights.indices = places[weights.indices].astype(weights.indices.dtype)
        weights.sort_indices()
        return weights

    def transform(self, X: Any) -> csr_matrix:
        """The weights of texts by the terms that ``fit`` learned: a ``csr_matrix``, texts by terms. Other terms count
        only for the length of a text. Raises NotFittedError before ``fit``."""
        check_is_fitted(self)
        made = self._counts(X)
        listed = made.table()
        places = numpy.asarray([self.vocabulary_.get(term, -1) for term in made.vocabulary], dtype=numpy.int64)
        documents = numpy.asarray(listed.buffer("document")).astype(numpy.int64)
        tf = numpy.asarray(listed.buffer("tf")).astype(float)
        terms = places[numpy.asarray(listed.buffer("term"))] if len(listed) else documents
        lengths = numpy.bincount(documents, weights=tf, minlength=made.documents)
        known = terms >= 0
        documents, terms, tf = documents[known], terms[known], tf[known]
        relative = 1.0 - self.b + self.b * (lengths[documents] / self.mean_length_)
        weights = self.idf_[terms] * self._factor(tf, relative)
        return csr_matrix((weights, (documents, terms)), shape=(made.documents, len(self.vocabulary_)))

    def _factor(self, tf: Any, relative: Any) -> Any:
        """The factor of the frequency of a term in a text. ``relative``: the length of the text in the form of the
        formulas."""
        delta = _DELTA.get(self.formula, 0.0) if self.delta is None else self.delta
        norm = self.k1 * relative
        if self.formula in ("robertson", "lucene"):
            return tf / (norm + tf)
        if self.formula == "bm25+":
            return delta + ((self.k1 + 1.0) * tf) / (norm + tf)
        if self.formula == "bm25l":
            c = tf / relative + delta
            return ((self.k1 + 1.0) * c) / (self.k1 + c)
        return ((self.k1 + 1.0) * tf) / (norm + tf)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The terms, an array of str in the order of the columns. Raises NotFittedError before ``fit``."""
        check_is_fitted(self)
        return numpy.asarray(list(self.vocabulary_), dtype=object)


__all__ = ["BM25Transformer"]
