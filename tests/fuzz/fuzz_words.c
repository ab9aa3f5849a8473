/*
 * Fuzzes lists of words: the first byte selects what reads the list, the rest is the list. With any number of threads,
 * plain or compressed, it is read alike; each word of a dictionary that was built is found, with an id of its own; and
 * stop words leave no more words than there were.
 */
#include "commands.h"

typedef struct row {
    const char *line, *file;
    void (*check)(const struct row *row, const outcome *o); /* of what went well; or NULL */
} row;

/* The ids of all words, and the words of these ids: there is an id for each, and the words are those of the file. A
 * word that ends with a carriage return cannot be written as a line: what is read again lacks that. */
static void check_dictionary(const row *r, const outcome *o)
{
    (void)r;
    (void)o;
    outcome ids = run_line("dictionary lookup words.akin words.txt -q", NULL, 0);
    require(ids.status == 0 && !strchr(ids.out, '-'));
    put_file("ids.txt", ids.out, ids.out_length);
    outcome words = run_line("dictionary lookup words.akin ids.txt -q --ids", NULL, 0);
    require(words.status == 0);
    put_file("again.txt", words.out, words.out_length);
    outcome again = run_line("dictionary lookup words.akin again.txt -q", NULL, 0);
    require(again.status == 0);
    require(memchr(words.out, '\r', words.out_length) ||
            (again.out_length == ids.out_length && memcmp(again.out, ids.out, ids.out_length) == 0));
    clear_outcome(&ids);
    clear_outcome(&words);
    clear_outcome(&again);
}

static unsigned long long words_of(const outcome *o)
{
    const char *at = strstr(o->out, "words");
    require(at != NULL);
    return strtoull(at + 5, NULL, 10);
}

static void check_sum(const row *r, const outcome *o)
{
    (void)r;
    outcome all = run_line("weigh text.txt -q --sum", NULL, 0);
    require(all.status == 0 && words_of(o) <= words_of(&all));
    clear_outcome(&all);
}

static const row rows[] = {
    {"dictionary build words.txt -q -o words.akin", "words.txt", check_dictionary},
    {"dictionary build words.txt -q --kind rrr -o words.akin", "words.txt", check_dictionary},
    {"dictionary build words.txt -q --kind stt -o words.akin", "words.txt", check_dictionary},
    {"dictionary build words.csv -q --on word -o words.akin", "words.csv", NULL},
    {"dictionary lookup fixed.akin asked.txt -q", "asked.txt", NULL},
    {"dictionary lookup fixed.akin asked.txt -q --ids", "asked.txt", NULL},
    {"dictionary lookup fixed.akin asked.jsonl -q --on word", "asked.jsonl", NULL},
    {"weigh text.txt -q --sum --stop-words ./stop.txt", "stop.txt", check_sum},
    {"join text.txt -q --tokens words --jaccard 0.3 --stop-words ./stop.txt", "stop.txt", NULL},
    {"rank text.txt typed.txt -q --stop-words ./stop.txt", "stop.txt", NULL},
    {"index text.txt -q --kind documents --stop-words ./stop.txt -o text.akin", "stop.txt", NULL},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

/* `dictionary build` has no threads. */
static outcome run_row(const row *r, const uint8_t *data, size_t size)
{
    if (strncmp(r->line, "dictionary build", 16) != 0)
        return run_file(r->line, r->file, data, size);
    outcome first = {0};
    for (int how = PLAIN; how < (looks_packed(data, size) ? GZIP : PACKINGS); how++) {
        put_packed(r->file, (packing)how, data, size);
        outcome other = run_line(r->line, NULL, 0);
        require(how == PLAIN || is_same_outcome(&first, &other));
        if (how > PLAIN)
            clear_outcome(&other);
        else
            first = other;
    }
    return first;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int made;
    if (size == 0 || data[0] >= ROWS)
        return -1;
    if (!made) {
        put_text("fixed.txt", "red\nblue\n\nredder\nna\xc3\xafve\n");
        put_text("text.txt", "the red boat\nthe blue sea\nThe red sea\nNa\xc3\xafve\n");
        put_text("typed.txt", "the red\nsea\n");
        run_well("dictionary build fixed.txt -q -o fixed.akin");
        made = 1;
    }
    outcome o = run_row(&rows[data[0]], data + 1, size - 1);
    if (o.status == 0 && rows[data[0]].check)
        rows[data[0]].check(&rows[data[0]], &o);
    clear_outcome(&o);
    return 0;
}
