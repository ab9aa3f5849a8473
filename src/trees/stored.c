/* Stores trees, and brings them. */
#include "trees/stored.h"

#include "base/bits.h"
#include "base/parallel.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define NODES_TASK 4096 /* rows whose nodes a thread copies at once */

static const char what[] = "the trees of an index"; /* the memory is for */

/* ------------------------------------------------------------------------------------------------------------ views */

static const void *part(const akin_stored_trees *t, int i)
{
    return t->parts[i].data;
}

static uint64_t count_of(const akin_stored_trees *t, int i, size_t size)
{
    return t->parts[i].length / size;
}

/* Makes the views of parts that are sound. */
static akin_status view_parts(akin_stored_trees *t, uint32_t rows, akin_error *error)
{
    const uint64_t *begin = part(t, AKIN_STORED_BEGIN);
    akin_tree *trees = akin_alloc(NULL, rows, sizeof *trees);
    if (!trees)
        return akin_fail_memory(error, what);
    for (uint32_t row = 0; row < rows; row++)
        trees[row] = (akin_tree){.label = (const uint32_t *)part(t, AKIN_STORED_LABEL) + begin[row],
                                 .size = (const uint32_t *)part(t, AKIN_STORED_SIZE) + begin[row],
                                 .nodes = (uint32_t)(begin[row + UINT64_C(1)] - begin[row])};
    t->side = (akin_tree_side){.trees = {.trees = trees, .rows = rows, .nodes = begin[rows]},
                               .rows = part(t, AKIN_STORED_ROWS),
                               .count = (uint32_t)count_of(t, AKIN_STORED_ROWS, sizeof(uint32_t)),
                               .buckets = part(t, AKIN_STORED_BUCKETS)};
    t->index = (akin_tree_index){.begin = part(t, AKIN_STORED_MARKS_BEGIN),
                                 .place = part(t, AKIN_STORED_PLACE),
                                 .first = part(t, AKIN_STORED_FIRST),
                                 .size = part(t, AKIN_STORED_MARK_SIZE),
                                 .depth = part(t, AKIN_STORED_DEPTH),
                                 .right = part(t, AKIN_STORED_RIGHT),
                                 .reach = part(t, AKIN_STORED_REACH),
                                 .side = &t->side,
                                 .most = t->head.marks - 1};
    return AKIN_OK;
}

/* ----------------------------------------------------------------------------------------------------------- making */

/* Makes room for a part; its data is in t->own[i].data. */
static akin_status reserve_part(const akin_scope *scope, akin_stored_trees *t, int i, uint64_t count, size_t size,
                                akin_error *error)
{
    akin_bulk *own = &t->own[i];
    *own = akin_bulk_of(scope, NULL, akin_budget(scope, AKIN_BUDGET_OBJECTS));
    if (count > UINT64_MAX / size)
        return akin_fail_memory(error, what);
    const akin_status status = akin_bulk_reserve(own, count * size, what, error);
    akin_bulk_trim(own, count * size);
    if (status == AKIN_OK)
        t->parts[i] = (akin_section){.data = count > 0 ? own->data : "", .length = count * size};
    return status;
}

static akin_status copy_part(const akin_scope *scope, akin_stored_trees *t, int i, const void *from, uint64_t count,
                             size_t size, akin_error *error)
{
    akin_status status = reserve_part(scope, t, i, count, size, error);
    if (status == AKIN_OK && count > 0)
        status = akin_copy_long(scope, t->own[i].data, from, count * size);
    return status == AKIN_E_CANCELLED ? akin_fail_stopped(error, status, what) : status;
}

/* Trees that are stored. */
typedef struct storing {
    akin_stored_trees *out;
    const akin_tree_side *side;
    const akin_tree_ranks *ranks;
} storing;

static akin_status copy_nodes(void *argument, uint64_t task, uint32_t thread)
{
    const storing *s = argument;
    const akin_tree_collection *trees = &s->side->trees;
    const uint64_t *begin = s->out->own[AKIN_STORED_BEGIN].data,
                   end = akin_min_u64((task + 1) * NODES_TASK, trees->rows);
    uint32_t *label = s->out->own[AKIN_STORED_LABEL].data, *size = s->out->own[AKIN_STORED_SIZE].data;
    (void)thread;
    for (uint64_t row = task * NODES_TASK; row < end; row++) {
        const akin_tree *tree = &trees->trees[row];
        for (uint32_t i = 0; i < tree->nodes; i++) {
            label[begin[row] + i] = s->ranks->rank[tree->label[i]];
            size[begin[row] + i] = tree->size[i];
        }
    }
    return AKIN_OK;
}

static akin_status store_nodes(const akin_scope *scope, storing *s, akin_error *error)
{
    const akin_tree_collection *trees = &s->side->trees;
    akin_status status =
        reserve_part(scope, s->out, AKIN_STORED_BEGIN, trees->rows + UINT64_C(1), sizeof(uint64_t), error);
    if (status == AKIN_OK)
        status = reserve_part(scope, s->out, AKIN_STORED_LABEL, trees->nodes, sizeof(uint32_t), error);
    if (status == AKIN_OK)
        status = reserve_part(scope, s->out, AKIN_STORED_SIZE, trees->nodes, sizeof(uint32_t), error);
    if (status != AKIN_OK)
        return status;
    uint64_t *begin = s->out->own[AKIN_STORED_BEGIN].data;
    begin[0] = 0;
    for (uint32_t row = 0; row < trees->rows; row++)
        begin[row + UINT64_C(1)] = begin[row] + trees->trees[row].nodes;
    status = akin_parallel(scope, "storing trees", akin_ceil_div(trees->rows, NODES_TASK), copy_nodes, s);
    return status == AKIN_OK ? AKIN_OK : akin_fail_stopped(error, status, what);
}

/* Puts ranks into the table, in their order, so that equal trees make equal files. */
static void fill_slots(akin_stored_trees *t)
{
    const uint64_t *offsets = t->own[AKIN_STORED_LABEL_OFFSETS].data;
    const char *bytes = t->own[AKIN_STORED_LABEL_BYTES].data;
    uint32_t *slots = t->own[AKIN_STORED_SLOTS].data;
    const uint64_t last = count_of(t, AKIN_STORED_SLOTS, sizeof *slots) - 1;
    memset(slots, 0, (last + 1) * sizeof *slots);
    for (uint32_t i = 0; i < t->head.labels; i++) {
        uint64_t at = XXH3_64bits(bytes + offsets[i], offsets[i + UINT64_C(1)] - offsets[i]) & last;
        while (slots[at] != 0)
            at = (at + 1) & last;
        slots[at] = i + 1;
    }
}

/* Copies a label to its place. */
static akin_status copy_label(const akin_stored_trees *t, const akin_dictionary *dictionary, uint32_t label,
                              uint32_t rank, akin_error *error)
{
    const uint64_t *offsets = t->own[AKIN_STORED_LABEL_OFFSETS].data;
    const char *bytes;
    size_t length;
    const akin_status status = akin_dictionary_string(dictionary, label, &bytes, &length, error);
    if (status == AKIN_OK && length > 0)
        memcpy((char *)t->own[AKIN_STORED_LABEL_BYTES].data + offsets[rank - 1], bytes, length);
    return status;
}

static akin_status store_labels(const akin_scope *scope, storing *s, const akin_dictionary *dictionary,
                                akin_error *error)
{
    akin_stored_trees *t = s->out;
    const uint32_t labels = t->head.labels;
    const uint64_t slots = UINT64_C(2) << akin_bits_of(labels);
    akin_status status =
        reserve_part(scope, t, AKIN_STORED_LABEL_OFFSETS, labels + UINT64_C(1), sizeof(uint64_t), error);
    if (status == AKIN_OK)
        status = reserve_part(scope, t, AKIN_STORED_SLOTS, slots, sizeof(uint32_t), error);
    uint64_t *offsets = t->own[AKIN_STORED_LABEL_OFFSETS].data;
    for (uint32_t i = 0; i < labels && status == AKIN_OK; i++) {
        const char *bytes;
        size_t length;
        status = akin_dictionary_string(dictionary, i, &bytes, &length, error);
        if (status == AKIN_OK)
            offsets[s->ranks->rank[i]] = length; /* offsets[0] is 0 */
    }
    if (status != AKIN_OK)
        return status;
    offsets[0] = 0;
    for (uint32_t i = 0; i < labels; i++)
        offsets[i + UINT64_C(1)] += offsets[i];
    status = reserve_part(scope, t, AKIN_STORED_LABEL_BYTES, offsets[labels], 1, error);
    for (uint32_t i = 0; i < labels && status == AKIN_OK; i++)
        status = copy_label(t, dictionary, i, s->ranks->rank[i], error);
    if (status == AKIN_OK)
        fill_slots(t);
    return status;
}

static akin_status store_index(const akin_scope *scope, akin_stored_trees *t, const akin_tree_side *side,
                               const akin_tree_index *index, akin_error *error)
{
    const uint64_t marks = side->marks_begin[side->count];
    const struct {
        int part;
        const void *from;
        uint64_t count;
        size_t size;
    } copies[] = {{AKIN_STORED_ROWS, side->rows, side->count, sizeof(uint32_t)},
                  {AKIN_STORED_BUCKETS, side->buckets, side->count, AKIN_TREE_BUCKETS},
                  {AKIN_STORED_MARKS_BEGIN, index->begin, t->head.labels + UINT64_C(2), sizeof(uint64_t)},
                  {AKIN_STORED_PLACE, index->place, marks, sizeof(uint32_t)},
                  {AKIN_STORED_FIRST, index->first, marks, sizeof(uint32_t)},
                  {AKIN_STORED_MARK_SIZE, index->size, marks, sizeof(uint32_t)},
                  {AKIN_STORED_DEPTH, index->depth, marks, sizeof(uint32_t)},
                  {AKIN_STORED_RIGHT, index->right, marks, sizeof(uint32_t)},
                  {AKIN_STORED_REACH, index->reach, marks, sizeof(uint32_t)}};
    akin_status status = AKIN_OK;
    for (size_t i = 0; i < sizeof copies / sizeof *copies && status == AKIN_OK; i++)
        status = copy_part(scope, t, copies[i].part, copies[i].from, copies[i].count, copies[i].size, error);
    return status;
}

/* Reads the trees, and stores what is made of them. */
static akin_status store_trees(const akin_scope *scope, akin_account *account, const akin_column *column, uint32_t rows,
                               akin_stored_trees *out, akin_error *error)
{
    akin_tree_side side = {.trees = {.rows = rows}};
    const akin_tree_collection *const trees[] = {&side.trees};
    akin_tree_ranks ranks = {NULL, 0};
    akin_tree_index index = {0};
    akin_dictionary *dictionary = NULL;
    storing s = {out, &side, &ranks};
    akin_status status = akin_dictionary_create_within(scope, &dictionary, error);
    if (status == AKIN_OK)
        status = akin_tree_collection_make(scope, account, (akin_tree_format)out->head.format, column, rows,
                                           "the column", dictionary, &side.trees, error);
    if (status == AKIN_OK) {
        out->head.labels = akin_dictionary_count(dictionary);
        status = akin_tree_ranks_make(scope, account, out->head.labels, trees, 1, &ranks, error);
    }
    if (status == AKIN_OK) {
        akin_tree_ranks_shift(&ranks);
        status = akin_tree_side_make(scope, account, &ranks, out->head.marks, &side, error);
    }
    if (status == AKIN_OK)
        status = akin_tree_index_make(account, &side, &ranks, out->head.marks - 1, &index, error);
    if (status == AKIN_OK)
        status = store_nodes(scope, &s, error);
    if (status == AKIN_OK)
        status = store_labels(scope, &s, dictionary, error);
    if (status == AKIN_OK)
        status = store_index(scope, out, &side, &index, error);
    akin_tree_index_clear(&index);
    akin_tree_side_clear(&side);
    akin_free(ranks.rank);
    akin_dictionary_free(dictionary);
    return status;
}

akin_status akin_stored_trees_make(const akin_scope *scope, akin_tree_format format, const akin_column *column,
                                   uint32_t rows, akin_stored_trees *out, akin_error *error)
{
    const akin_scope few = akin_scope_narrow(scope, (akin_narrowing){.threads = akin_scope_threads(scope)});
    const akin_tree_format_row *row;
    akin_account account;
    *out = (akin_stored_trees){.head = {.format = (uint32_t)format, .marks = AKIN_STORED_MARKS}};
    akin_account_begin(&account, scope);
    akin_status status = akin_tree_format_of(format, &row, error);
    if (status == AKIN_OK)
        status = store_trees(&few, &account, column, rows, out, error);
    return status == AKIN_OK ? view_parts(out, rows, error) : status;
}

void akin_stored_trees_clear(akin_stored_trees *trees)
{
    akin_free(trees->side.trees.trees);
    for (int i = 0; i < AKIN_STORED_PARTS; i++)
        akin_bulk_clear(&trees->own[i]);
    *trees = (akin_stored_trees){0};
}

/* ----------------------------------------------------------------------------------------------------------- taking */

/* Whether numbers rise, from 0 up to `most`; equal ones may follow one another. */
static int are_rising(const uint64_t *numbers, uint64_t count, uint64_t most)
{
    if (count == 0 || numbers[0] != 0 || numbers[count - 1] != most)
        return 0;
    for (uint64_t i = 1; i < count; i++)
        if (numbers[i] < numbers[i - 1])
            return 0;
    return 1;
}

static int are_below(const uint32_t *numbers, uint64_t count, uint64_t end)
{
    uint32_t most = 0;
    for (uint64_t i = 0; i < count; i++)
        most = akin_max_u32(most, numbers[i]);
    return count == 0 || most < end;
}

/* Whether the places have all trees, smaller ones first, equal sizes by row. */
static int are_places(const uint64_t *begin, uint32_t rows, const uint32_t *places, uint64_t count)
{
    uint64_t trees = 0, before = 0;
    for (uint32_t row = 0; row < rows; row++)
        trees += begin[row + UINT64_C(1)] > begin[row];
    if (trees != count || !are_below(places, count, rows))
        return 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t key = (begin[places[i] + UINT64_C(1)] - begin[places[i]]) << 32 | places[i];
        if (key <= before || key >> 32 == 0)
            return 0;
        before = key;
    }
    return 1;
}

static int are_trees_small(const uint64_t *begin, uint32_t rows)
{
    for (uint32_t row = 0; row < rows; row++)
        if (begin[row + UINT64_C(1)] - begin[row] > AKIN_TREE_NODES)
            return 0;
    return 1;
}

/* Whether each part has the length that the others want. */
static int are_lengths_sound(const akin_stored_trees *t, uint32_t rows)
{
    const uint64_t nodes = count_of(t, AKIN_STORED_LABEL, sizeof(uint32_t)),
                   places = count_of(t, AKIN_STORED_ROWS, sizeof(uint32_t)),
                   marks = count_of(t, AKIN_STORED_PLACE, sizeof(uint32_t)), labels = t->head.labels,
                   slots = count_of(t, AKIN_STORED_SLOTS, sizeof(uint32_t));
    const uint64_t lengths[AKIN_STORED_PARTS] = {[AKIN_STORED_BEGIN] = (rows + UINT64_C(1)) * sizeof(uint64_t),
                                                 [AKIN_STORED_LABEL] = nodes * sizeof(uint32_t),
                                                 [AKIN_STORED_SIZE] = nodes * sizeof(uint32_t),
                                                 [AKIN_STORED_ROWS] = places * sizeof(uint32_t),
                                                 [AKIN_STORED_BUCKETS] = places * AKIN_TREE_BUCKETS,
                                                 [AKIN_STORED_MARKS_BEGIN] = (labels + 2) * sizeof(uint64_t),
                                                 [AKIN_STORED_PLACE] = marks * sizeof(uint32_t),
                                                 [AKIN_STORED_FIRST] = marks * sizeof(uint32_t),
                                                 [AKIN_STORED_MARK_SIZE] = marks * sizeof(uint32_t),
                                                 [AKIN_STORED_DEPTH] = marks * sizeof(uint32_t),
                                                 [AKIN_STORED_RIGHT] = marks * sizeof(uint32_t),
                                                 [AKIN_STORED_REACH] = marks * sizeof(uint32_t),
                                                 [AKIN_STORED_LABEL_OFFSETS] = (labels + 1) * sizeof(uint64_t),
                                                 [AKIN_STORED_LABEL_BYTES] = t->parts[AKIN_STORED_LABEL_BYTES].length,
                                                 [AKIN_STORED_SLOTS] = slots * sizeof(uint32_t)};
    for (int i = AKIN_STORED_HEAD + 1; i < AKIN_STORED_PARTS; i++)
        if (t->parts[i].length != lengths[i])
            return 0;
    return slots > labels && (slots & (slots - 1)) == 0;
}

/* What is wrong with the parts; NULL: nothing. */
static const char *check_parts(const akin_stored_trees *t, uint32_t rows)
{
    const akin_tree_format_row *format;
    const uint64_t *begin = part(t, AKIN_STORED_BEGIN);
    if (t->head.marks < 1 || t->head.marks > AKIN_STORED_MARKS || t->head.labels > UINT32_MAX / 2 ||
        t->head.reserved != 0 || akin_tree_format_of((akin_tree_format)t->head.format, &format, NULL) != AKIN_OK ||
        !are_lengths_sound(t, rows))
        return "the numbers of its trees are not what they must be";
    if (!are_rising(begin, rows + UINT64_C(1), count_of(t, AKIN_STORED_LABEL, sizeof(uint32_t))) ||
        !are_trees_small(begin, rows) ||
        !are_places(begin, rows, part(t, AKIN_STORED_ROWS), count_of(t, AKIN_STORED_ROWS, sizeof(uint32_t))))
        return "its trees are not those of its objects";
    if (!are_rising(part(t, AKIN_STORED_LABEL_OFFSETS), t->head.labels + UINT64_C(1),
                    t->parts[AKIN_STORED_LABEL_BYTES].length) ||
        !are_below(part(t, AKIN_STORED_SLOTS), count_of(t, AKIN_STORED_SLOTS, sizeof(uint32_t)),
                   t->head.labels + UINT64_C(1)))
        return "its labels are not where they must be";
    return are_rising(part(t, AKIN_STORED_MARKS_BEGIN), t->head.labels + UINT64_C(2),
                      count_of(t, AKIN_STORED_PLACE, sizeof(uint32_t))) &&
                   are_below(part(t, AKIN_STORED_PLACE), count_of(t, AKIN_STORED_PLACE, sizeof(uint32_t)),
                             count_of(t, AKIN_STORED_ROWS, sizeof(uint32_t)))
               ? NULL
               : "the marks of its trees are not where they must be";
}

akin_status akin_stored_trees_take(const akin_scope *scope, const char *name, uint32_t rows,
                                   const akin_section *sections, akin_stored_trees *out, akin_error *error)
{
    static const int kept[] = {AKIN_STORED_BEGIN,       AKIN_STORED_ROWS,          AKIN_STORED_PLACE,
                               AKIN_STORED_MARKS_BEGIN, AKIN_STORED_LABEL_OFFSETS, AKIN_STORED_SLOTS};
    akin_status status = AKIN_OK;
    *out = (akin_stored_trees){0};
    memcpy(out->parts, sections, sizeof out->parts);
    if (sections[AKIN_STORED_HEAD].length != sizeof out->head)
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_DAMAGED,
                              "%s: no index: the numbers of its trees are not what they must be", name);
    memcpy(&out->head, sections[AKIN_STORED_HEAD].data, sizeof out->head);
    for (size_t i = 0; i < sizeof kept / sizeof *kept && status == AKIN_OK; i++)
        status = akin_section_keep(scope, AKIN_BUDGET_KEPT, &out->parts[kept[i]], 0, &out->own[kept[i]], error);
    const char *why = status == AKIN_OK ? check_parts(out, rows) : NULL;
    if (why)
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_DAMAGED, "%s: no index: %s", name, why);
    return status == AKIN_OK ? view_parts(out, rows, error) : status;
}

/* ----------------------------------------------------------------------------------------------------------- asking */

uint32_t akin_stored_rank(const akin_stored_trees *trees, const char *label, size_t length)
{
    const uint64_t *offsets = part(trees, AKIN_STORED_LABEL_OFFSETS);
    const char *bytes = part(trees, AKIN_STORED_LABEL_BYTES);
    const uint32_t *slots = part(trees, AKIN_STORED_SLOTS);
    const uint64_t count = count_of(trees, AKIN_STORED_SLOTS, sizeof *slots), at = XXH3_64bits(label, length);
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t rank = slots[(at + i) & (count - 1)];
        if (rank == 0)
            break;
        const uint64_t begin = offsets[rank - 1];
        if (offsets[rank] - begin == length && memcmp(bytes + begin, label, length) == 0)
            return rank;
    }
    return 0;
}

/* Computes depths from sizes, and checks these: the subtrees of children fill that of their parent, but for itself. */
static int find_depths(const uint32_t *size, uint32_t nodes, uint32_t *depth)
{
    if (size[nodes - 1] != nodes)
        return 0;
    depth[nodes - 1] = 0;
    for (uint32_t i = nodes; i-- > 0;) {
        uint32_t left = size[i] - 1; /* nodes below it that are not seen yet */
        while (left > 0) {
            const uint32_t child = i - (size[i] - left);
            if (size[child] == 0 || size[child] > left)
                return 0;
            depth[child] = depth[i] + 1;
            left -= size[child];
        }
    }
    return 1;
}

static int reserve_room(akin_account *account, uint32_t **array, uint64_t *room, uint32_t nodes)
{
    uint32_t *own = akin_enlarge(account, *array, room, nodes, sizeof *own);
    if (own)
        *array = own;
    return own != NULL;
}

akin_status akin_stored_bring(const akin_stored_trees *trees, uint32_t place, akin_stored_room *room, akin_tree *out)
{
    const akin_tree *tree = akin_tree_at(&trees->side, place);
    const uint32_t nodes = tree->nodes;
    if (!reserve_room(room->account, &room->size, &room->size_room, nodes) ||
        !reserve_room(room->account, &room->depth, &room->depth_room, nodes) ||
        !reserve_room(room->account, &room->pre, &room->pre_room, nodes))
        return AKIN_E_NOMEM;
    memcpy(room->size, tree->size, nodes * sizeof *room->size);
    if (!find_depths(room->size, nodes, room->depth))
        return AKIN_E_INPUT;
    for (uint32_t i = 0; i < nodes; i++)
        room->pre[i + 1 - room->size[i] + room->depth[i]] = tree->label[i];
    *out = (akin_tree){tree->label, room->size, room->depth, room->pre, nodes};
    return AKIN_OK;
}

void akin_stored_room_clear(akin_stored_room *room)
{
    akin_free(room->size);
    akin_free(room->depth);
    akin_free(room->pre);
    *room = (akin_stored_room){.account = room->account};
}
