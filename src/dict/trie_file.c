/*
 * Saves and opens tries. A file is a container of kind "trie", version 1. Its sections are the parts in trie_layout.h:
 *
 *     section 0   the head
 *     section 1   symbols; the last one is the end
 *     section 2   records of each symbol that is not rare, in the layout of the form
 *     section 3   cells of each of these symbols, and 16 zeros
 *     section 4   starts of each rare symbol
 *     section 5   places of each rare symbol
 *
 * Opening checks once what checksums cannot show: each step from a node leads to another node, each node but the root
 * is the child of one node, and the number of ids is the number of words. So walks need no checks. Nodes that no path
 * from the root reaches are not found. A trie in a file whose blocks have checksums leaves out cells and places. Of a
 * mapped file, which others may change later, the records and starts are copied first, a third of the file. Cells and
 * places stay: whatever they hold, a step leads to a node of the trie.
 */
#include "base/annex.h"
#include "base/memory.h"
#include "dict/trie.h"
#include "dict/trie_forms.h"

#define KIND    "trie"
#define VERSION 1

_Static_assert(sizeof(akin_trie_head) == 32 && sizeof(akin_trie_symbol) == 24,
               "structs that lie in memory as in the file");

void akin_trie_sections(const akin_trie *trie, akin_section sections[AKIN_TRIE_PARTS])
{
    memcpy(sections, trie->parts, sizeof trie->parts);
    sections[AKIN_TRIE_HEAD] = (akin_section){.data = &trie->head, .length = sizeof trie->head};
}

akin_status akin_trie_save(akin_context *context, const akin_trie *trie, const char *path, akin_error *error)
{
    akin_section sections[AKIN_TRIE_PARTS];
    akin_trie_sections(trie, sections);
    return akin_container_save(akin_scope_of(context), path, KIND, VERSION, sections, AKIN_TRIE_PARTS, error);
}

akin_status akin_trie_write(akin_context *context, const akin_trie *trie, akin_output *output, akin_error *error)
{
    akin_section sections[AKIN_TRIE_PARTS];
    akin_trie_sections(trie, sections);
    return akin_container_write(akin_scope_of(context), output, KIND, VERSION, sections, AKIN_TRIE_PARTS, error);
}

/* --------------------------------------------------------------------------------------------------------- checking */

static akin_status refuse_trie(const char *name, const char *why, akin_error *error)
{
    return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_DAMAGED, "%s: no trie: %s", name, why);
}

/* Checks the head, and the length of the list of symbols. Returns NULL, or the fault. */
static const char *check_head(const akin_trie *trie)
{
    static const uint32_t zeros[3];
    const akin_trie_head *head = &trie->head;
    if (head->symbols > AKIN_TRIE_SYMBOLS ||
        trie->parts[AKIN_TRIE_SYMBOL_LIST].length != ((uint64_t)head->symbols + 1) * sizeof(akin_trie_symbol))
        return "its symbols are not as many as its head says";
    if (head->nodes == 0 || head->nodes > AKIN_TRIE_NODES || head->words > head->nodes || head->longest >= head->nodes)
        return "its numbers of nodes and words do not fit together";
    return memcmp(head->reserved, zeros, sizeof zeros) == 0 ? NULL : "what is reserved is not 0";
}

/* Sums over the symbols before a symbol. */
typedef struct sums {
    uint64_t children, cells, places;
    uint32_t numbers[2]; /* the number of symbols that are not rare, and of rare ones */
} sums;

/* Returns the byte at which the cells of a symbol that is not rare end, and those of the next one begin. */
static uint64_t cells_end(const akin_trie *trie, uint32_t s)
{
    const akin_trie_symbol *symbols = trie->parts[AKIN_TRIE_SYMBOL_LIST].data;
    for (uint32_t next = s + 1; next <= trie->head.symbols; next++)
        if (!symbols[next].rare)
            return symbols[next].cells;
    return trie->parts[AKIN_TRIE_CELLS].length - AKIN_TRIE_PAD;
}

static const char *check_symbol(const akin_trie *trie, uint32_t s, sums *sum)
{
    const akin_trie_head *head = &trie->head;
    const akin_trie_symbol *symbols = trie->parts[AKIN_TRIE_SYMBOL_LIST].data, *symbol = &symbols[s];
    const int is_end = s == head->symbols;
    const uint32_t rare = symbol->rare;
    if (is_end ? symbol->byte != 0 : symbol->byte <= (s > 0 ? symbols[s - 1].byte : 0))
        return "its symbols are not in order";
    if (is_end ? symbol->count != head->words : symbol->count == 0 || symbol->count > head->nodes - 1 - sum->children)
        return "a symbol has more children, or fewer, than there are";
    if (rare > 1 || symbol->reserved != 0 || (rare && !trie->form->has_lists))
        return "a symbol is kept in a way that is unknown";
    if (symbol->first != (is_end ? 0 : 1 + sum->children) || symbol->place != sum->numbers[rare] ||
        symbol->cells != (rare ? sum->places : sum->cells))
        return "a symbol does not continue the one before";
    sum->children += is_end ? 0 : symbol->count;
    sum->numbers[rare]++;
    sum->places += rare ? symbol->count : 0;
    const uint64_t end = rare ? sum->cells : cells_end(trie, s);
    if (end < sum->cells || end > trie->parts[AKIN_TRIE_CELLS].length - AKIN_TRIE_PAD)
        return "the cells of a symbol are not in order";
    sum->cells = end;
    return NULL;
}

/* Checks all symbols, and the length of each section. Returns NULL, or the fault. */
static const char *check_symbols(const akin_trie *trie)
{
    static const uint8_t zeros[AKIN_TRIE_PAD];
    const akin_trie_head *head = &trie->head;
    const akin_section *cells = &trie->parts[AKIN_TRIE_CELLS];
    sums sum = {0};
    if (cells->length < AKIN_TRIE_PAD ||
        memcmp((const uint8_t *)cells->data + cells->length - AKIN_TRIE_PAD, zeros, AKIN_TRIE_PAD) != 0)
        return "its cells do not end in zeros";
    for (uint32_t s = 0; s <= head->symbols; s++) {
        const char *why = check_symbol(trie, s, &sum);
        if (why)
            return why;
    }
    if (sum.children != head->nodes - 1)
        return "its nodes are not the children of its symbols and the root";
    if (trie->parts[AKIN_TRIE_RECORDS].length != trie->form->bytes(head, sum.numbers[0]) ||
        sum.cells != cells->length - AKIN_TRIE_PAD ||
        trie->parts[AKIN_TRIE_STARTS].length != sum.numbers[1] * akin_sparse_starts(head->nodes) * sizeof(uint32_t) ||
        trie->parts[AKIN_TRIE_PLACES].length != sum.places * sizeof(uint16_t))
        return "its sections are not as long as they must be";
    return NULL;
}

/* Checks the bit-vector of a symbol, or what a guarded step relies on of it. Returns NULL, or the fault. */
static const char *check_vector(const akin_trie *trie, uint32_t s, int guarded)
{
    const akin_trie_symbol *symbols = trie->parts[AKIN_TRIE_SYMBOL_LIST].data, *symbol = &symbols[s];
    const akin_trie_edge *edge = &trie->edges[s];
    if (!symbol->rare)
        return (guarded ? trie->form->check_records : trie->form->check)(trie, s, cells_end(trie, s) - symbol->cells);
    akin_sparse sparse = {edge->starts, trie->places};
    return (guarded ? akin_sparse_check_starts : akin_sparse_check)(sparse, trie->head.nodes, (uint32_t)symbol->cells,
                                                                    symbol->count);
}

static akin_status check_vectors(const akin_scope *scope, const char *name, const akin_trie *trie, int guarded,
                                 akin_error *error)
{
    for (uint32_t s = 0; s <= trie->head.symbols; s++) {
        if (akin_scope_report(scope, NULL, 0, 0) != AKIN_OK)
            return akin_fail(error, AKIN_E_CANCELLED, "%s: cancelled while reading", name);
        const char *why = check_vector(trie, s, guarded);
        if (why)
            return refuse_trie(name, why, error);
    }
    return AKIN_OK;
}

akin_status akin_trie_check(const akin_scope *scope, const char *name, const akin_trie *trie, akin_error *error)
{
    return check_vectors(scope, name, trie, 0, error);
}

static akin_status check_trie(const akin_scope *scope, const char *name, akin_trie *trie, int guarded,
                              akin_error *error)
{
    const char *why = check_head(trie);
    if (!why)
        why = check_symbols(trie);
    if (why)
        return refuse_trie(name, why, error);
    akin_status status = trie->form->ready ? trie->form->ready(trie, error) : AKIN_OK;
    if (status != AKIN_OK)
        return status;
    akin_trie_set_edges(trie);
    status = check_vectors(scope, name, trie, guarded && trie->form->is_guarded, error);
    return status == AKIN_OK ? akin_trie_prepare(trie, error) : status;
}

static akin_status find_form(const akin_annex *annex, const char *name, akin_trie *trie, akin_error *error)
{
    const uint32_t saved = trie->head.kind;
    trie->form = akin_trie_form_saved(annex, saved);
    if (trie->form)
        return AKIN_OK;
    if (saved == AKIN_TRIE_SAVED_RRR || saved == AKIN_TRIE_SAVED_STT)
        return akin_fail(error, AKIN_E_OPTION,
                         "%s: libakin does not have the form of this trie: link libakin_papers, and call "
                         "akin_context_use(context, akin_papers(), error) first",
                         name);
    return refuse_trie(name, "its kind is unknown", error);
}

/* Copies the parts of a mapped file that a walk follows. The others stay if the form checks what it reads of them. */
static akin_status keep_trie_parts(const akin_scope *scope, akin_trie *trie, akin_error *error)
{
    akin_status status = AKIN_OK;
    for (int part = AKIN_TRIE_SYMBOL_LIST; part < AKIN_TRIE_PARTS && status == AKIN_OK; part++)
        if (!trie->form->is_guarded || (part != AKIN_TRIE_CELLS && part != AKIN_TRIE_PLACES))
            status = akin_section_keep(scope, AKIN_BUDGET_KEPT, &trie->parts[part], 0, &trie->bulks[part], error);
    return status;
}

static akin_status take_trie(const akin_scope *scope, const char *name, const akin_section sections[AKIN_TRIE_PARTS],
                             int guarded, akin_trie **out, akin_error *error)
{
    akin_section head = sections[AKIN_TRIE_HEAD];
    akin_status status = AKIN_OK;
    for (int part = 0; part < AKIN_TRIE_PARTS && status == AKIN_OK; part++)
        status = akin_section_check(&sections[part], 0, sections[part].length, error);
    if (status != AKIN_OK)
        return status;
    if (head.length != sizeof(akin_trie_head))
        return refuse_trie(name, "its head is not as long as it must be", error);
    akin_trie *trie = akin_alloc_zero(NULL, 1, sizeof *trie);
    if (!trie)
        return akin_fail_memory(error, "a trie");
    memcpy(&trie->head, head.data, sizeof trie->head);
    memcpy(trie->parts, sections, sizeof trie->parts);
    status = find_form(akin_annex_of(scope), name, trie, error);
    if (status == AKIN_OK)
        status = keep_trie_parts(scope, trie, error);
    if (status == AKIN_OK)
        status = check_trie(scope, name, trie, guarded, error);
    if (status == AKIN_OK)
        *out = trie;
    else
        akin_trie_free(trie);
    return status;
}

akin_status akin_trie_take(const akin_scope *scope, const char *name, const akin_section sections[AKIN_TRIE_PARTS],
                           akin_trie **out, akin_error *error)
{
    return take_trie(scope, name, sections, 0, out, error);
}

akin_status akin_trie_take_guarded(const akin_scope *scope, const char *name,
                                   const akin_section sections[AKIN_TRIE_PARTS], akin_trie **out, akin_error *error)
{
    return take_trie(scope, name, sections, 1, out, error);
}

/* Makes a trie from the content of a container. On success the container belongs to the trie. */
static akin_status take_container(const akin_scope *scope, const char *name, akin_container *container, akin_trie **out,
                                  akin_error *error)
{
    akin_section sections[AKIN_TRIE_PARTS];
    for (uint32_t part = 0; part < AKIN_TRIE_PARTS; part++)
        sections[part] = akin_container_section(container, part);
    akin_status status = akin_trie_take(scope, name, sections, out, error);
    if (status == AKIN_OK)
        (*out)->container = container;
    return status;
}

akin_status akin_trie_of_container(const akin_scope *scope, const char *name, akin_container *container,
                                   akin_trie **out, akin_error *error)
{
    akin_status status = akin_container_expect(container, name, KIND, VERSION, AKIN_TRIE_PARTS, error);
    if (status == AKIN_OK)
        status = take_container(scope, name, container, out, error);
    if (status != AKIN_OK)
        akin_container_close(container);
    return status;
}

akin_status akin_trie_open(akin_context *context, const char *path, akin_trie **out, akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    akin_container *container;
    akin_status status = akin_container_open(scope, path, KIND, VERSION, AKIN_TRIE_PARTS, &container, error);
    if (status != AKIN_OK)
        return status;
    status = take_container(scope, strcmp(path, "-") == 0 ? "standard input" : path, container, out, error);
    if (status != AKIN_OK)
        akin_container_close(container);
    return status;
}

const akin_mapping *akin_trie_mapping(const akin_trie *trie)
{
    return akin_container_mapping(trie->container);
}

akin_status akin_trie_parse(const akin_scope *scope, const char *name, akin_bulk *image, uint64_t length,
                            akin_trie **out, akin_error *error)
{
    akin_container *container;
    akin_status status =
        akin_container_parse(scope, name, image->data, length, KIND, VERSION, AKIN_TRIE_PARTS, &container, error);
    if (status != AKIN_OK)
        return status;
    status = take_container(scope, name, container, out, error);
    if (status == AKIN_OK)
        (*out)->image = *image;
    else
        akin_container_close(container);
    return status;
}
