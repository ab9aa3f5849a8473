"""What is measured on a machine with a GPU: the portions of a run, most important first."""

from dataclasses import dataclass

from experiments import HIGH, LOW, PREFIX, REAL, collection, enlarged, synthetic
from measure import values_of

OURS = ("tensor@cuda", "prefix@cuda", "auto@auto", "auto")  # auto alone: what it takes on the CPU
PAPER = ("bitmap@cuda", "fgssjoin@cuda", "sf-gssjoin@cuda", "hybrid@cuda")
ONE = ("auto",) + PREFIX  # on one thread; the paper's CPU is the best of the last three


def needs_cpu(technique):
    """Whether other work on the CPU would slow it down."""
    name, device, _ = values_of(technique)
    return device != "cuda" or name == "hybrid"


@dataclass(frozen=True)
class Portion:
    """Collections by thresholds by techniques. Of these one group goes through all collections before the next."""

    name: str
    title: str
    figure: str  # what it stands for in the paper
    text: str
    share: float  # the seconds that it has of a run of nine minutes, as long as there is more to do
    collections: tuple
    thresholds: tuple
    groups: tuple = (OURS, PAPER)
    one: tuple = ()  # techniques that are measured on one thread, too
    one_of: tuple = ()  # and their collections, if not all

    def cells(self):
        """(collection, threshold, technique) in the order in which they are measured."""
        return [(c, t, k) for group in self.groups for c in self.collections for t in self.thresholds for k in group]

    def ones(self):
        return [(c, t, k) for c in self.one_of or self.collections for t in self.thresholds for k in self.one]

    @property
    def techniques(self):
        return tuple(dict.fromkeys(k for group in self.groups for k in group))

    @property
    def of_output(self):
        return any("+" in k for k in self.techniques)


def dblp_like(name, sets, zipf, smaller=""):
    made = f"--sets {sets} --tokens 27000 --average 88 --spread 26 --duplicates 0.05 --zipf {zipf:g}"
    return collection(name, made.split(), smaller)


def growing(name, sizes, zipf):
    names = []
    for size, sets in sizes.items():
        names.append(dblp_like(f"{name} {size}", sets, zipf, names[-1] if names else ""))
    return tuple(names)


DBLP = growing("dblp-like", {"100K": 100000, "500K": 500000, "1M": 1000000, "2M": 2000000, "6.1M": 6100000}, 1)
FLAT = growing("dblp-flat", {"1M": 1000000, "6.1M": 6100000}, 0.7)
AOL = collection(
    "aol-like", "--sets 10000000 --tokens 3900000 --average 3 --spread 2 --zipf 1 --duplicates 0.05".split()
)
ORKUT = collection(
    "orkut-like", "--sets 2700000 --tokens 8700000 --average 120 --spread 60 --zipf 1 --duplicates 0.05".split()
)
SYNTHETIC = synthetic((5000000, 10000000, 20000000))

PORTIONS = (
    Portion(
        "real",
        "Real collections",
        "Figure 12",
        "The collections of the table for the CPU above, by all techniques that akin has on a GPU.",
        140,
        REAL,
        HIGH,
        groups=(OURS + PAPER,),
        one=ONE,
    ),
    Portion(
        "sizes",
        "Sets like DBLP's, more and more",
        "Figure 17",
        "The paper takes portions of DBLP. These are generated: 88 tokens on average with a standard deviation of 26, "
        "out of "
        "27,000 tokens of Zipf exponent 1, with a rate of 0.05 near-duplicates.",
        90,
        DBLP[:4],
        HIGH,
        one=("auto", "ppjoin"),
    ),
    Portion(
        "complete",
        "6.1 million sets like DBLP's",
        "Table 7",
        "As many sets as all of DBLP. The dblp-flat collections have a Zipf exponent of 0.7, which makes prefixes less "
        "useful. "
        "The paper's seconds at 0.9 and 0.8: CPU 7244 and none, CPU-GPU 2814 and 32387, fgSSJoin 230 and 1259, "
        "bitmap 303 and 607, sf-gSSJoin 5227 and 10353.",
        60,
        (DBLP[4],) + FLAT,
        ("0.9", "0.8", "0.7"),
        groups=(("tensor@cuda", "auto@auto"), ("bitmap@cuda", "fgssjoin@cuda"), ("sf-gssjoin@cuda", "auto")),
    ),
    Portion(
        "sparse",
        "Sets like AOL's and ORKUT's",
        "Figure 12",
        "Small and large sets over millions of tokens: aol-like has 10 million sets of 3 tokens on average out of 3.9 "
        "million, orkut-like 2.7 million sets of 120 out of 8.7 million.",
        90,
        (AOL, ORKUT),
        HIGH,
        groups=(("auto@auto", "prefix@cuda", "auto"), ("tensor@cuda", "hybrid@cuda"), PAPER[:3]),
        one=ONE,
        one_of=(AOL,),
    ),
    Portion(
        "low",
        "Low thresholds",
        "Figures 14, 15 and 16",
        "Figure 14 compares fgSSJoin with sf-gSSJoin, Figure 15 fgSSJoin with bitmap, Figure 16 gSSJoin with them. The "
        "time of "
        "gSSJoin hardly depends on the threshold, so two thresholds are enough.",
        80,
        ("BMS2", "enron", "dblp_like_q2", "tweets_words", "retail", "kosarak_uchoice"),
        LOW,
        groups=(OURS + PAPER,),
        one=ONE,
    ),
    Portion(
        "synthetic",
        "Synthetic collections of 5 million sets",
        "Table 8 and Figures 19, 20 and 21",
        "The paper's own size, generated as above.",
        70,
        SYNTHETIC[::3],
        ("0.9", "0.8", "0.7"),
        groups=(OURS, ("fgssjoin@cuda", "hybrid@cuda", "bitmap@cuda")),
        one=ONE,
    ),
    Portion(
        "larger",
        "Synthetic collections of 10 and 20 million sets",
        "Table 8 and Figures 19, 20 and 21",
        "The paper's own sizes, generated as above.",
        50,
        tuple(name for name in SYNTHETIC if name not in SYNTHETIC[::3]),
        ("0.9", "0.8", "0.7"),
        groups=(("auto@auto", "prefix@cuda", "tensor@cuda"), ("auto",), ("fgssjoin@cuda", "hybrid@cuda")),
    ),
    Portion(
        "enlarged",
        "Enlarged collections",
        "Table 6 and Figure 18",
        "Enlarged as above.",
        30,
        (enlarged("BMS2", 25), enlarged("enron", 25, "enron x5"), enlarged("tweets_words", 5)),
        ("0.9", "0.8", "0.7"),
        groups=(OURS, ("fgssjoin@cuda", "bitmap@cuda", "hybrid@cuda")),
    ),
    Portion(
        "gssjoin",
        "gSSJoin",
        "Figure 16",
        "One launch for each set.",
        15,
        ("BMS2", "enron", "dblp_like_q2"),
        ("0.9", "0.5"),
        groups=(("gssjoin@cuda",),),
    ),
    Portion(
        "output",
        "Counting against full output",
        "Figure 23",
        "Seconds to count the pairs, to hand all of them over in any order, and to hand them over sorted.",
        20,
        ("kosarak_uchoice", "enron", "dblp_like_q2", "dblp-like 1M"),
        ("0.6", "0.5", "0.4"),
        groups=tuple(
            tuple(f"{k}@cuda{output}" for output in ("", "+unsorted", "+sorted"))
            for k in ("tensor", "fgssjoin", "sf-gssjoin", "bitmap")
        ),
    ),
)

# What there is to say beside the tables about where this differs from the paper.
REMARKS = (
    "For most collections the paper finds no use for the GPU at 0.8 and 0.9, because filtering leaves little to "
    "verify. "
    "akin confirms that for techniques that filter by prefixes. A technique that compares the signatures of all pairs "
    "builds no index, and its time depends on the number of pairs.",
    "The paper's GPU is of 2017 and its CPU of 2014, and it uses one thread of the CPU. The tables above have a column "
    "for "
    "one thread and a column for all threads, because the host of such a GPU has more than one core.",
)
