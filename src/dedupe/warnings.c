/* Warns of columns that a comparator cannot read, or that are too short for its tokens, of synonyms in several
 * groups, of windows and blocks that leave out most pairs, of texts that are too short for their tokens, of chains of
 * pairs, and of learning in vain. */
#include "dedupe/warnings.h"

#include "base/bits.h"
#include "base/grouped.h"
#include "dedupe/selections.h"
#include "strings/decision.h"
#include "text/options.h"

#include <stdio.h>

#define TEXT 1024 /* bytes of a warning */
#define NAME 600  /* bytes of a name in it, at most */
#define FEW  3    /* selections that are warned of one by one, at most */

/* A warning in the making, and who receives it. */
typedef struct warning {
    akin_warning_sink sink;
    void *user;
    char text[TEXT];
} warning;

static void send_warning(const warning *w)
{
    w->sink(w->user, w->text);
}

/* ---------------------------------------------------------------------------------------------------------- columns */

static void warn_of_columns(const akin_warned *warned, warning *w)
{
    static const char *const sides[] = {" of the left table", " of the right table"};
    const akin_dedupe_options *o = warned->options;
    for (uint32_t i = 0; i < 2 * o->attribute_count && o->parsed; i++) {
        const akin_attribute *attribute = &o->attributes[i / 2];
        const akin_parsed *parsed = &o->parsed[i];
        const char *side = warned->tables == 2 ? sides[i % 2] : "";
        char where[NAME];
        if (!attribute->compare)
            continue;
        if (warned->columns)
            snprintf(where, sizeof where, "column '%.500s'%s", warned->columns[attribute->column], side);
        else
            snprintf(where, sizeof where, "column %u%s", attribute->column, side);
        akin_compare_warn(attribute->compare, parsed, where, w->sink, w->user);
    }
}

/* Each synonyms once, by the first of their columns. */
static void warn_of_synonyms(const akin_warned *warned, warning *w)
{
    const akin_dedupe_options *o = warned->options;
    for (uint32_t i = 0; i < o->attribute_count && o->synonyms; i++) {
        const uint32_t column = o->attributes[i].column;
        uint32_t before = 0;
        char where[NAME];
        while (before < i && o->synonyms[o->attributes[before].column] != o->synonyms[column])
            before++;
        if (before < i || !o->synonyms[column])
            continue;
        if (warned->columns)
            snprintf(where, sizeof where, "column '%.500s'", warned->columns[column]);
        else
            snprintf(where, sizeof where, "column %u", column);
        akin_synonyms_warn(o->synonyms[column], where, w->sink, w->user);
    }
}

/* ------------------------------------------------------------------------------------------------------- selections */

/* Whether a window is over the only column that is compared, by whole values: then records of equal keys are equal, and
 * their pairs that the window leaves out are in the cluster of those that it selects. */
static int is_of_equals(const akin_dedupe_options *o, uint32_t at)
{
    const akin_selection *s = &o->selections[at];
    if (s->kind != AKIN_SELECT_WINDOW || s->parts[0].key != AKIN_KEY_VALUE)
        return 0;
    for (uint32_t i = 0; i < o->attribute_count; i++)
        if (o->attributes[i].column != s->parts[0].column)
            return 0;
    return 1;
}

/* The pairs of equal records that a window left out. */
static uint64_t equals_left_out(const akin_dedupe_options *o, uint32_t at)
{
    const akin_selected *s = &o->selected[at];
    return is_of_equals(o, at) && s->key_pairs > s->key_pairs_selected ? s->key_pairs - s->key_pairs_selected : 0;
}

static void warn_of_window(const char *name, const akin_selected *s, warning *w)
{
    char a[AKIN_GROUPED], b[AKIN_GROUPED];
    snprintf(w->text, sizeof w->text,
             "%.600s: selects only %s of the %s pairs of records with equal keys (%.2g %%): use a larger window, a key "
             "that fewer records share, or a block",
             name, akin_grouped(a, s->key_pairs_selected), akin_grouped(b, s->key_pairs),
             100 * (double)s->key_pairs_selected / (double)s->key_pairs);
    send_warning(w);
}

static void warn_of_blocks(const char *name, const akin_selected *s, uint64_t most, warning *w)
{
    char a[AKIN_GROUPED], b[AKIN_GROUPED], c[AKIN_GROUPED];
    snprintf(w->text, sizeof w->text,
             "%.600s: selects no pair: %s block%s of more than %s records (max-block), %s records in all, %s left out: "
             "add a column to the block, or raise max-block",
             name, akin_grouped(a, s->oversized), s->oversized == 1 ? "" : "s", akin_grouped(b, most),
             akin_grouped(c, s->oversized_records), s->oversized == 1 ? "is" : "are");
    send_warning(w);
}

/* Of many selections there is one warning. */
static void warn_of_many_blocks(const char *name, uint32_t count, uint64_t most, warning *w)
{
    char a[AKIN_GROUPED], b[AKIN_GROUPED];
    snprintf(w->text, sizeof w->text,
             "%s selections select no pair, because their blocks have more than %s records (max-block), the first "
             "is %.600s: add columns to these blocks, or raise max-block",
             akin_grouped(a, count), akin_grouped(b, most), name);
    send_warning(w);
}

static int is_without_pairs(const akin_selected *s)
{
    return s->oversized > 0 && s->pairs == 0;
}

static const char *name_of(const akin_warned *warned, uint32_t at)
{
    return warned->selections ? warned->selections[at]
                              : akin_selection_row_of(warned->options->selections[at].kind)->choice.name;
}

static void warn_of_all_blocks(const akin_warned *warned, warning *w)
{
    const akin_dedupe_options *o = warned->options;
    uint32_t count = 0, first = 0;
    for (uint32_t i = o->selection_count; i-- > 0;)
        if (is_without_pairs(&o->selected[i])) {
            count++;
            first = i;
        }
    if (count > FEW)
        warn_of_many_blocks(name_of(warned, first), count, o->max_block, w);
    for (uint32_t i = 0; i < o->selection_count && count <= FEW; i++)
        if (is_without_pairs(&o->selected[i]))
            warn_of_blocks(name_of(warned, i), &o->selected[i], o->max_block, w);
}

static void warn_of_texts(const char *name, const akin_selection *selection, const akin_selected *s, warning *w)
{
    akin_text_options text;
    akin_text_counts counts = s->texts;
    const akin_tokens tokens = akin_selection_row_of(selection->kind)->tokens;
    if (!tokens || akin_text_options_read(selection->text, &text, NULL) != AKIN_OK)
        return;
    text.tokens = selection->text ? text.tokens : tokens;
    text.counts = &counts;
    akin_text_warn(&text, name, w->sink, w->user);
}

static void warn_of_selections(const akin_warned *warned, warning *w)
{
    const akin_dedupe_options *o = warned->options;
    for (uint32_t i = 0; i < o->selection_count && o->selected; i++) {
        const akin_selected *s = &o->selected[i];
        const char *name = name_of(warned, i);
        const int holds_all = equals_left_out(o, i) > 0 && warned->shape && warned->shape->pairs >= s->key_pairs;
        if (akin_selected_is_narrow(s) && !holds_all)
            warn_of_window(name, s, w);
        warn_of_texts(name, &o->selections[i], s, w);
    }
    if (o->selected)
        warn_of_all_blocks(warned, w);
}

/* --------------------------------------------------------------------------------------------------------- clusters */

/* Warns if clusters hold many pairs for each that was found, apart from `aside` of them, of which `aside_found` were
 * found. */
static void warn_of_chains(const akin_clusters_shape *shape, uint64_t found, uint64_t aside, uint64_t aside_found,
                           akin_warning_sink sink, void *user)
{
    char text[TEXT], a[AKIN_GROUPED], b[AKIN_GROUPED], c[AKIN_GROUPED];
    if (found <= aside_found || shape->pairs <= aside ||
        (shape->pairs - aside) / (found - aside_found) < AKIN_CLUSTERS_CHAINED)
        return;
    snprintf(text, sizeof text,
             "chains of pairs made large clusters: %s pairs were found, and the clusters hold %s pairs of "
             "records; the largest cluster has %s records: raise the threshold, or compare more columns",
             akin_grouped(a, found), akin_grouped(b, shape->pairs), akin_grouped(c, shape->largest));
    sink(user, text);
}

void akin_clusters_warn(const akin_clusters_shape *shape, uint64_t found, akin_warning_sink sink, void *user)
{
    warn_of_chains(shape, found, 0, 0, sink, user);
}

/* The same of a deduplication. Equal records need no pairs to be one cluster rightly: those of the window that left
 * out the most stand aside. */
static void warn_of_clusters(const akin_warned *warned, akin_warning_sink sink, void *user)
{
    const akin_dedupe_options *o = warned->options;
    const akin_selected *most = NULL;
    uint64_t left_out = 0;
    for (uint32_t i = 0; i < o->selection_count && o->selected; i++)
        if (equals_left_out(o, i) > left_out) {
            left_out = equals_left_out(o, i);
            most = &o->selected[i];
        }
    warn_of_chains(warned->shape, warned->found, most ? most->key_pairs : 0, most ? most->key_pairs_selected : 0, sink,
                   user);
}

/* --------------------------------------------------------------------------------------------------------- learning */

/* Two tables that have nothing in common, for example, or a precision that no pairs have. */
static void warn_of_learning(const akin_dedupe_options *o, const akin_dedupe_report *r, akin_warning_sink sink,
                             void *user)
{
    char text[TEXT];
    const int is_chosen = o->threshold.num == 0 && o->precision.num == 0 && !r->applied;
    if (o->weights != AKIN_WEIGHTS_LEARN)
        return;
    if (o->precision.num > 0 && r->pairs_found == 0) {
        snprintf(text, sizeof text,
                 "no threshold has the expected precision %.9g, so no pair is found: compare more columns, or accept a "
                 "lower precision",
                 akin_ratio_value(o->precision));
        sink(user, text);
    }
    if (is_chosen && r->pairs_found > 0 && r->expected_matches >= 1 && r->expected_precision < 0.5) {
        snprintf(text, sizeof text,
                 "akin expects that most of the pairs that it found are wrong (expected precision %.3g): look at some "
                 "of them, compare other columns, or set a precision",
                 r->expected_precision);
        sink(user, text);
    }
    if (is_chosen && r->pairs_selected > 0 && r->expected_matches < 1) {
        snprintf(text, sizeof text,
                 "akin found no class of matches: it expects %.3g matches, and chose the threshold %.3g: perhaps there "
                 "are none; else compare other columns, or give a threshold",
                 r->expected_matches, r->threshold);
        sink(user, text);
    }
}

void akin_warn(const akin_warned *warned, akin_warning_sink sink, void *user)
{
    warning w = {.sink = sink, .user = user};
    warn_of_columns(warned, &w);
    warn_of_synonyms(warned, &w);
    warn_of_selections(warned, &w);
    if (warned->shape)
        warn_of_clusters(warned, sink, user);
}

void akin_dedupe_warn(const akin_dedupe_plan *plan, uint32_t tables, const akin_dedupe_report *report,
                      const akin_clusters_shape *shape, akin_warning_sink sink, void *user)
{
    const akin_dedupe_options *options = akin_dedupe_plan_options(plan);
    const akin_dedupe_titles *titles = akin_dedupe_plan_titles(plan);
    if (!options || !titles)
        return;
    const akin_warned warned = {
        options, titles->columns, titles->selections, tables, report->pairs_found + report->equal_pairs, shape};
    akin_warn(&warned, sink, user);
    warn_of_learning(options, report, sink, user);
}
