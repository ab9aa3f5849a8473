"""What is measured: the collections, and which of them stand for which figure of the paper."""

from dataclasses import dataclass, field

PREFIX = ("allpairs", "ppjoin", "groupjoin")  # the CPU's techniques in the paper: ALL, PPJ and GRP
FASTEST_PREFIX = "fastest-prefix"  # whichever of these it was: older results do not say
TECHNIQUES = ("auto",) + PREFIX + ("screened", "bitmap")  # auto goes first: its time is of use even if the rest is cut
WIDTHS = tuple(f"bitmap:{bits}" for bits in (64, 128, 256, 512, 1024, 2048))
HIGH = ("0.9", "0.8", "0.7", "0.6", "0.5")
LOW = ("0.4", "0.3", "0.2", "0.1")

# Pairs that are known from elsewhere: counted in integers, and by brute force where that can be done.
KNOWN = {
    "retail": {"0.9": 0, "0.8": 780, "0.7": 3675, "0.6": 43371, "0.5": 432274},
    "BMS2": {"0.9": 72, "0.8": 1853, "0.7": 7773, "0.6": 36906, "0.5": 152883},
    "kosarak_uchoice": {"0.9": 0, "0.8": 43080, "0.7": 121784, "0.6": 5271334, "0.5": 39908554},
    "tweets_words": {"0.9": 340, "0.8": 1091, "0.7": 2517, "0.6": 12372, "0.5": 48145},
    "enron": {"0.9": 109664, "0.8": 353246, "0.7": 529207, "0.6": 660473, "0.5": 763161},
    "dblp_like_q2": {"0.9": 77, "0.8": 308, "0.7": 1207, "0.5": 27911},
}


@dataclass(frozen=True)
class Collection:
    """A file of the data folder, or what `akin generate sets` makes with these arguments."""

    name: str
    made: tuple = ()  # the arguments; @NAME is the file of that collection
    smaller: str = ""  # a collection of the same kind with fewer sets: cells that are cut there are not tried here


COLLECTIONS = {}


def collection(name, made=(), smaller=""):
    COLLECTIONS[name] = Collection(name, tuple(made), smaller)
    return name


def enlarged(base, copies, smaller=""):
    return collection(f"{base} x{copies}", ("--grow", "@" + base, str(copies)), smaller or base)


def count(number):
    return f"{number // 1000000}M" if number % 1000000 == 0 else f"{number // 1000}K"


def synthetic(sizes):
    """The twelve of Table 8, or as many of other sizes; named as in the paper: sets - tokens - average size."""
    names = []
    for average in (5, 25):
        for tokens in (50000, 500000):
            smaller = ""
            for sets in sizes:
                made = f"--sets {sets} --tokens {tokens} --average {average} --spread {average * 0.3:g}"
                made += " --zipf 1 --duplicates 0.05 --seed 1"
                smaller = collection(f"{count(sets)}-{count(tokens)}-{average}", made.split(), smaller)
                names.append(smaller)
    return tuple(names)


REAL = tuple(collection(name) for name in KNOWN)


@dataclass(frozen=True)
class Experiment:
    """Collections by thresholds by techniques; what `more` has of each is measured by a full run only."""

    name: str
    title: str
    figure: str  # what it stands for in the paper
    text: str
    collections: tuple
    thresholds: tuple
    techniques: tuple = TECHNIQUES
    more: dict = field(default_factory=dict)

    @property
    def about_widths(self):
        return any(":" in k for k in self.techniques)

    def cells(self, more_collections=False, more_thresholds=False):
        """Every (collection, threshold, technique), in the order in which they are measured."""
        collections = self.collections + (self.more.get("collections", ()) if more_collections else ())
        thresholds = self.thresholds + (self.more.get("thresholds", ()) if more_thresholds else ())
        return [(c, t, k) for c in collections for t in sorted(thresholds, reverse=True) for k in self.techniques]


EXPERIMENTS = (
    Experiment(
        "main",
        "Real collections, thresholds from 0.9 to 0.5",
        "Figure 12",
        "The paper has eight collections of 0.1 to 10 million sets. These six have 30 to 153 thousand.",
        REAL,
        HIGH,
    ),
    Experiment(
        "enlarged",
        "Enlarged collections",
        "Table 6 and Figure 18",
        "`--grow` makes copies in which the next more frequent token replaces every token. The paper takes BMS x25, "
        "ENRON x25 and LIVEJOURNAL x5. These are BMS2 x25, enron x5 and, for a larger universe, tweets_words x5. A "
        "full run has enron x25 too.",
        (enlarged("BMS2", 25), enlarged("enron", 5), enlarged("tweets_words", 5)),
        ("0.9", "0.8", "0.7"),
        more={"collections": (enlarged("enron", 25, "enron x5"),)},
    ),
    Experiment(
        "portions",
        "More and more titles",
        "Figure 17 and Table 7",
        "The paper takes portions of DBLP, from 100,000 to 1 million sets, and all 6.1 million. These are enlarged "
        "copies of "
        "dblp_like_q2 (95,164 sets, under real collections above). A full run has x5 and x64 too, and thresholds down "
        "to 0.1.",
        (
            enlarged("dblp_like_q2", 2),
            enlarged("dblp_like_q2", 3, "dblp_like_q2 x2"),
            enlarged("dblp_like_q2", 10, "dblp_like_q2 x3"),
        ),
        ("0.9", "0.8", "0.7"),
        more={
            "collections": (
                enlarged("dblp_like_q2", 5, "dblp_like_q2 x3"),
                enlarged("dblp_like_q2", 64, "dblp_like_q2 x10"),
            ),
            "thresholds": ("0.6", "0.5") + LOW,
        },
    ),
    Experiment(
        "synthetic",
        "Synthetic collections",
        "Table 8 and Figures 19, 20 and 21",
        "Names are those of the paper: sets - different tokens - average size. Figure 19 has the rows of one number of "
        "sets, Figure 20 the rows of 500K tokens, Figure 21 the rows of average size 25. The paper's sizes are 5, 10 "
        "and 20 "
        "million sets; a full run has them, and lower thresholds. The other collections have a 50th of the sets. The "
        "paper "
        "says only that token frequencies are Zipf-like. `akin generate sets` makes these: Zipf with exponent 1, "
        "normally "
        "distributed sizes with a standard deviation of 0.3 times the average, seed 1. A rate of 0.05 are "
        "near-duplicates: "
        "an earlier set in which a tenth of the tokens, at least one, are drawn again.",
        synthetic((100000, 200000, 400000)),
        ("0.9", "0.8", "0.7"),
        more={"collections": synthetic((5000000, 10000000, 20000000)), "thresholds": ("0.6", "0.5")},
    ),
    Experiment(
        "low",
        "Low thresholds",
        "Figures 14 and 16",
        "The paper compares its GPU techniques here, with and without a filter. The question is the same on the CPU: "
        "at which "
        "threshold does comparing all pairs become faster than an index?",
        ("enron", "dblp_like_q2"),
        LOW,
        more={"collections": ("BMS2", "retail", "tweets_words", "kosarak_uchoice")},
    ),
    Experiment(
        "widths",
        "Widths of signatures",
        "Figure 15",
        "The paper took the best of several widths and does not name them. The column `auto` has the time of its own "
        "choice.",
        ("BMS2", "tweets_words", "enron", "dblp_like_q2"),
        ("0.8", "0.5"),
        ("auto", "bitmap") + WIDTHS,
        more={"thresholds": ("0.9", "0.7", "0.6")},
    ),
)
