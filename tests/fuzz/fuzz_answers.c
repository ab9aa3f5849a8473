/*
 * Fuzzes files of answers, and of models, that a deduplication learns from: the first byte selects a command line, the
 * rest is the file. With any number of threads, plain or compressed, the result is the same; and akin label, which is
 * told nothing more, leaves the answers as they are.
 */
#include "commands.h"

#define PEOPLE                                                                                                         \
    "id,name,town\na,Martha,Rome\nb,Marhta,Rome\nc,Dixon,Oslo\nd,Dickson,Oslo\ne,Xu,Bonn\nf,Martha,Oslo\ng,Dixon,Bonn" \
    "\nh,Ada,Rome\n"

static const struct {
    const char *line, *file;
    int keeps; /* the file */
} lines[] = {
    {"dedupe people.csv -q --id id --answers answers.csv", "answers.csv", 0},
    {"dedupe people.csv -q --id id --answers answers.jsonl --all-pairs --compare name:jaro", "answers.jsonl", 0},
    {"link people.csv more.csv -q --id id --answers answers.tsv", "answers.tsv", 0},
    {"dedupe people.csv -q --id id --model model.json", "model.json", 0},
    {"label people.csv -q --id id --answers answers.csv", "answers.csv", 1},
    {"label people.csv -q --answers answers.csv --all-pairs --compare name:jaro", "answers.csv", 1},
};

enum { LINES = sizeof lines / sizeof lines[0] };

static void check_kept(const char *name, const uint8_t *data, size_t size)
{
    const int file = openat(folder, name, O_RDONLY | O_CLOEXEC);
    size_t length = 0;
    if (file < 0) {
        require(size == 0); /* nothing is written for nothing */
        return;
    }
    const off_t end = lseek(file, 0, SEEK_END);
    char *bytes = malloc((size_t)end + 1);
    require(end >= 0 && bytes && (length = (size_t)pread(file, bytes, (size_t)end, 0)) == (size_t)end);
    require(length >= size && (size == 0 || memcmp(bytes, data, size) == 0));
    free(bytes);
    close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || data[0] >= LINES)
        return -1;
    put_text("people.csv", PEOPLE);
    put_text("more.csv", "id,name,town\na,Marta,Rome\nz,Dixon,Oslo\n");
    const char *name = lines[data[0]].file;
    if (!lines[data[0]].keeps) {
        outcome o = run_file(lines[data[0]].line, name, data + 1, size - 1);
        clear_outcome(&o);
        return 0;
    }
    put_file(name, data + 1, size - 1);
    outcome o = run_line(lines[data[0]].line, NULL, 0);
    check_kept(name, data + 1, size - 1);
    clear_outcome(&o);
    return 0;
}
