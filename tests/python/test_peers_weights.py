"""Weights and rankings against bm25s and scikit-learn, on random documents, abstracts and titles. docs/migrate.md lists
the differences."""

import random
import re

import pytest

import akin

np = pytest.importorskip("numpy")

WORD = re.compile("[a-z0-9]+")


def records_of(lines):
    """The records of a collection that begin with .I, as the texts of their fields .T and .W."""
    for record in re.split(r"^\.I ", "\n".join(lines), flags=re.MULTILINE)[1:]:
        fields = re.findall(r"^\.([TABW])\n(.*?)(?=^\.[TABW]\n|\Z)", record, flags=re.MULTILINE | re.DOTALL)
        yield " ".join(text for name, text in fields if name in "TW")


def abstracts(lines_of):
    return list(records_of(lines_of("text/cranfield/cran.all.1400.zst")))


@pytest.fixture(scope="module", params=["random", "cranfield", "titles"])
def texts(request, lines_of):
    if request.param == "cranfield":
        return abstracts(lines_of)[:400]
    if request.param == "titles":
        return [line for line in lines_of("text/titles.txt.zst")[:3000] if line.isascii()]
    draw = random.Random(3)
    words = ["w%d" % min(int(draw.paretovariate(0.7)), 700) for _ in range(20000)]
    return [" ".join(words[at : at + draw.randint(1, 90)]) for at in range(0, 19000, 50)]


def tokens_of(text):
    return WORD.findall(text.lower())


def queries_of(texts, count):
    draw = random.Random(5)
    return [
        " ".join(draw.sample(tokens_of(text), min(len(tokens_of(text)), draw.randint(1, 6))))
        for text in draw.sample(texts, count)
    ]


FORMULAS = ["lucene", "robertson", "atire", "bm25+", "bm25l"]


def made_by_bm25s(texts, formula, **parameters):
    bm25s = pytest.importorskip("bm25s")
    theirs = bm25s.BM25(method=formula, dtype="float64", **parameters)
    theirs.index([tokens_of(text) for text in texts], show_progress=False)
    return theirs


@pytest.mark.parametrize("formula", FORMULAS)
def test_bm25s_weights(texts, formula):
    """Every weight. Theirs of BM25+ and BM25L are less what a document gets that lacks the term, those of terms that
    more than half of the documents have are 0 by Robertson's formula."""
    delta = 0.5 if formula == "bm25l" else 1.0
    theirs = made_by_bm25s(texts, formula, k1=1.2, b=0.75, delta=delta)
    ours = akin.bm25(texts, formula=formula, threads=2)
    matrix = ours.weights.tocsc()
    assert set(ours.vocabulary) == set(theirs.vocab_dict) - {""}
    scores, df = theirs.scores, np.array(ours.df)
    absent = theirs.nonoccurrence_array
    for term, word in enumerate(ours.vocabulary):
        their_term = theirs.vocab_dict[word]
        at = slice(*scores["indptr"][their_term : their_term + 2])
        expected = scores["data"][at] + (0 if absent is None else absent[their_term])
        found = matrix.data[matrix.indptr[term] : matrix.indptr[term + 1]]
        if formula == "robertson" and 2 * df[term] > len(texts):
            assert (expected == 0).all() and (found < 0).all()
            continue
        assert (matrix.indices[matrix.indptr[term] : matrix.indptr[term + 1]] == scores["indices"][at]).all()
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("formula", ["lucene", "atire"])
def test_bm25s_ranking(texts, formula):
    """Scores of the best: bm25s chooses any documents of equal scores, so its scores of ours are looked up."""
    theirs = made_by_bm25s(texts, formula, k1=0.9, b=0.4)
    ours = akin.bm25(texts, formula=formula, k1=0.9, b=0.4)
    queries = queries_of(texts, 60)
    found = ours.rank(queries, k=10)
    for i, query in enumerate(queries):
        expected = theirs.get_scores(tokens_of(query))
        ours_here = [(document, score) for q, document, score in found if q == i]
        best = np.sort(expected[expected > 0])[::-1][:10]
        scores = [score for _, score in ours_here if score > 0]  # by atire a word of all documents weighs 0
        assert scores == pytest.approx(best.tolist(), rel=1e-12)
        assert [expected[document] for document, _ in ours_here] == pytest.approx(
            [score for _, score in ours_here], abs=1e-12
        )


def test_bm25s_tokens(texts):
    """Their tokens, by options: without stop words and words of one letter; with a stemmer of PyStemmer."""
    bm25s = pytest.importorskip("bm25s")
    stop = sorted(bm25s.stopwords.STOPWORDS_EN_PLUS) if hasattr(bm25s.stopwords, "STOPWORDS_EN_PLUS") else ["the", "of"]
    listed = bm25s.tokenize(texts, stopwords=stop, token_pattern="[a-z0-9]+", show_progress=False)
    ours = akin.bm25(texts, stop_words=[word for word in stop if word.isalnum()])
    cut = {word for word in listed.vocab if word}
    assert cut == set(ours.vocabulary)
    assert ours.words == sum(map(len, listed.ids))


def test_scikit_learn_counts(texts):
    """Term frequencies, vocabulary and document frequencies."""
    text = pytest.importorskip("sklearn.feature_extraction.text")
    counter = text.CountVectorizer(token_pattern="[a-z0-9]+")
    counts = counter.fit_transform(texts).tocoo()
    words = counter.get_feature_names_out()
    ours = akin.bm25(texts)
    vocabulary = ours.vocabulary
    table = ours.table()
    found = {(d, vocabulary[t]): tf for d, t, tf in zip(table["document"], table["term"], table["tf"])}
    assert found == {(d, words[t]): tf for d, t, tf in zip(counts.row, counts.col, counts.data)}
    frequencies = np.bincount(counts.col)
    assert dict(zip(vocabulary, ours.df)) == {word: n for word, n in zip(words, frequencies.tolist())}


@pytest.mark.parametrize("size", [2, 4])
def test_scikit_learn_qgrams(texts, size):
    text = pytest.importorskip("sklearn.feature_extraction.text")
    lines = [" ".join(line.split()) for line in texts[:1000]]  # several blanks are one to scikit-learn
    lines = [line for line in lines if len(line) >= size]
    counter = text.CountVectorizer(analyzer="char", ngram_range=(size, size), lowercase=False)
    counts = counter.fit_transform(lines)
    ours = akin.bm25(lines, tokens=f"qgrams:{size}")
    assert set(ours.vocabulary) == set(counter.get_feature_names_out())
    assert ours.words == counts.sum() and ours.pairs == counts.nnz


@pytest.mark.parametrize("binary", [True, False])
def test_scikit_learn_tfidf(texts, binary):
    """The paper's formula has tf-idf at both ends: with k1 = 0 a term counts once, and b = 0 and a large k1 nearly
    leave tf as it is. scikit-learn adds 1 to the logarithm."""
    text = pytest.importorskip("sklearn.feature_extraction.text")
    vectorizer = text.TfidfVectorizer(token_pattern="[a-z0-9]+", smooth_idf=False, norm=None, binary=binary)
    theirs = vectorizer.fit_transform(texts)
    theirs.data -= theirs.data / vectorizer.idf_[theirs.indices]  # less term frequencies, or ones
    expected = theirs.tocoo()
    words = vectorizer.get_feature_names_out()
    ours = akin.bm25(texts, formula="paper", k1=0 if binary else 1e6, b=0)
    vocabulary, table = ours.vocabulary, ours.table()
    found = {(d, vocabulary[t]): w for d, t, w in zip(table["document"], table["term"], table["weight"])}
    wanted = {(d, words[t]): w for d, t, w in zip(expected.row, expected.col, expected.data)}
    assert found == pytest.approx(wanted, rel=1e-12 if binary else 2e-4, abs=1e-12)


@pytest.mark.parametrize("size", [0, 3])
def test_scikit_learn_cosine_of_weights(texts, size):
    """The scorer tfidf of akin.dedupe: the cosine of words, or runs of characters, that weigh log(1 + N / n)."""
    text = pytest.importorskip("sklearn.feature_extraction.text")
    pairwise = pytest.importorskip("sklearn.metrics.pairwise")
    lines = [" ".join(tokens_of(line)) for line in texts[:400]]
    lines = [line for line in lines if len(line) >= 3]
    how = dict(analyzer="char", ngram_range=(size, size)) if size else dict(token_pattern="[a-z0-9]+")
    vectorizer = text.TfidfVectorizer(binary=True, **how).fit(lines)
    counts = text.CountVectorizer(binary=True, **how).fit_transform(lines)
    vectorizer.idf_ = np.log(1 + len(lines) / np.asarray(counts.sum(axis=0)).ravel())
    similarities = pairwise.cosine_similarity(vectorizer.transform(lines))
    found = akin.dedupe({"text": lines}, f"text:tfidf/{size}" if size else "text:tfidf", all_pairs=True, threshold=0.2)
    expected = np.triu(similarities, 1)
    values = expected[found["left"], found["right"]]
    assert np.abs(np.array(found["similarity"]) - values).max() < 1e-3  # weights are rounded to 1024ths
    expected[found["left"], found["right"]] = 0
    assert expected.max() < 0.201 and len(found) > 20


def test_scikit_learn_neighbours(texts):
    """The most similar documents, by the cosine of their sets of words."""
    text = pytest.importorskip("sklearn.feature_extraction.text")
    neighbors = pytest.importorskip("sklearn.neighbors")
    counter = text.CountVectorizer(token_pattern="[a-z0-9]+", binary=True, dtype=np.float64)
    vectors = counter.fit_transform(texts)
    queries = queries_of(texts, 30)
    nearest = neighbors.NearestNeighbors(n_neighbors=5, metric="cosine", algorithm="brute").fit(vectors)
    distances, _ = nearest.kneighbors(counter.transform(queries))
    found = akin.Index.build(texts).search(queries, k=5, measure="cosine")
    assert found["similarity"] == pytest.approx((1 - distances).ravel().tolist(), abs=1e-12)
    matrix = counter.transform(queries) @ vectors.T
    assert found["count"] == [matrix[q, o] for q, o in zip(found["query"], found["object"])]


def test_scikit_learn_measures(lines_of):
    """How good a ranking is: what akin finds by the queries of Cranfield is as good by scikit-learn as by others."""
    metrics = pytest.importorskip("sklearn.metrics")
    queries = list(records_of(lines_of("text/cranfield/cran.qry")))
    documents = abstracts(lines_of)
    judged = {}
    for line in lines_of("text/cranfield/QRelsCorrectedforTRECeval"):
        query, _, document, relevance = line.split()
        judged.setdefault(int(query), {})[int(document) - 1] = int(relevance)
    found = akin.bm25(documents, formula="paper").rank(queries, k=10)
    gains = []
    for i in range(len(queries)):
        relevance, scores = np.zeros(len(documents)), np.zeros(len(documents))
        for document, value in judged[i + 1].items():
            relevance[document] = value
        for query, document, score in found:
            if query == i:
                scores[document] = score
        gains.append(metrics.ndcg_score([relevance], [scores], k=10))
    assert np.mean(gains) == pytest.approx(0.5065, abs=1e-4)
