/*
 * Fuzzes indexes that grow: the first byte selects a kind, then come two or three parts of the data, with NUL bytes
 * between. An index of the first part to which the others are added, each by itself, must be the same file as an index
 * of all parts at once. It opens, and is answered like the other one.
 */
#include "commands.h"

#define PARTS 3

static const struct {
    const char *file, *header, *options, *more; /* more: for the data that are added */
    int is_inexact;                             /* what is measured on the first part stays */
} kinds[] = {
    {"part.txt", "", "--kind sets", "", 0},
    {"part.txt", "", "--kind sets --family minhash --functions 9 --seed 3", "", 0},
    {"part.txt", "", "--kind documents", "", 0},
    {"part.csv", "id,text\n", "--kind documents --on text --id id --tokens qgrams:2 --ignore-case", "--on text --id id",
     0},
    {"part.csv", "key,name,town\n", "--kind rows --id key", "--id key", 0},
    {"part.csv", "key,age,town\n", "--kind rows --numeric age --bins 8", "", 1},
    {"part.jsonl", "", "--kind rows --on a,b", "--on a,b", 0},
    {"part.txt", "", "--kind strings", "", 0},
    {"part.txt", "", "--kind strings --ngram 2 --fold all", "", 0},
    {"part.txt", "", "--kind strings --ngram 3 --bytes --lossy", "--lossy", 0},
    {"part.bvecs", "", "--kind vectors --functions 8 --width 20 --buckets 16", "", 0},
    {"part.bvecs", "", "--kind vectors --family simhash --functions 8", "", 0},
    {"part.ivecs", "", "--kind signatures", "", 0},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* What a file of the folder has, to be freed. */
static char *read_file(const char *name, size_t *length)
{
    const int file = openat(folder, name, O_RDONLY | O_CLOEXEC);
    struct stat about;
    require(file >= 0 && fstat(file, &about) == 0);
    char *bytes = malloc((size_t)about.st_size + 1);
    require(bytes && read(file, bytes, (size_t)about.st_size) == about.st_size);
    *length = (size_t)about.st_size;
    close(file);
    return bytes;
}

/* Runs a line for the kind; whether it went well. */
static int run_kind(int kind, const char *before, const char *behind)
{
    char line[300];
    snprintf(line, sizeof line, "index %s -q %s %s", kinds[kind].file, before, behind);
    outcome o = run_line(line, NULL, 0);
    const int status = o.status;
    clear_outcome(&o);
    return status == 0;
}

/* Puts a part into its file: lines end, so that those of the next part are others. */
static void put_part(int kind, const uint8_t *data, size_t size, int ends)
{
    const size_t header = strlen(kinds[kind].header);
    uint8_t *copy = malloc(header + size + 1);
    require(copy != NULL);
    memcpy(copy, kinds[kind].header, header);
    if (size > 0)
        memcpy(copy + header, data, size);
    copy[header + size] = '\n';
    put_file(kinds[kind].file, copy, header + size + (size_t)(ends && size > 0 && data[size - 1] != '\n'));
    free(copy);
}

static void check_same(void)
{
    size_t length, whole_length;
    char *bytes = read_file("grown.akin", &length), *whole = read_file("whole.akin", &whole_length);
    require(length == whole_length && memcmp(bytes, whole, length) == 0);
    free(bytes);
    free(whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || data[0] >= KINDS)
        return -1;
    const int kind = data[0], is_text = !strstr(kinds[kind].file, "vecs");
    uint8_t *whole = malloc(size + PARTS + 1);
    size_t length = 0;
    int went_well = 1, parts = 0;
    require(whole != NULL);
    /* A matrix has NUL bytes: it is cut in its middle. */
    const uint8_t *at = data + 1, *end = data + size;
    for (; went_well && (at < end || parts == 0) && parts < PARTS; parts++) {
        const uint8_t *nul = is_text && parts + 1 < PARTS ? memchr(at, 0, (size_t)(end - at)) : NULL;
        const uint8_t *next = nul ? nul : !is_text && parts == 0 ? at + (end - at) / 2 : end;
        put_part(kind, at, (size_t)(next - at), is_text);
        went_well = parts == 0 ? run_kind(kind, kinds[kind].options, "-o grown.akin")
                               : run_kind(kind, kinds[kind].more, "--append grown.akin");
        if (next > at)
            memcpy(whole + length, at, (size_t)(next - at));
        length += (size_t)(next - at);
        if (is_text && length > 0 && whole[length - 1] != '\n')
            whole[length++] = '\n';
        at = next + (nul != NULL);
    }
    if (went_well && parts > 0) {
        outcome o = run_line("info grown.akin", NULL, 0);
        require(o.status == 0);
        clear_outcome(&o);
        put_part(kind, whole, length, 0);
        require(run_kind(kind, kinds[kind].options, "-o whole.akin"));
        if (!kinds[kind].is_inexact)
            check_same();
    }
    free(whole);
    return 0;
}
