/* What is known of a file that akin saved: its facts, gathered by the kind of the file. */
#include "base/annex.h"
#include "base/memory.h"
#include "dedupe/model.h"
#include "rank/rank_index.h"
#include "search/index_file.h"
#include "search/kinds.h"
#include "sets/sets.h"
#include "sets/statistics.h"
#include "text/fold.h"
#include "weigh/file.h"
#include "weigh/formula.h"
#include "weigh/weigher.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FACTS 64   /* of a file, at most */
#define LIST  1024 /* bytes of a list of columns, at most */

#define COMPARISONS 40  /* of a model, that are shown at most */
#define RULE        500 /* bytes of a comparison that is shown, at most */

struct akin_saved {
    akin_saved_kind kind;
    uint32_t count;
    uint32_t used; /* of `lists` */
    akin_fact facts[FACTS];
    char lists[3 * LIST + COMPARISONS * RULE]; /* texts that are not static */
    char names[COMPARISONS][16];               /* of comparisons */
};

static const char what[] = "what a saved file holds"; /* the memory is for */

/* ------------------------------------------------------------------------------------------------------------ facts */

static akin_fact *add_fact(akin_saved *s, const char *name, akin_fact_form form)
{
    akin_fact *fact = &s->facts[s->count < FACTS ? s->count++ : FACTS - 1];
    *fact = (akin_fact){.name = name, .form = form};
    return fact;
}

static void add_text_fact(akin_saved *s, const char *name, const char *text)
{
    add_fact(s, name, AKIN_FACT_TEXT)->text = text;
}

static void add_count(akin_saved *s, const char *name, uint64_t count)
{
    add_fact(s, name, AKIN_FACT_COUNT)->count = count;
}

static void add_number(akin_saved *s, const char *name, double number)
{
    add_fact(s, name, AKIN_FACT_NUMBER)->number = number;
}

static void add_flag(akin_saved *s, const char *name, int flag)
{
    add_fact(s, name, AKIN_FACT_FLAG)->count = flag != 0;
}

/* Begins a text that is not static: the rest of `lists`. */
static char *begin_list(akin_saved *s, size_t *room)
{
    char *text = s->lists + s->used;
    *room = sizeof s->lists - s->used;
    text[0] = '\0';
    return text;
}

static void end_list(akin_saved *s, const char *name, const char *text)
{
    s->used += (uint32_t)strlen(text) + 1;
    add_text_fact(s, name, text);
}

/* A text that does not last as long as the description; an empty one: there is none. */
static void add_copy(akin_saved *s, const char *name, const char *text)
{
    size_t room;
    char *copy = begin_list(s, &room);
    if (*text) {
        snprintf(copy, room, "%s", text);
        end_list(s, name, copy);
    } else
        add_text_fact(s, name, NULL);
}

/* How text becomes tokens. */
static void add_analysis(akin_saved *s, const akin_analysis *analysis)
{
    size_t room;
    char *tokens = begin_list(s, &room);
    akin_tokens_write(analysis->text.tokens, analysis->text.q, tokens, room);
    end_list(s, "tokens", tokens);
    add_flag(s, "fold", analysis->text.fold == 1);
    add_copy(s, "stem", analysis->stem);
    add_count(s, "stop-words", analysis->stop_count);
}

/* What strings were cleaned of. */
static void add_folds(akin_saved *s, uint32_t folds)
{
    size_t room;
    char *list = begin_list(s, &room);
    akin_folds_write(folds, list, room);
    end_list(s, "fold", list);
}

static void add_formula(akin_saved *s, akin_formula formula, double k1, double b, double delta)
{
    const akin_choice *row = akin_choice_of(&akin_formulas, (int)formula);
    add_text_fact(s, "formula", row ? row->name : NULL);
    add_number(s, "k1", k1);
    add_number(s, "b", b);
    if (row && (row->capabilities & AKIN_TAKES_DELTA))
        add_number(s, "delta", delta);
}

/* ------------------------------------------------------------------------------------------------------------ kinds */

static akin_status add_sets(const akin_scope *scope, const char *name, akin_container *container, akin_saved *s,
                            akin_error *error)
{
    akin_sets_statistics about = {.size = sizeof about};
    akin_sets *sets = NULL;
    akin_status status = akin_sets_of_container(scope, name, container, &sets, error);
    if (status == AKIN_OK)
        status = akin_sets_describe_within(scope, sets, &about, error);
    akin_sets_free(sets);
    add_count(s, "sets", about.rows);
    add_count(s, "empty", about.empty);
    add_count(s, "tokens", about.tokens);
    add_count(s, "universe", about.universe);
    add_count(s, "smallest", about.smallest);
    add_count(s, "median", about.median);
    add_count(s, "largest", about.largest);
    return status;
}

static akin_status add_trie(const akin_scope *scope, const char *name, akin_container *container, akin_saved *s,
                            akin_error *error)
{
    akin_trie_statistics about = {.size = sizeof about};
    akin_trie *trie = NULL;
    akin_status status = akin_trie_of_container(scope, name, container, &trie, error);
    if (status == AKIN_OK)
        status = akin_trie_describe(trie, &about, error);
    akin_trie_free(trie);
    add_count(s, "words", about.words);
    add_count(s, "longest", about.longest);
    add_count(s, "symbols", about.symbols);
    add_text_fact(s, "form", akin_trie_kind_name(akin_annex_of(scope), about.kind));
    return status;
}

static akin_status add_weights(const akin_scope *scope, const char *name, akin_container *container, akin_saved *s,
                               akin_error *error)
{
    akin_weights *weights = NULL;
    akin_status status = akin_weights_of_container(scope, name, container, &weights, error);
    if (status != AKIN_OK)
        return status;
    add_count(s, "documents", weights->documents);
    add_count(s, "terms", weights->terms);
    add_count(s, "words", weights->words);
    add_count(s, "pairs", weights->pairs);
    add_text_fact(s, "order", akin_choice_name(&akin_weights_orders, (int)weights->order));
    add_flag(s, "named", weights->name_offsets != NULL);
    add_formula(s, (akin_formula)weights->formula.formula, weights->formula.k1, weights->formula.b,
                weights->formula.delta);
    add_analysis(s, weights->analysis);
    akin_weights_free(weights);
    return status;
}

/* Lists the columns of an index of rows; `numeric`: those with numbers. */
static void add_columns(akin_saved *s, const char *name, const akin_search_index *index, int numeric)
{
    const akin_dimension *dimensions = index->sections[AKIN_SEARCH_DIMENSIONS].data;
    size_t room, used = 0;
    char *list = begin_list(s, &room);
    room = room < LIST ? room : LIST;
    for (uint32_t i = 0; i < index->head.dimensions && used < room; i++) {
        uint64_t length;
        const char *column = akin_search_string(index, dimensions[i].string, &length);
        if (!numeric || dimensions[i].bins > 0)
            used += (size_t)snprintf(list + used, room - used, "%s%.*s", used > 0 ? ", " : "",
                                     (int)akin_min_u64(length, LIST), column);
    }
    if (used > 0)
        end_list(s, name, list);
    else
        add_text_fact(s, name, NULL);
}

/* What only some kinds have. */
static void add_search_options(akin_saved *s, const akin_search_index *index, const akin_search_statistics *about)
{
    if (akin_search_takes(index, "numeric")) {
        add_columns(s, "columns", index, 0);
        add_columns(s, "numeric", index, 1);
    } else if (about->columns > 0) {
        add_count(s, "columns", about->columns);
    }
    if (akin_search_takes(index, "ngram"))
        add_count(s, "ngram", about->ngram);
    if (akin_search_takes(index, "ngram"))
        add_count(s, "longest", about->longest);
    if (akin_search_takes(index, "ngram"))
        add_folds(s, about->folds);
    if (about->functions > 0)
        add_count(s, "functions", about->functions);
    if (akin_search_takes(index, "family"))
        add_text_fact(s, "family", akin_family_name(about->family));
    if (akin_search_takes(index, "buckets"))
        add_count(s, "buckets", about->buckets);
    if (about->width > 0)
        add_number(s, "width", about->width);
    if (about->sigma > 0)
        add_number(s, "sigma", about->sigma);
    if (akin_search_takes(index, "rerank"))
        add_flag(s, "keeps-vectors", about->vectors > 0);
}

static akin_status add_search(const akin_scope *scope, const char *name, akin_container *container, akin_saved *s,
                              akin_error *error)
{
    akin_search_statistics about = {.size = sizeof about};
    akin_search_index *index = NULL;
    akin_status status = akin_search_index_of_container(scope, name, container, &index, error);
    if (status == AKIN_OK && index->ranking)
        status = akin_rank_index_check(scope, index->ranking, error);
    if (status == AKIN_OK)
        status = akin_search_index_describe(index, &about, error);
    if (status != AKIN_OK) {
        akin_search_index_free(index);
        return status;
    }
    s->facts[0].text = akin_search_index_kind(index);
    add_count(s, index->ranking ? "documents" : akin_search_index_kind(index), about.objects);
    if (index->ranking) {
        add_count(s, "terms", about.keywords);
        add_count(s, "words", about.words);
        add_count(s, "pairs", about.pairs);
    } else if (about.keywords > 0) {
        add_count(s, akin_search_takes(index, "tree-format") ? "labels" : "keywords", about.keywords);
    }
    add_flag(s, "named", (int)about.named);
    add_search_options(s, index, &about);
    if (index->ranking)
        add_formula(s, about.formula, about.k1, about.b, about.delta);
    if (index->ranking || index->analysis)
        add_analysis(s, index->ranking ? index->ranking->analysis : index->analysis);
    akin_search_index_free(index);
    return status;
}

/* What opens a file of a kind, whose container becomes its own, and adds what is known of it. */
static const struct {
    akin_saved_kind kind;
    const char *name; /* of what the file holds */
    akin_status (*add)(const akin_scope *scope, const char *name, akin_container *container, akin_saved *s,
                       akin_error *error);
} kinds[] = {
    {AKIN_SAVED_SETS, "sets", add_sets},          {AKIN_SAVED_TRIE, "dictionary", add_trie},
    {AKIN_SAVED_WEIGHTS, "weights", add_weights}, {AKIN_SAVED_RANK_INDEX, "bm25", add_search},
    {AKIN_SAVED_SEARCH, "search", add_search},
};

/* ----------------------------------------------------------------------------------------------------------- models */

static size_t put_names(char *to, size_t used, const char *before, const char *between, const akin_model_names *names)
{
    for (uint32_t i = 0; i < names->count && used < RULE; i++)
        used += (size_t)snprintf(to + used, RULE - used, "%s%.100s", i > 0 ? between : before, names->names[i]);
    return used;
}

/* A comparison: "record of a+b: osa, tfidf/3; fold all; weights from -4 to 6.1 on 9 levels; given city". */
static void add_comparison(akin_saved *s, const akin_model_content *content, uint32_t at)
{
    const akin_model_comparison *c = &content->comparisons[at];
    const akin_level_model *l = &c->levels;
    double low = l->weights[0], high = l->weights[0];
    char folds[RULE / 4];
    size_t room, used;
    char *rule = begin_list(s, &room);
    for (uint32_t i = 1; i < l->levels; i++) {
        low = l->weights[i] < low ? l->weights[i] : low;
        high = l->weights[i] > high ? l->weights[i] : high;
    }
    akin_folds_write(c->folds, folds, sizeof folds);
    used = (size_t)snprintf(rule, RULE, "%.100s", c->column);
    used = put_names(rule, used, " of ", "+", &c->parts);
    used = put_names(rule, used, ": ", ", ", &c->comparators);
    if (used < RULE)
        used += (size_t)snprintf(rule + used, RULE - used, "; fold %s; weights from %.3g to %.3g on %u levels%s", folds,
                                 low, high, l->levels, l->is_idle ? "; idle" : "");
    if (used < RULE && l->is_dependent)
        snprintf(rule + used, RULE - used, "; given %.100s", content->comparisons[l->parent].column);
    snprintf(s->names[at], sizeof s->names[at], "comparison-%u", at + 1);
    end_list(s, s->names[at], rule);
}

static void add_model(akin_saved *s, const akin_model_content *content, uint64_t bytes)
{
    s->kind = AKIN_SAVED_MODEL;
    add_text_fact(s, "kind", AKIN_MODEL_KIND);
    add_text_fact(s, "holds", "a model of learnt weights");
    add_count(s, "version", strtoul(AKIN_MODEL_VERSION, NULL, 10));
    add_count(s, "bytes", bytes);
    add_count(s, content->tables == 2 ? "left-records" : "records", content->rows[0]);
    if (content->tables == 2)
        add_count(s, "right-records", content->rows[1]);
    add_number(s, "matches", content->expected);
    add_text_fact(s, "partners", akin_choice_name(&akin_model_partners, (int)content->partners));
    add_number(s, "threshold", content->threshold);
    add_number(s, "tempering", content->tempering);
    if (content->has_caps)
        add_count(s, "caps", content->caps.count);
    add_flag(s, "answers", content->offset != 0 || content->rareness != 0);
    add_count(s, "learnt", content->learnt);
    add_count(s, "comparisons", content->count);
    for (uint32_t i = 0; i < content->count && i < COMPARISONS; i++)
        add_comparison(s, content, i);
    add_text_fact(s, "made-by", "akin dedupe, akin link and akin label, by --model");
    add_text_fact(s, "used-by", "akin dedupe and akin link, by --model");
}

/* What a text of JSON says that it is: the member "akin" of its object; NULL: nothing. */
static const char *kind_of_json(const akin_json_node *nodes)
{
    static const char key[] = "akin";
    for (uint32_t at = 1; nodes->kind == AKIN_JSON_OBJECT && at < nodes->next; at = nodes[at].next)
        if (strcmp(nodes[at].key, key) == 0 && nodes[at].kind == AKIN_JSON_STRING)
            return nodes[at].text;
    return NULL;
}

/* Describes a file of JSON, if that is of akin; else *error stays as it was. */
static akin_status describe_json(akin_context *context, const char *path, uint64_t bytes, akin_saved *s,
                                 akin_status status, akin_error *error)
{
    akin_json *json = NULL;
    akin_dedupe_model *model = NULL;
    akin_error ignored;
    const akin_status read = akin_json_read(context, path, &json, &ignored);
    const char *kind = read == AKIN_OK ? kind_of_json(akin_json_nodes(json)) : NULL;
    if (read == AKIN_E_CANCELLED || read == AKIN_E_NOMEM)
        status = akin_fail_again(error, read, &ignored);
    else if (kind && strcmp(kind, AKIN_MODEL_KIND) != 0)
        status = akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_OTHER_KIND,
                                "%.600s: is a job, which akin %.40s --job runs", path, kind);
    else if (kind)
        status = akin_dedupe_model_read(json, path, &model, error);
    if (model)
        add_model(s, &model->content, bytes);
    akin_dedupe_model_free(model);
    akin_json_free(json);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ files */

static akin_status describe_container(const akin_scope *scope, const char *name, akin_container *container,
                                      akin_saved *s, akin_error *error)
{
    const akin_saved_kind_row *row = akin_container_kind(container);
    size_t i = 0;
    while (kinds[i].kind != (akin_saved_kind)row->choice.value)
        i++;
    s->kind = kinds[i].kind;
    add_text_fact(s, "kind", kinds[i].name);
    add_text_fact(s, "holds", row->choice.help);
    add_count(s, "version", akin_container_version(container));
    add_count(s, "bytes", akin_container_bytes(container));
    akin_status status = kinds[i].add(scope, name, container, s, error);
    add_text_fact(s, "made-by", row->maker);
    add_text_fact(s, "used-by", row->reader);
    return status;
}

akin_status akin_saved_describe(akin_context *context, const char *path, akin_saved **out, akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    akin_container *container = NULL;
    akin_saved *saved = akin_alloc_zero(NULL, 1, sizeof *saved);
    if (!saved)
        return akin_fail_memory(error, what);
    akin_status status = akin_container_open_any(scope, path, NULL, &container, error);
    if (status == AKIN_OK)
        status = describe_container(scope, strcmp(path, "-") == 0 ? "standard input" : path, container, saved, error);
    struct stat about;
    if (status == AKIN_E_INPUT && strcmp(path, "-") != 0 && stat(path, &about) == 0 && S_ISREG(about.st_mode))
        status = describe_json(context, path, (uint64_t)about.st_size, saved, status, error);
    if (status == AKIN_OK)
        *out = saved;
    else
        akin_saved_free(saved);
    return status;
}

akin_saved_kind akin_saved_kind_of(const akin_saved *saved)
{
    return saved->kind;
}

const akin_fact *akin_saved_fact(const akin_saved *saved, uint32_t index)
{
    return index < saved->count ? &saved->facts[index] : NULL;
}

void akin_saved_free(akin_saved *saved)
{
    akin_free(saved);
}
