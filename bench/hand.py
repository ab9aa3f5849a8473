"""Rules that a careful person wrote for akin, for bench/linkage.py: the peer `hand`.

Each was written from the columns and from pairs that akin found with these options, as a practitioner does: without
gold. Those of the tables of bench/kept.py were written before akin without rules was run on the table. Those of
bench/held_out.py were written later, when its figures and its errors were known.
"""

import shlex
from pathlib import Path

NICKNAMES = Path(__file__).resolve().parent.parent / "examples/data/nicknames.txt"

RULES = {
    "musicbrainz": """
        --fold all --combine song=title+artist+album --nearest 10:song --nearest 5:title:words --compare song:tfidf:0:2
        --compare title:jaccard:0:1 --compare song:cosine/3:0:1 --compare number:number:0.5:1 --missing skip
        --threshold 0.52 --cluster average
    """,
    "cytology": """
        --fold all --nearest 10:title --block volume+pages --compare title:cosine/3:0.4:4
        --compare author:monge-elkan:0.6:2 --compare year:exact:0:1 --compare volume:exact:0:1
        --compare pages:levenshtein:0.6:2 --compare journal:jaro-winkler:0.7:1 --missing skip --evidence 0.5
        --threshold 0.7 --cluster average
    """,
    "digital-work": """
        --fold all --nearest 10:title --block doi --block journal+volume+pages --compare title:cosine/3:0.4:4
        --compare author:monge-elkan:0.6:2 --compare year:number/2:0:1 --compare volume:exact:0:1
        --compare number:exact:0:1 --compare pages:levenshtein:0.6:2 --compare journal:jaro-winkler:0.7:1
        --compare booktitle:jaccard:0:1 --compare doi:exact:0:3 --missing skip --evidence 0.5 --threshold 0.76
        --cluster average
    """,
    "census": """
        --fold all --all-pairs --compare Attr2:jaro-winkler:0.75:5 --compare Attr1:jaro-winkler:0.75:2
        --compare Attr4:levenshtein:0.6:2 --compare Attr5:jaro-winkler:0.7:1 --compare Attr3:exact:0:1.5 --missing skip
        --evidence 0.5 --threshold 0.72 --one-to-one
    """,
    "notebooks-2": """
        --fold all --all-pairs --combine text=brand+title --compare text:tfidf:0:2 --compare title:codes:0:2
        --compare cpu_model:tfidf:0:1 --compare hdd_capacity:codes:0:1 --missing skip --threshold 0.75
        --cluster average
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
        --compare phone:levenshtein:0.6:4 --compare postcode:levenshtein:0.5:1 --compare age:exact:0:1
        --compare occup:exact:0:1 --compare sex:exact:0:0.5 --missing skip --evidence 0.55 --threshold 0.68
        --cluster average
    """,
    "voters": """
        --fold all --block givenname+surname --block surname+postcode --block givenname+postcode --block surname+suburb
        --block givenname+suburb --block postcode+surname:prefix:2 --block surname:soundex+givenname:soundex
        --compare givenname:jaro-winkler:0.7:3 --compare surname:jaro-winkler:0.7:3 --compare suburb:jaro-winkler:0.8:1
        --compare postcode:osa:0.5:2 --threshold 0.87 --cluster average
    """,
    "voters-2": """
        --fold all --block givenname+surname --block surname+postcode --block givenname+postcode --block surname+suburb
        --block givenname+suburb --block postcode+surname:prefix:2 --block surname:soundex+givenname:soundex
        --compare givenname:jaro-winkler:0.7:3 --compare surname:jaro-winkler:0.7:3 --compare suburb:jaro-winkler:0.8:1
        --compare postcode:osa:0.5:2 --threshold 0.86 --one-to-one
    """,
    "towns": """
        --fold all --all-pairs --compare name:jaro-winkler --threshold 0.75 --cluster average:0.6
    """,
    "companies": """
        --fold all --all-pairs --compare name:tfidf:0:2 --compare name:jaro-winkler:0:1 --threshold 0.5
        --cluster average:0.4
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
    "amazon-google": """
        --fold all --combine text=title+manufacturer --nearest 10:title --nearest 10:text --compare text:tfidf:0:3
        --compare title:cosine/3:0:1 --compare title:codes:0:1 --compare price:percent/30:0:0.5 --missing skip
        --threshold 0.62 --one-to-one
    """,
    "walmart-amazon": """
        --fold all --nearest 10:title --block modelno --compare title:tfidf:0:2 --compare modelno:jaro-winkler:0.9:2
        --compare brand:jaro-winkler:0.85:1 --compare price:percent/50:0:0.5 --missing skip --threshold 0.72
        --one-to-one
    """,
    "beer": """
        --fold all --nearest 10:Beer_Name --nearest 10:Brew_Factory_Name --compare Beer_Name:tfidf:0:3
        --compare Brew_Factory_Name:tfidf:0:2 --compare ABV:number:0:1 --missing skip --threshold 0.68 --one-to-one
    """,
    "itunes-amazon": """
        --fold all --combine song=Song_Name+Artist_Name --nearest 20:song:words --block Time+Artist_Name:prefix:4
        --compare Song_Name:tfidf:0:3 --compare Artist_Name:tfidf:0:1 --compare Album_Name:tfidf:0:2
        --compare Time:exact:0:2 --threshold 0.7
    """,
    "rest1-rest2": """
        --fold all --all-pairs --compare phone_number:jaccard/4:0.5:3 --compare name:jaro-winkler:0.8:2
        --compare street:tfidf:0:2 --missing skip --evidence 0.2 --threshold 0.58 --one-to-one
    """,
    "imdb-tmdb": """
        --fold all --nearest 10:title --nearest 10:name --block title --block name --compare title:tfidf:0:4
        --compare name:jaro-winkler:0.85:4 --compare episodeNumber:exact:0:1 --compare seasonNumber:exact:0:1
        --compare year:date/1000:0:1 --compare birth:exact:0:1 --missing skip --evidence 0.3 --threshold 0.6
        --one-to-one
    """,
    "imdb-tvdb": """
        --fold all --nearest 10:title --nearest 10:name --block title --block name --compare title:tfidf:0:4
        --compare name:jaro-winkler:0.85:4 --compare episodeNumber:exact:0:1 --compare seasonNumber:exact:0:1
        --missing skip --evidence 0.3 --threshold 0.65 --one-to-one
    """,
    "tmdb-tvdb": """
        --fold all --nearest 10:title --nearest 10:name --block title --block name --block releaseDate+episodeNumber
        --compare title:tfidf:0:4 --compare name:jaro-winkler:0.85:4 --compare episodeNumber:exact:0:1
        --compare seasonNumber:exact:0:1 --compare releaseDate:date/30:0:2 --compare abstract:tfidf:0:2 --missing skip
        --evidence 0.3 --threshold 0.65 --one-to-one
    """,
    "imdb-dbpedia": """
        --fold all --nearest 10:title:words --compare title:tfidf:0:2 --compare actors:jaccard:0:1 --missing skip
        --threshold 0.5 --one-to-one
    """,
    "chicago": """
        --fold all --block Phone --block Address --nearest '10:Site name' --nearest 5:Address
        --compare 'Site name:tfidf:0:2' --compare Address:jaro-winkler:0.8:3 --compare Phone:levenshtein:0.8:2
        --missing skip --threshold 0.62 --cluster average:0.4
    """,
    "patents": """
        --fold all --nearest 20:Name --block Name:prefix:4 --max-block 5000 --compare Name:tfidf/3:0:3
        --compare Name:jaro-winkler:0:2 --threshold 0.55 --cluster average:0.4
    """,
    "rldata10000": """
        --fold all --block fname_c1+lname_c1 --block by+bm+bd --block lname_c1+by --block fname_c1+by+bm
        --block lname_c1+bm+bd --block fname_c1+bm+bd --compare fname_c1:jaro-winkler:0.8:3
        --compare lname_c1:jaro-winkler:0.8:3 --compare by:exact:0:3 --compare bm:exact:0:2 --compare bd:exact:0:2
        --threshold 0.76 --one-to-one
    """,
    "febrl2": """
        --fold all --block soc_sec_id --block date_of_birth --block given_name+surname --block surname+postcode
        --block address_1+street_number --compare given_name:jaro-winkler:0.8:2 --compare surname:jaro-winkler:0.8:2
        --compare date_of_birth:osa:0.7:2 --compare soc_sec_id:osa:0.7:3 --compare postcode:osa:0.5:1
        --compare address_1:jaro-winkler:0.8:1 --compare street_number:exact:0:0.5 --compare suburb:jaro-winkler:0.8:1
        --missing skip --threshold 0.52 --cluster average
    """,
    "febrl-zingg": """
        --fold all --block ssn --block dob --block fname+lname --block lname+areacode --block add1+stNo
        --compare fname:jaro-winkler:0.8:2 --compare lname:jaro-winkler:0.8:2 --compare dob:osa:0.7:2
        --compare ssn:osa:0.7:3 --compare areacode:osa:0.5:1 --compare add1:jaro-winkler:0.8:1
        --compare stNo:exact:0:0.5 --compare city:jaro-winkler:0.8:1 --missing skip --threshold 0.56 --cluster average
    """,
    "fake_20000": """
        --fold all --combine name=first_name+surname --block dob --block email --block first_name+surname
        --block surname+city --block first_name+city --compare name:monge-elkan:0.7:3 --compare dob:osa:0.8:3
        --compare email:jaro-winkler:0.85:3 --compare city:jaro-winkler:0.8:1 --missing skip --evidence 0.5
        --threshold 0.7 --cluster average
    """,
    "foreigners": """
        --fold all --block date+country --block fname+surname --block surname+date:year --block fname+date
        --compare fname:jaro-winkler:0.8:2 --compare surname:jaro-winkler:0.8:3 --compare date:osa:0.7:3
        --compare country:exact:0:0.5 --compare region:exact:0:0.5 --missing skip --threshold 0.78 --cluster average
    """,
    "census-cis": """
        --fold all --block enumpc+pername1:prefix:1 --block pername1+pername2 --block dob_year+dob_mon+dob_day+sex
        --block enumcap+pername1:prefix:1 --compare pername1:jaro-winkler:0.8:3 --compare pername2:jaro-winkler:0.8:2
        --compare dob_year:osa:0:1 --compare dob_mon:exact:0:1 --compare dob_day:exact:0:1 --compare sex:exact:0:1
        --compare enumcap:jaro-winkler:0.8:1 --compare enumpc:osa:0.7:2 --missing skip --threshold 0.6 --one-to-one
    """,
    "ss-business": """
        --fold all --nearest 10:text --nearest 10:text:words --compare text:tfidf:0:2 --compare text:jaro-winkler:0:1
        --threshold 0.62 --one-to-one
    """,
    "ss-parks": """
        --fold all --nearest 10:text --nearest 10:text:words --compare text:tfidf:0:2 --compare text:jaro-winkler:0:1
        --threshold 0.5 --one-to-one
    """,
    "ss-games": """
        --fold all --nearest 10:text --nearest 10:text:words --compare text:tfidf:0:2 --compare text:jaro-winkler:0:1
        --threshold 0.65 --one-to-one
    """,
    "ss-animals": """
        --fold all --nearest 10:text --nearest 10:text:words --compare text:tfidf:0:2 --compare text:jaro-winkler:0:1
        --threshold 0.68 --one-to-one
    """,
    "ss-census": """
        --fold all --all-pairs --compare text:tfidf/3:0:1 --compare text:monge-elkan:0:1 --threshold 0.64 --one-to-one
    """,
}
SAME = {"notebooks-3": "notebooks-2", "rldata500": "rldata10000", "febrl1": "febrl2"}  # tables of one kind


def rules_of(table):
    return RULES.get(SAME.get(table, table), "").strip()


def options(table):
    """Options of the command, without --id and outputs; none if nobody wrote rules for the table."""
    return shlex.split(rules_of(table).replace("NICKNAMES", str(NICKNAMES)))


def lines_of(table):
    return len(rules_of(table).split("\n"))
