"""The peers of bench/linkage.py: how each is set up for each table, and how it is run.

    python3 bench/linkage_peers.py PEER TABLE FOLDER OUT

FOLDER has table.csv, or left.csv and right.csv, whose ids are in the column `id`; OUT gets a JSON file: the pairs that
the peer decides for, pairs with scores (for the best threshold), and its version. Columns that hold gold are not in the
tables. gold.csv is read for dedupe only: its documentation has a person label pairs, and gold answers here.

Each function of a class of CONFIGURE sets one peer up for one table. We wrote it from the columns and the
documentation, without a look at gold. Its lines are what the table calls lines of configuration.
"""

import collections
import csv
import inspect
import json
import random
import re
import sys
from pathlib import Path

LABELS = 100
HELD_OUT = {
    "febrl1": "febrl3",
    "febrl2": "febrl3",
    "rldata500": "rldata",
    "rldata10000": "rldata",
    "fake_20000": "fake_1000",
}

# What peers share.


def read(folder):
    names = ("table.csv",) if (folder / "table.csv").exists() else ("left.csv", "right.csv")
    return [list(csv.DictReader(open(folder / name, newline="", encoding="utf-8"))) for name in names]


def frames(folder):
    """Data frames with lower-case text, missing values for empty ones, and names that are words of SQL."""
    import pandas

    tables = [pandas.DataFrame(rows).astype("object") for rows in read(folder)]
    shared = [column for column in tables[0].columns if all(column in table.columns for table in tables)]
    made = []
    for table in tables:
        table = table[shared].rename(columns=lambda name: {"by": "byear"}.get(name, re.sub(r"\W", "_", name)))
        for column in table.columns:
            if column != "id":
                table[column] = table[column].str.lower().str.strip().replace("", None)
        made.append(table)
    return made


def function_of(peer, table):
    name = HELD_OUT.get(table, table)
    return getattr(CONFIGURE[peer], re.sub(r"\W", "_", name), None)


def lines_of(peer, table):
    """Lines of a configuration, without the head of its function."""
    function = function_of(peer, table) if peer in CONFIGURE else None
    return len(inspect.getsource(function).rstrip().split("\n")) - 1 if function else 0


# Splink: https://moj-analytical-services.github.io/splink (tutorials and examples of persons, links and transactions).


def words_of(tables, *columns):
    """Columns of words for Splink, which compares no words itself: all words, the rarest of them, the first."""
    for column in columns:
        lists = [[re.findall(r"\w+", value) if value else [] for value in table[column]] for table in tables]
        seen = collections.Counter(word for of in lists for words in of for word in set(words))
        rarest = lambda words: sorted({word for word in words if seen[word] > 1}, key=lambda word: (seen[word], word))[
            :4
        ]
        for table, of in zip(tables, lists):
            table[f"{column}_words"] = [sorted(set(words)) or None for words in of]
            table[f"{column}_rare"] = [rarest(words) or None for words in of]
            table[f"{column}_first"] = [words[0] if words else None for words in of]


def cut(tables, column, pattern, into=None):
    """A column without what the pattern finds."""
    for table in tables:
        table[into or column] = table[column].str.replace(pattern, "", regex=True).str.strip().replace("", None)


def joined(tables, into, *columns):
    """A column of the words of several columns."""
    for table in tables:
        table[into] = table[list(columns)].fillna("").agg(" ".join, axis=1).str.strip().replace("", None)


def numbers_of(tables, *columns):
    import pandas

    for table in tables:
        for column in columns:
            values = pandas.to_numeric(table[column].str.replace(r"[^\d.]", "", regex=True), errors="coerce")
            table[column] = values.where(values > 0)


class Tools:
    """Short names for what Splink's configurations need."""

    def __init__(self):
        import splink.comparison_level_library as levels
        import splink.comparison_library as comparisons
        from splink import block_on

        self.levels, self.library, self.block = levels, comparisons, block_on

    def name(self, column):
        return self.library.NameComparison(column).configure(term_frequency_adjustments=True)

    def exact(self, column):
        return self.library.ExactMatch(column).configure(term_frequency_adjustments=True)

    def typed(self, column):
        return self.library.DamerauLevenshteinAtThresholds(column, [1, 2])

    def similar(self, column, *thresholds):
        return self.library.JaroWinklerAtThresholds(column, list(thresholds or (0.92, 0.8)))

    def by_levels(self, column, of, conditions):
        made = [self.levels.NullLevel(of)] + [self.levels.CustomLevel(condition) for condition in conditions]
        return self.library.CustomComparison(made + [self.levels.ElseLevel()], output_column_name=column)

    def text(self, column):
        of = f"{column}_words"
        both, either = f"list_intersect({of}_l, {of}_r)", f"list_distinct(list_concat({of}_l, {of}_r))"
        shares = [f"len({both}) >= {share} * len({either})" for share in (0.8, 0.6, 0.4, 0.2)]
        return self.by_levels(column, of, [f"{of}_l = {of}_r", *shares])

    def number(self, column, *shares):
        far, least = f"abs({column}_l - {column}_r)", f"greatest({column}_l, {column}_r)"
        return self.by_levels(
            column, column, [f"{far} <= {share} * {least}" for share in shares or (0, 0.01, 0.1, 0.3)]
        )

    def rare(self, column):
        return self.block(f"{column}_rare", arrays_to_explode=[f"{column}_rare"])


class Splink:
    """compare: comparisons. block: the pairs. sure and recall: rules for the prior, or prior. train: blocks of EM."""

    def restaurants(t, tables):
        words_of(tables, "name", "addr")
        return dict(
            compare=[t.text("name"), t.text("addr"), t.exact("city"), t.typed("phone")],
            block=[t.rare("name"), t.rare("addr"), t.block("phone")],
            sure=[t.block("name", "city"), t.block("phone")],
            recall=0.5,
            train=[t.block("name"), t.block("phone")],
        )

    def dblp_acm(t, tables):
        words_of(tables, "title", "authors")
        return dict(
            compare=[t.text("title"), t.text("authors"), t.exact("year")],
            block=[t.rare("title"), t.block("title")],
            sure=[t.block("title", "year")],
            recall=0.7,
            train=[t.block("title"), t.block("authors_first", "year")],
        )

    def abt_buy(t, tables):
        words_of(tables, "name", "description")
        numbers_of(tables, "price")
        return dict(
            compare=[t.text("name"), t.text("description"), t.number("price")],
            block=[t.rare("name")],
            sure=[t.block("name")],
            recall=0.1,
            train=[t.block("name_first"), t.block("price")],
        )

    def febrl3(t, tables):
        persons = ["soc_sec_id", "date_of_birth", "postcode"]
        return dict(
            compare=[
                t.name("given_name"),
                t.name("surname"),
                *map(t.typed, persons),
                t.exact("street_number"),
                t.similar("address_1"),
                t.similar("suburb"),
            ],
            block=[
                t.block("given_name", "surname"),
                t.block("surname", "postcode"),
                t.block("date_of_birth"),
                t.block("soc_sec_id"),
                t.block("address_1", "street_number"),
                t.block("given_name", "postcode"),
            ],
            sure=[t.block("soc_sec_id"), t.block("given_name", "surname", "date_of_birth")],
            recall=0.8,
            train=[t.block("date_of_birth"), t.block("postcode"), t.block("given_name", "surname")],
        )

    febrl4 = febrl3

    def fake_1000(t, tables):
        return dict(
            compare=[
                t.name("first_name"),
                t.name("surname"),
                t.exact("city"),
                t.library.EmailComparison("email"),
                t.library.DateOfBirthComparison("dob", input_is_string=True),
            ],
            block=[
                t.block("first_name", "city"),
                t.block("surname", "city"),
                t.block("dob"),
                t.block("email"),
                t.block("first_name", "surname"),
            ],
            sure=[t.block("first_name", "dob"), t.block("surname", "dob"), t.block("email")],
            recall=0.7,
            train=[t.block("first_name", "surname"), t.block("dob"), t.block("email")],
        )

    def transactions(t, tables):
        words_of(tables, "memo")
        numbers_of(tables, "amount")
        days = "date_diff('day', cast(transaction_date_l as date), cast(transaction_date_r as date))"
        late = [f"abs({days}) <= {number}" for number in (1, 4, 10, 30)]
        for table in tables:
            table["start"], table["rounded"] = table["memo"].str[:9], table["amount"].round(-1)
            table["month"] = table["transaction_date"].str[:7]
        return dict(
            compare=[
                t.text("memo"),
                t.number("amount", 0, 0.01, 0.03, 0.1),
                t.by_levels("late", "transaction_date", late),
            ],
            block=[
                t.block("transaction_date", "memo_first"),
                t.block("month", "amount"),
                t.block("start", "month"),
                t.block("rounded", "memo_first", "month"),
            ],
            sure=[t.block("memo", "amount", "month")],
            recall=0.3,
            train=[t.block("memo"), t.block("amount"), t.block("transaction_date")],
        )

    def cora(t, tables):
        words_of(tables, "title", "author", "venue", "publisher")
        return dict(
            compare=[
                t.text("title"),
                t.text("author"),
                t.text("venue"),
                t.similar("pages"),
                t.similar("year"),
                t.exact("volume"),
            ],
            block=[t.rare("title"), t.block("title"), t.block("author")],
            sure=[t.block("title", "author")],
            recall=0.3,
            train=[t.block("title"), t.block("author")],
        )

    def historical_50k(t, tables):
        return dict(
            compare=[
                t.library.ForenameSurnameComparison(
                    "first_name", "surname", forename_surname_concat_col_name="first_and_surname"
                ),
                t.library.DateOfBirthComparison("dob", input_is_string=True),
                t.library.PostcodeComparison("postcode_fake"),
                t.exact("birth_place"),
                t.exact("occupation"),
            ],
            block=[
                t.block("substr(first_name,1,3)", "substr(surname,1,4)"),
                t.block("surname", "dob"),
                t.block("first_name", "dob"),
                t.block("postcode_fake", "first_name"),
                t.block("postcode_fake", "surname"),
                t.block("dob", "birth_place"),
                t.block("substr(postcode_fake,1,3)", "dob"),
                t.block("substr(postcode_fake,1,3)", "first_name", "surname"),
            ],
            sure=[
                t.block("first_name", "surname", "dob"),
                t.block("dob", "postcode_fake"),
                t.block("substr(first_name,1,2)", "surname", "substr(postcode_fake,1,2)"),
            ],
            recall=0.6,
            train=[t.block("first_name", "surname"), t.block("dob")],
        )

    def rldata(t, tables):
        return dict(
            compare=[t.name("fname_c1"), t.name("lname_c1"), t.exact("byear"), t.exact("bm"), t.exact("bd")],
            block=[
                t.block("fname_c1", "lname_c1"),
                t.block("byear", "bm", "bd"),
                t.block("lname_c1", "byear"),
                t.block("fname_c1", "byear", "bm"),
                t.block("fname_c1", "bm", "bd"),
                t.block("lname_c1", "bm", "bd"),
            ],
            sure=[t.block("fname_c1", "lname_c1", "byear"), t.block("lname_c1", "byear", "bm", "bd")],
            recall=0.7,
            train=[t.block("fname_c1", "lname_c1"), t.block("byear", "bm", "bd")],
        )

    def febrl_zingg(t, tables):
        return dict(
            compare=[
                t.name("fname"),
                t.name("lname"),
                t.typed("ssn"),
                t.typed("dob"),
                t.typed("areacode"),
                t.exact("stNo"),
                t.similar("add1"),
                t.similar("city"),
            ],
            block=[
                t.block("fname", "lname"),
                t.block("lname", "areacode"),
                t.block("dob"),
                t.block("ssn"),
                t.block("add1", "stNo"),
                t.block("fname", "areacode"),
            ],
            sure=[t.block("ssn"), t.block("fname", "lname", "dob")],
            recall=0.8,
            train=[t.block("dob"), t.block("areacode"), t.block("fname", "lname")],
        )

    def census_cis(t, tables):
        for table in tables:
            parts = [table[column].fillna("") for column in ("dob_year", "dob_mon", "dob_day")]
            table["dob"] = parts[0] + "-" + parts[1] + "-" + parts[2]
        return dict(
            compare=[
                t.name("pername1"),
                t.name("pername2"),
                t.exact("sex"),
                t.typed("dob"),
                t.similar("enumcap"),
                t.typed("enumpc"),
            ],
            block=[
                t.block("enumpc", "pername1"),
                t.block("enumpc", "dob"),
                t.block("pername1", "pername2"),
                t.block("dob", "sex"),
                t.block("enumcap", "pername1"),
            ],
            sure=[t.block("pername1", "pername2", "enumpc"), t.block("pername1", "pername2", "dob")],
            recall=0.8,
            train=[t.block("pername1", "pername2"), t.block("dob"), t.block("enumpc")],
        )

    def foreigners(t, tables):
        return dict(
            compare=[t.name("fname"), t.name("surname"), t.typed("date"), t.exact("region"), t.exact("country")],
            block=[
                t.block("date", "country"),
                t.block("fname", "surname"),
                t.block("surname", "region"),
                t.block("fname", "country", "substr(date, 6)"),
            ],
            sure=[t.block("fname", "surname", "date"), t.block("surname", "date", "country")],
            recall=0.7,
            train=[t.block("fname", "surname"), t.block("date")],
        )

    def amazon_google(t, tables):
        words_of(tables, "title")
        numbers_of(tables, "price")
        return dict(
            compare=[t.text("title"), t.similar("manufacturer"), t.number("price")],
            block=[t.rare("title"), t.block("title")],
            sure=[t.block("title")],
            recall=0.1,
            train=[t.block("title_first"), t.block("price")],
        )

    def walmart_amazon(t, tables):
        words_of(tables, "title")
        numbers_of(tables, "price")
        return dict(
            compare=[t.text("title"), t.similar("modelno", 0.95, 0.85), t.number("price"), t.similar("brand", 0.9)],
            block=[t.rare("title"), t.block("modelno")],
            sure=[t.block("modelno", "brand")],
            recall=0.5,
            train=[t.block("modelno"), t.block("brand", "title_first")],
        )

    def beer(t, tables):
        words_of(tables, "Beer_Name", "Brew_Factory_Name")
        numbers_of(tables, "ABV")
        return dict(
            compare=[t.text("Beer_Name"), t.text("Brew_Factory_Name"), t.exact("Style"), t.number("ABV")],
            block=[t.rare("Beer_Name"), t.block("Beer_Name"), t.block("Brew_Factory_Name_first", "ABV")],
            sure=[t.block("Beer_Name", "Brew_Factory_Name_first")],
            recall=0.5,
            train=[t.block("Beer_Name"), t.block("Brew_Factory_Name", "Style")],
        )

    def itunes_amazon(t, tables):
        words_of(tables, "Song_Name", "Artist_Name", "Album_Name", "CopyRight")
        return dict(
            compare=[
                t.text("Song_Name"),
                t.text("Artist_Name"),
                t.text("Album_Name"),
                t.text("CopyRight"),
                t.exact("Time"),
            ],
            block=[t.block("Song_Name_first", "Artist_Name_first"), t.block("Time", "Artist_Name_first")],
            sure=[t.block("Song_Name", "Artist_Name", "Album_Name")],
            recall=0.4,
            train=[t.block("Song_Name", "Artist_Name"), t.block("Time", "Artist_Name")],
        )

    def rest1_rest2(t, tables):
        for table in tables:
            table["digits"] = table["phone_number"].str.replace(r"\D", "", regex=True)
        return dict(
            compare=[t.similar("name"), t.typed("digits"), t.similar("street")],
            block=[t.block("digits"), t.block("name"), t.block("street"), t.block("substr(name, 1, 3)")],
            sure=[t.block("digits")],
            recall=0.8,
            train=[t.block("name"), t.block("digits")],
        )

    def imdb_tmdb(t, tables):
        words_of(tables, "title")
        return dict(
            compare=[
                t.text("title"),
                t.name("name"),
                t.exact("episodeNumber"),
                t.exact("seasonNumber"),
                t.exact("year"),
                t.exact("birth"),
            ],
            block=[t.block("title"), t.block("name"), t.rare("title")],
            sure=[t.block("title", "seasonNumber", "episodeNumber"), t.block("name")],
            recall=0.8,
            train=[t.block("title"), t.block("episodeNumber", "seasonNumber")],
        )

    def imdb_tvdb(t, tables):
        words_of(tables, "title")
        return dict(
            compare=[t.text("title"), t.name("name"), t.exact("episodeNumber"), t.exact("seasonNumber")],
            block=[t.block("title"), t.block("name"), t.rare("title")],
            sure=[t.block("title", "seasonNumber", "episodeNumber"), t.block("name")],
            recall=0.8,
            train=[t.block("title"), t.block("episodeNumber", "seasonNumber")],
        )

    def tmdb_tvdb(t, tables):
        words_of(tables, "title")
        return dict(
            compare=[
                t.text("title"),
                t.name("name"),
                t.similar("abstract"),
                t.exact("episodeNumber"),
                t.exact("seasonNumber"),
                t.exact("releaseDate"),
            ],
            block=[t.block("title"), t.block("name"), t.rare("title")],
            sure=[t.block("title", "seasonNumber", "episodeNumber"), t.block("name")],
            recall=0.8,
            train=[t.block("title"), t.block("episodeNumber", "seasonNumber")],
        )

    def imdb_dbpedia(t, tables):
        for table in tables:
            table["title"] = table["title"].str.replace(r" \(.*", "", regex=True)
        words_of(tables, "title", "actors")
        return dict(
            compare=[t.text("title"), t.text("actors")],
            block=[t.rare("title"), t.block("title")],
            sure=[t.block("title")],
            recall=0.7,
            train=[t.block("title"), t.block("actors")],
        )

    def chicago(t, tables):
        words_of(tables, "Site_name", "Address")
        return dict(
            compare=[t.text("Site_name"), t.text("Address"), t.typed("Zip"), t.typed("Phone")],
            block=[t.block("Phone"), t.block("Address"), t.rare("Site_name"), t.rare("Address")],
            sure=[t.block("Phone", "Address"), t.block("Site_name", "Address")],
            recall=0.6,
            train=[t.block("Phone"), t.block("Address")],
        )

    def patents(t, tables):
        words_of(tables, "Name", "Coauthor", "Class")
        return dict(
            compare=[t.text("Name"), t.text("Coauthor"), t.text("Class")],
            block=[t.block("Name_first"), t.rare("Name"), t.rare("Coauthor")],
            sure=[t.block("Name")],
            recall=0.6,
            train=[t.block("Name"), t.block("Class_first")],
        )

    def musicbrainz(t, tables):
        cut(tables, "title", r"^\d+-")
        cut(tables, "number", r"^0+|\D")
        cut(tables, "year", r"\D|^19|^20|null")
        cut(tables, "language", r"(?<=^.{2}).*")
        words_of(tables, "title", "artist", "album")
        return dict(
            compare=[
                t.text("title"),
                t.text("artist"),
                t.text("album"),
                t.exact("number"),
                t.exact("year"),
                t.exact("language"),
            ],
            block=[t.rare("title"), t.block("title"), t.block("artist", "number")],
            sure=[t.block("title", "artist")],
            recall=0.2,
            train=[t.block("title"), t.block("artist", "number")],
        )

    def cytology(t, tables):
        words_of(tables, "title", "author")
        return dict(
            compare=[
                t.text("title"),
                t.text("author"),
                t.similar("journal"),
                t.exact("year"),
                t.exact("volume"),
                t.typed("pages"),
            ],
            block=[t.rare("title"), t.block("title"), t.block("volume", "pages")],
            sure=[t.block("title", "year")],
            recall=0.7,
            train=[t.block("title"), t.block("volume", "pages")],
        )

    def digital_work(t, tables):
        words_of(tables, "title", "author")
        cut(tables, "pages", r"\s|-.*")
        return dict(
            compare=[
                t.text("title"),
                t.text("author"),
                t.similar("journal"),
                t.exact("year"),
                t.exact("volume"),
                t.exact("number"),
                t.exact("pages"),
                t.exact("doi"),
            ],
            block=[t.rare("title"), t.block("title"), t.block("doi"), t.block("journal", "volume", "pages")],
            sure=[t.block("title", "author"), t.block("doi")],
            recall=0.7,
            train=[t.block("title"), t.block("journal", "volume", "pages")],
        )

    def census(t, tables):
        return dict(
            compare=[t.name("Attr1"), t.name("Attr2"), t.exact("Attr3"), t.typed("Attr4"), t.similar("Attr5")],
            block=[t.block("Attr4"), t.block("Attr1"), t.block("Attr5", "Attr2"), t.block("Attr2")],
            sure=[t.block("Attr1", "Attr2", "Attr4")],
            recall=0.4,
            train=[t.block("Attr4", "Attr5"), t.block("Attr1"), t.block("Attr2")],
        )

    def notebooks_2(t, tables):
        columns = ("title", "brand", "cpu_model", "ram_capacity", "hdd_capacity", "ssd_capacity")
        words_of(tables, *columns)
        return dict(
            compare=list(map(t.text, columns)),
            block=[t.rare("title"), t.block("brand_first")],
            sure=[t.block("title")],
            recall=0.1,
            train=[t.block("title_first"), t.block("cpu_model")],
        )

    notebooks_3 = notebooks_2

    def memory_cards(t, tables):
        words_of(tables, "name")
        numbers_of(tables, "price")
        return dict(
            compare=[t.text("name"), t.number("price"), t.similar("brand")],
            block=[t.rare("name"), t.block("name")],
            sure=[t.block("name")],
            recall=0.1,
            train=[t.block("name_first"), t.block("price")],
        )

    def truth_set(t, tables):
        names = [f"primary_name_{part}" for part in ("first", "middle", "last", "full", "org")]
        joined(tables, "name", *names)
        joined(tables, "address", "addr_line1", "addr_full", "addr_city", "addr_state", "addr_postal_code")
        cut(tables, "phone_number", r"\D")
        words_of(tables, "name", "address")
        same = ["phone_number", "email_address", "ssn_number", "drivers_license_number", "passport_number"]
        return dict(
            compare=[t.text("name"), t.similar("date_of_birth"), t.text("address"), *map(t.typed, same)],
            block=[t.block("record_type")],
            sure=[t.block("name", "date_of_birth"), t.block("phone_number")],
            recall=0.4,
            train=[t.block("date_of_birth"), t.block("record_type")],
        )

    def three_files(t, tables):
        return dict(
            compare=[
                t.name("gname"),
                t.name("fname"),
                t.typed("phone"),
                t.typed("postcode"),
                t.exact("age"),
                t.exact("occup"),
                t.exact("sex"),
            ],
            block=[t.block("gname"), t.block("fname"), t.block("phone"), t.block("postcode", "substr(gname, 1, 2)")],
            sure=[t.block("phone"), t.block("gname", "fname")],
            recall=0.7,
            train=[t.block("gname"), t.block("fname"), t.block("phone")],
        )

    def voters(t, tables):
        return dict(
            compare=[t.name("givenname"), t.name("surname"), t.similar("suburb"), t.typed("postcode")],
            block=[
                t.block("givenname", "surname"),
                t.block("surname", "postcode"),
                t.block("givenname", "postcode"),
                t.block("surname", "suburb"),
                t.block("givenname", "suburb"),
            ],
            sure=[t.block("givenname", "surname", "postcode"), t.block("givenname", "surname", "suburb")],
            recall=0.5,
            train=[t.block("givenname", "surname"), t.block("postcode", "suburb")],
        )

    voters_2 = voters

    def award_films(t, tables):
        words_of(tables, "title", "actors")
        for table in tables:
            table["year"] = table["date"].str[:4].astype(float)
        return dict(
            compare=[
                t.text("title"),
                t.text("actors"),
                t.by_levels("late", "year", [f"abs(year_l - year_r) <= {years}" for years in (0, 1, 2, 5)]),
            ],
            block=[t.rare("title"), t.block("title"), t.rare("actors")],
            sure=[t.block("title")],
            recall=0.8,
            train=[t.block("title"), t.block("actors")],
        )

    def computers(t, tables):
        words_of(tables, "title", "description")
        cut(tables, "brand", r"@.*|null")
        numbers_of(tables, "price")
        return dict(
            compare=[t.text("title"), t.text("description"), t.similar("brand"), t.number("price")],
            block=[t.rare("title"), t.rare("description")],
            prior=1 / 700,
            train=[t.block("title_first"), t.block("brand")],
        )

    def dblp_scholar(t, tables):
        cut(tables, "year", r"\.0$")
        words_of(tables, "title", "authors", "venue")
        return dict(
            compare=[t.text("title"), t.text("authors"), t.text("venue"), t.exact("year")],
            block=[t.rare("title"), t.block("title")],
            sure=[t.block("title", "authors")],
            recall=0.4,
            train=[t.block("title"), t.block("authors")],
        )


def run_splink(folder, table):
    import logging

    import splink
    from splink import DuckDBAPI, Linker, SettingsCreator

    logging.getLogger("splink").setLevel(logging.CRITICAL)
    tables, tools = frames(folder), Tools()
    told = function_of("splink", table)(tools, tables)
    link = len(tables) == 2
    settings = SettingsCreator(
        link_type="link_only" if link else "dedupe_only",
        comparisons=told["compare"],
        unique_id_column_name="id",
        blocking_rules_to_generate_predictions=told["block"],
        probability_two_random_records_match=told.get("prior", 0.0001),
    )
    backend = DuckDBAPI()
    inputs = [backend.register(rows, dataset_display_name=name) for rows, name in zip(tables, ("one", "two"))]
    linker = Linker(inputs if link else inputs[0], settings)
    if "prior" not in told:
        linker.training.estimate_probability_two_random_records_match(told["sure"], recall=told["recall"])
    linker.training.estimate_u_using_random_sampling(max_pairs=1e6)
    for rule in told["train"]:
        try:
            linker.training.estimate_parameters_using_expectation_maximisation(rule)
        except Exception as error:  # a block without pairs trains nothing
            print(f"splink, {table}: {str(error)[:200]}", file=sys.stderr)
    found = linker.inference.predict(threshold_match_probability=0.01).as_duckdbpyrelation().df()
    left, right = list(found["id_l"]), list(found["id_r"])
    if link:
        pairs = zip(left, right, found["source_dataset_l"])
        left, right = zip(*[(a, b) if of == "one" else (b, a) for a, b, of in pairs]) if left else ((), ())
    scored = [(a, b, float(score)) for a, b, score in zip(left, right, found["match_probability"])]
    return splink.__version__, [pair[:2] for pair in scored if pair[2] >= 0.5], scored


# recordlinkage: https://recordlinkage.readthedocs.io (guides of linking and deduplication; ECM needs no labels).


class RecordLinkage:
    """Blocks of an index, and comparisons: 'exact', or a method for strings, or 'gauss' for numbers."""

    def restaurants(index, compare):
        index.sortedneighbourhood("name", window=9)
        index.sortedneighbourhood("addr", window=9)
        index.block("phone")
        compare.string("name", "name", method="jarowinkler", threshold=0.85)
        compare.string("addr", "addr", method="jarowinkler", threshold=0.85)
        compare.exact("city", "city")
        compare.string("phone", "phone", method="levenshtein", threshold=0.8)

    def dblp_acm(index, compare):
        index.block("year")
        compare.string("title", "title", method="qgram", threshold=0.8)
        compare.string("authors", "authors", method="qgram", threshold=0.7)
        compare.exact("venue", "venue")

    def abt_buy(index, compare):
        index.full()
        compare.string("name", "name", method="qgram", threshold=0.5)
        compare.string("description", "description", method="qgram", threshold=0.4)
        compare.exact("price", "price")

    def febrl3(index, compare):
        for column in ("given_name", "surname", "date_of_birth", "soc_sec_id", "postcode"):
            index.block(column)
        for column in ("given_name", "surname", "address_1"):
            compare.string(column, column, method="jarowinkler", threshold=0.85)
        for column in ("date_of_birth", "soc_sec_id", "suburb", "state"):
            compare.exact(column, column)

    febrl4 = febrl3

    def fake_1000(index, compare):
        index.full()
        for column in ("first_name", "surname", "city"):
            compare.string(column, column, method="jarowinkler", threshold=0.85)
        compare.string("dob", "dob", method="levenshtein", threshold=0.85)
        compare.string("email", "email", method="jarowinkler", threshold=0.9)

    def transactions(index, compare):
        index.block(["transaction_date", "start"])
        index.block("amount")
        compare.string("memo", "memo", method="jarowinkler", threshold=0.85)
        compare.string("amount", "amount", method="levenshtein", threshold=0.7)
        compare.string("transaction_date", "transaction_date", method="levenshtein", threshold=0.85)

    def cora(index, compare):
        index.full()
        compare.string("title", "title", method="qgram", threshold=0.7)
        compare.string("author", "author", method="qgram", threshold=0.6)
        compare.string("venue", "venue", method="qgram", threshold=0.5)
        compare.string("pages", "pages", method="levenshtein", threshold=0.8)
        compare.string("year", "year", method="levenshtein", threshold=0.7)

    def historical_50k(index, compare):
        index.block(["surname", "dob"])
        index.block(["first_name", "dob"])
        index.block("postcode_fake")
        compare.string("first_name", "first_name", method="jarowinkler", threshold=0.85)
        compare.string("surname", "surname", method="jarowinkler", threshold=0.85)
        compare.string("dob", "dob", method="levenshtein", threshold=0.85)
        compare.string("postcode_fake", "postcode_fake", method="levenshtein", threshold=0.8)
        compare.string("birth_place", "birth_place", method="jarowinkler", threshold=0.85)


def run_recordlinkage(folder, table):
    import pandas
    import recordlinkage

    tables = [rows.set_index("id") for rows in frames(folder)]
    for rows in tables:
        if table == "transactions":
            rows["start"] = rows["memo"].str[:4]
    index, compare = recordlinkage.Index(), recordlinkage.Compare()
    function_of("recordlinkage", table)(index, compare)
    features = compare.compute(index.index(*tables), *tables)
    features = features.fillna(0)
    features = features[features.sum(axis=1) > 0]
    classifier = recordlinkage.ECMClassifier(binarize=0.5)
    decided = classifier.fit_predict(features)
    scores = pandas.Series(classifier.prob(features), index=features.index)
    scored = [(a, b, float(score)) for (a, b), score in scores[scores > 0.01].items()]
    return recordlinkage.__version__, list(decided), scored


# dedupe: https://docs.dedupe.io (a person labels the pairs it asks for: gold answers, LABELS pairs).


class Dedupe:
    """The fields of the model."""

    def restaurants(v, tables):
        return [v.String("name"), v.String("addr"), v.ShortString("city"), v.ShortString("phone")]

    def dblp_acm(v, tables):
        return [v.String("title"), v.String("authors", has_missing=True), v.String("venue"), v.Exact("year")]

    def abt_buy(v, tables):
        texts = [row["description"] for table in tables for row in table.values() if row["description"]]
        return [v.String("name"), v.Text("name"), v.Text("description", corpus=texts, has_missing=True)]

    def febrl3(v, tables):
        long = ("given_name", "surname", "address_1", "suburb")
        short = ("street_number", "postcode", "date_of_birth", "soc_sec_id")
        fields = [v.String(name, has_missing=True) for name in long]
        return fields + [v.ShortString(name, has_missing=True) for name in short]

    febrl4 = febrl3

    def fake_1000(v, tables):
        return [v.String(name, has_missing=True) for name in ("first_name", "surname", "dob", "city", "email")]

    def transactions(v, tables):
        return [v.String("memo"), v.ShortString("transaction_date"), v.ShortString("amount")]

    def cora(v, tables):
        return [v.Text(name, has_missing=True) for name in ("title", "author", "venue")] + [
            v.String(name, has_missing=True) for name in ("title", "pages", "year")
        ]

    def historical_50k(v, tables):
        names = ("full_name", "first_name", "surname", "dob", "birth_place", "postcode_fake", "occupation")
        return [v.String(name, has_missing=True) for name in names]

    def musicbrainz(v, tables):
        texts = [v.Text(name, has_missing=True) for name in ("title", "artist", "album")]
        short = [v.ShortString(name, has_missing=True) for name in ("number", "year")]
        return [*texts, v.String("title"), *short]

    def cytology(v, tables):
        texts = [v.Text(name, has_missing=True) for name in ("title", "author")]
        return texts + [v.String(name, has_missing=True) for name in ("title", "year", "volume", "pages", "journal")]

    def digital_work(v, tables):
        return Dedupe.cytology(v, tables) + [v.String("doi", has_missing=True)]

    def census(v, tables):
        return [v.String(f"Attr{number}", has_missing=True) for number in range(1, 6)]

    def notebooks_2(v, tables):
        names = ("title", "brand", "cpu_model", "ram_capacity", "hdd_capacity", "ssd_capacity")
        return [v.Text(name, has_missing=True) for name in names]

    notebooks_3 = notebooks_2

    def notebook_titles(v, tables):
        return [v.String("title"), v.Text("title")]

    def memory_cards(v, tables):
        more = [v.ShortString("price", has_missing=True), v.String("brand", has_missing=True)]
        return [v.String("name"), v.Text("name"), *more]

    def truth_set(v, tables):
        names = ("primary_name_last", "primary_name_first", "primary_name_full", "primary_name_org", "date_of_birth")
        names += ("addr_line1", "addr_full", "phone_number", "email_address")
        return [v.String(name, has_missing=True) for name in names]

    def three_files(v, tables):
        names = ("gname", "fname", "phone", "postcode", "age", "occup", "sex")
        return [v.String(name, has_missing=True) for name in names]

    def voters(v, tables):
        return [v.String(name, has_missing=True) for name in ("givenname", "surname", "suburb", "postcode")]

    voters_2 = voters

    def towns(v, tables):
        return [v.String("name")]

    def companies(v, tables):
        return [v.String("name"), v.Text("name")]

    def award_films(v, tables):
        return [v.String("title", has_missing=True), v.Text("actors", has_missing=True), v.ShortString("date")]

    def computers(v, tables):
        more = [v.Text("description", has_missing=True), v.String("brand", has_missing=True)]
        return [v.String("title"), v.Text("title"), *more]

    def watches(v, tables):
        return [v.String("title"), v.Text("title")]

    def dblp_scholar(v, tables):
        names = ("title", "authors", "venue", "year")
        return [v.String(name, has_missing=True) for name in names]


def run_dedupe(folder, table):
    from importlib.metadata import version

    import dedupe
    import dedupe.variables

    random.seed(1)
    tables = [
        {
            f"{side}{row['id']}": {name: value or None for name, value in row.items() if name != "id"}
            for row in rows.to_dict("records")
        }
        for side, rows in zip("ab", frames(folder))
    ]
    link = len(tables) == 2
    sides = ("a", "b") if link else ("a", "a")
    pairs_of = lambda file: {
        frozenset((sides[0] + row["left"], sides[1] + row["right"]))
        for row in csv.DictReader(open(folder / file, newline=""))
    }
    gold = pairs_of("gold.csv")
    known = pairs_of("labels.csv") if (folder / "labels.csv").exists() else None
    fields = function_of("dedupe", table)(dedupe.variables, tables)
    model = (dedupe.RecordLink if link else dedupe.Dedupe)(fields, num_cores=0)
    model.prepare_training(*tables, sample_size=1500)
    of_record = collections.defaultdict(list)
    for rows in tables:
        for name, row in rows.items():
            of_record[tuple(sorted((column, value) for column, value in row.items() if value))].append(name)
    named = lambda row: of_record[tuple(sorted((column, value) for column, value in row.items() if value))]
    answers = 0
    for _ in range(10 * LABELS):
        if answers == LABELS:
            break
        for one, two in model.uncertain_pairs():
            asked = {frozenset((a, b)) for a in named(one) for b in named(two)}
            if known is not None and not asked & known:  # gold does not know it
                continue
            same, answers = bool(asked & gold), answers + 1
            model.mark_pairs({"match": [(one, two)] if same else [], "distinct": [] if same else [(one, two)]})
    model.train()
    pairs = list(model.pairs(*tables))
    scores = model.score(iter(pairs))
    scored = [(str(a), str(b), float(score)) for (a, b), score in zip(scores["pairs"], scores["score"])]
    if link:
        decided = [(str(a), str(b)) for (a, b), _ in model.one_to_one(scores, threshold=0.5)]
    else:
        groups = [[str(x) for x in members] for members, _ in model.cluster(scores, threshold=0.5)]
        decided = [(a, b) for members in groups for i, a in enumerate(members) for b in members[:i]]
    ordered = lambda a, b: (a[1:], b[1:]) if a[0] == "a" else (b[1:], a[1:])
    return version("dedupe"), [ordered(*pair) for pair in decided], [(*ordered(a, b), score) for a, b, score in scored]


# goldenmatch: https://pypi.org/project/goldenmatch: configures itself.


def run_goldenmatch(folder, table):
    import goldenmatch
    import pyarrow

    tables = [pyarrow.Table.from_pandas(rows) for rows in frames(folder)]
    at = [list(rows["id"].to_pylist()) for rows in tables]
    if len(tables) == 1:
        found = goldenmatch.dedupe_df(tables[0].drop(["id"]), confidence_required=False)
        groups = [[at[0][row] for row in cluster["members"]] for cluster in found.clusters.values()]
        decided = [(a, b) for members in groups for i, a in enumerate(members) for b in members[:i]]
        scored = [(at[0][a], at[0][b], float(score)) for a, b, score in found.scored_pairs]
        return goldenmatch.__version__, decided, scored
    found = goldenmatch.match_df(*tables, exclude_columns=["id"], confidence_required=False)
    if found.matched is None or not found.matched.num_rows:
        return goldenmatch.__version__, [], []
    rows = found.matched.to_pandas()
    score = next(name for name in rows.columns if "score" in name)
    pairs = list(zip(rows["target_id"], rows["ref_id"], rows[score].astype(float)))
    return goldenmatch.__version__, [pair[:2] for pair in pairs], pairs


CONFIGURE = {"splink": Splink, "recordlinkage": RecordLinkage, "dedupe": Dedupe}
RUN = {"splink": run_splink, "recordlinkage": run_recordlinkage, "dedupe": run_dedupe, "goldenmatch": run_goldenmatch}


def main():
    peer, table, folder, out = sys.argv[1:]
    version, decided, scored = RUN[peer](Path(folder), table)
    text = lambda pair: [str(pair[0]), str(pair[1]), *pair[2:]]
    told = {"version": version, "decided": list(map(text, decided)), "scored": list(map(text, scored))}
    Path(out).write_text(json.dumps(told))


if __name__ == "__main__":
    main()
