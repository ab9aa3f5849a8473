"""Rules that a careful person wrote for akin, for bench/linkage.py: the peer `hand`.

Each was written from the columns and from pairs that akin found with these options, as a practitioner does: without
gold, and before akin without rules was run on the table.
"""

from pathlib import Path

NICKNAMES = Path(__file__).resolve().parent.parent / "examples/data/nicknames.txt"

RULES = {
    "musicbrainz": """
        --fold all --combine song=title+artist+album --nearest 10:song --nearest 5:title:words
        --compare song:tfidf:0:2 --compare title:jaccard:0:1 --compare song:cosine/3:0:1 --compare number:number:0.5:1
        --missing skip --threshold 0.52 --cluster average
    """,
    "cytology": """
        --fold all --nearest 10:title --block volume+pages --compare title:cosine/3:0.4:4 --compare author:monge-elkan:0.6:2
        --compare year:exact:0:1 --compare volume:exact:0:1 --compare pages:levenshtein:0.6:2 --compare journal:jaro-winkler:0.7:1
        --missing skip --evidence 0.5 --threshold 0.7 --cluster average
    """,
    "digital-work": """
        --fold all --nearest 10:title --block doi --block journal+volume+pages --compare title:cosine/3:0.4:4
        --compare author:monge-elkan:0.6:2 --compare year:number/2:0:1 --compare volume:exact:0:1 --compare number:exact:0:1
        --compare pages:levenshtein:0.6:2 --compare journal:jaro-winkler:0.7:1 --compare booktitle:jaccard:0:1
        --compare doi:exact:0:3 --missing skip --evidence 0.5 --threshold 0.76 --cluster average
    """,
    "census": """
        --fold all --all-pairs --compare Attr2:jaro-winkler:0.75:5 --compare Attr1:jaro-winkler:0.75:2
        --compare Attr4:levenshtein:0.6:2 --compare Attr5:jaro-winkler:0.7:1 --compare Attr3:exact:0:1.5
        --missing skip --evidence 0.5 --threshold 0.72 --one-to-one
    """,
    "notebooks-2": """
        --fold all --all-pairs --combine text=brand+title --compare text:tfidf:0:2 --compare title:codes:0:2
        --compare cpu_model:tfidf:0:1 --compare hdd_capacity:codes:0:1 --missing skip --threshold 0.75 --cluster average
    """,
    "notebook-titles": """
        --fold all --nearest 20:title --nearest 20:title:words --compare title:tfidf:0:2 --compare title:codes:0:2
        --missing skip --threshold 0.75 --cluster average
    """,
    "memory-cards": """
        --fold all --nearest 10:name --nearest 10:name:words --compare name:tfidf:0:2 --compare name:jaccard:0:1
        --compare name:codes:0:2 --compare name:cosine/3:0:1 --missing skip --threshold 0.76 --cluster average
    """,
    "truth-set": """
        --fold all --all-pairs
        --combine name=primary_name_first+primary_name_middle+primary_name_last+primary_name_full+primary_name_org
        --combine address=addr_line1+addr_full+addr_city+addr_state+addr_postal_code --synonyms name:NICKNAMES
        --compare name:monge-elkan:0.7:3 --compare name:jaccard:0:1 --compare date_of_birth:levenshtein:0.7:2
        --compare address:tfidf:0:2 --compare phone_number:jaccard/4:0.3:2 --compare email_address:tfidf/3:0.5:1
        --compare ssn_number:exact:0:2 --compare passport_number:exact:0:2 --compare drivers_license_number:exact:0:2
        --compare national_id_number:exact:0:2 --missing skip --evidence 0.25 --threshold 0.7 --cluster average
    """,
    "three-files": """
        --fold all --block gname --block fname --block phone --block postcode+gname:prefix:2 --block age+fname:prefix:3
        --block postcode+fname:prefix:2 --compare gname:jaro-winkler:0.75:2 --compare fname:jaro-winkler:0.75:3
        --compare phone:levenshtein:0.6:4 --compare postcode:levenshtein:0.5:1 --compare age:exact:0:1 --compare occup:exact:0:1
        --compare sex:exact:0:0.5 --missing skip --evidence 0.55 --threshold 0.68 --cluster average
    """,
    "towns": """
        --fold all --all-pairs --compare name:jaro-winkler --threshold 0.75 --cluster average:0.6
    """,
    "companies": """
        --fold all --all-pairs --compare name:tfidf:0:2 --compare name:jaro-winkler:0:1 --threshold 0.5 --cluster average:0.4
    """,
    "award-films": """
        --fold all --nearest 10:title --block actors --block title --compare title:jaro-winkler:0.8:3
        --compare actors:monge-elkan:0.7:3 --compare date:date/1500:0:1 --missing skip --threshold 0.7 --one-to-one
    """,
    "computers": """
        --fold all --combine text=title+description --nearest 10:title --nearest 10:title:codes --nearest 10:text
        --compare title:tfidf:0:2 --compare text:codes:0:2 --compare text:tfidf:0:1 --missing skip --threshold 0.62
    """,
    "watches": """
        --fold all --all-pairs --compare title:codes:0:1 --compare title:tfidf:0:2 --missing skip --threshold 0.68
    """,
    "dblp-scholar": """
        --fold all --nearest 10:title --compare title:cosine/3:0.5:4 --compare authors:monge-elkan:0.6:2
        --compare year:number/2:0:1 --compare venue:jaccard:0:0.5 --missing skip --evidence 0.6 --threshold 0.79
    """,
}
RULES["notebooks-3"] = RULES["notebooks-2"]


def options(table):
    """Options of the command, without --id and outputs; none if nobody wrote rules for the table."""
    return RULES[table].replace("NICKNAMES", str(NICKNAMES)).split() if table in RULES else None


def lines_of(table):
    return len(RULES.get(table, "").strip().split("\n"))
