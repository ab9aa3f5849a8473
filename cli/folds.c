/* Reads what the values of columns are cleaned of. */
#include "folds.h"

#include <string.h>

#include "command.h"
#include "fields.h"

/* What was said of a column, or of all. */
typedef struct said {
    const char *word; /* by which; NULL: nothing */
    uint32_t folds;
    int listed; /* one by one */
} said;

typedef struct reading {
    const akin_cli_rules *rules;
    said columns[AKIN_CLI_COLUMNS], all;
} reading;

/* FOLD[+FOLD...] */
static int read_names(const char *word, char *text, uint32_t *out)
{
    static const struct fold {
        const char *name;
        uint32_t folds;
    } known[] = {
        {"case", AKIN_FOLD_CASE},
        {"accents", AKIN_FOLD_ACCENTS},
        {"punctuation", AKIN_FOLD_PUNCTUATION},
        {"blanks", AKIN_FOLD_BLANKS},
        {"none", 0},
    };
    char ended = '+';
    *out = 0;
    while (ended) {
        const char *name = akin_cli_field_take(&text, "+", &ended);
        const struct fold *found = NULL;
        for (size_t at = 0; at < sizeof known / sizeof *known && name; at++)
            found = strcmp(name, known[at].name) == 0 ? &known[at] : found;
        if (!found)
            return akin_cli_refuse("--fold %s: '%s': expected case, accents, punctuation, blanks or none", word,
                                   name ? name : "");
        *out |= found->folds;
    }
    return AKIN_CLI_DONE;
}

static uint32_t count_columns(const akin_cli_rules *rules)
{
    return rules->column_count + (uint32_t)rules->options.combined_count;
}

/* Whether a column is selected by or compared, and not only combined. */
static int is_named(const akin_cli_rules *rules, uint32_t column)
{
    for (uint32_t i = 0; i < rules->options.attribute_count; i++)
        if (rules->attributes[i].column == column)
            return 1;
    for (uint32_t i = 0; i < rules->part_count; i++)
        if (rules->parts[i].column == column)
            return 1;
    return 0;
}

/* COLUMN[:FOLD[+FOLD...]], or all for the column: a column of that name stands in quotes. */
static int read_fold(reading *r, const char *word, char *text)
{
    char ended;
    const char *name = akin_cli_field_take(&text, ":", &ended);
    uint32_t count = count_columns(r->rules), column = count;
    said *of = &r->all;
    if (!name || !*name)
        return akin_cli_refuse("--fold %s: expected COLUMN, all, or either with :FOLD+FOLD behind it",
                               akin_cli_word(word));
    if (*word == '"' || strcmp(name, "all") != 0) {
        for (uint32_t c = 0; c < count; c++) /* the last one of that name, as a combined one may be called as another */
            column = is_named(r->rules, c) && strcmp(r->rules->columns[c], name) == 0 ? c : column;
        if (column == count)
            return akin_cli_refuse("--fold %s: '%s' is no column that --compare or --pairs name", word, name);
        of = &r->columns[column];
    }
    if (of->word)
        return akin_cli_refuse("--fold %s: expected it once, and there is --fold %s", word, of->word);
    *of = (said){word, AKIN_FOLD_ALL, ended != '\0'};
    return ended ? read_names(word, text, &of->folds) : AKIN_CLI_DONE;
}

/* Whether punctuation means something in a column, by how it is compared. */
static int needs_punctuation(const akin_cli_rules *rules, uint32_t column)
{
    for (uint32_t i = 0; i < rules->options.attribute_count; i++) {
        akin_comparator comparator = rules->compare[i].comparator;
        if (rules->attributes[i].column == column && (comparator == AKIN_NUMBER || comparator == AKIN_DATE))
            return 1;
    }
    return 0;
}

int akin_cli_folds_read(akin_cli_rules *rules, const char *const *words, char *const *copies, uint32_t count)
{
    reading r = {.rules = rules};
    int status = AKIN_CLI_DONE;
    for (uint32_t i = 0; i < count && status == AKIN_CLI_DONE; i++)
        status = read_fold(&r, words[i], copies[i]);
    for (uint32_t c = 0; c < count_columns(rules) && status == AKIN_CLI_DONE; c++) {
        const said *own = &r.columns[c], *of = own->word ? own : &r.all;
        int keeps = (of->folds & AKIN_FOLD_PUNCTUATION) && needs_punctuation(rules, c);
        if (keeps && own->word && own->listed)
            return akin_cli_refuse("--fold %s: %s is compared as number or date, in which punctuation means something",
                                   own->word, rules->columns[c]);
        rules->folds[c] = of->folds & ~(keeps ? (uint32_t)AKIN_FOLD_PUNCTUATION : 0);
    }
    if (count > 0)
        rules->options.folds = rules->folds;
    return status;
}
