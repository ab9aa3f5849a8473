/* Classes of equal windows: a table by hash, and a walk over runs. */
#include "corpus/window_classes.h"

#include <string.h>

#define BASE            UINT64_C(0x9e6c63d0876a3f35) /* of the hash of a window; odd */
#define SALT            UINT64_C(0x3c79ac492ba7b653)
#define HASHES          (UINT64_C(1) << 32) /* lower halves of hashes, which slices divide */
#define LEAST_WIDTH     (UINT64_C(1) << 16) /* of a slice */
#define SLOT_BITS_LEAST 6                   /* of a table at first */
#define SLOT_BITS_MOST  10
#define AHEAD           16 /* runs from one to the one whose text is brought to the cache */
#define ROLL            4  /* parts of a window: a hash is made anew rather than from one before by more than a part */
#define RUNS_ASKED      64 /* runs from one question whether to go on to the next */

static const char what[] = "repeated text"; /* the memory is for */

void akin_classes_begin(akin_classes *classes, const akin_scope *scope, akin_account *account, uint64_t share)
{
    classes->account = account;
    classes->heads = akin_bulk_of(scope, account, share);
    classes->power = 1;
    for (uint64_t i = 0; i < classes->windows->length; i++)
        classes->power *= BASE;
}

void akin_classes_release(akin_classes *classes)
{
    akin_free(classes->classes);
    akin_free(classes->slots);
    classes->classes = NULL;
    classes->slots = NULL;
    classes->count = classes->capacity = classes->slot_capacity = 0;
}

void akin_classes_clear(akin_classes *classes)
{
    akin_classes_release(classes);
    akin_bulk_clear(&classes->heads);
    classes->head_count = 0;
}

/* ------------------------------------------------------------------------------------------------------------ heads */

static akin_head head_of(uint64_t place, uint64_t source, uint32_t times)
{
    return (akin_u128)place << 72 | (akin_u128)source << 32 | times;
}

static akin_status add_head(akin_classes *c, akin_head head, akin_error *error)
{
    const akin_status status = akin_bulk_grow(&c->heads, (c->head_count + 1) * sizeof head, what, error);
    if (status == AKIN_OK)
        ((akin_head *)c->heads.data)[c->head_count++] = head;
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ table */

/* Enters a class; its hash is not there, or belongs to other windows. */
static void enter(akin_classes *c, uint64_t slot)
{
    const uint64_t last = (UINT64_C(1) << c->slot_bits) - 1;
    uint64_t at = slot >> (64 - c->slot_bits);
    while (c->slots[at])
        at = (at + 1) & last;
    c->slots[at] = slot;
}

/* Empties the table. It has 2^bits slots from now on. */
static akin_status reset(akin_classes *c, uint32_t bits)
{
    const uint64_t slots = UINT64_C(1) << bits;
    if (slots > c->slot_capacity) {
        akin_free(c->slots);
        c->slots = akin_alloc(c->account, slots, sizeof *c->slots);
        c->slot_capacity = c->slots ? slots : 0;
    }
    c->count = 0;
    c->slot_bits = bits;
    if (!c->slots)
        return AKIN_E_NOMEM;
    memset(c->slots, 0, slots * sizeof *c->slots);
    return AKIN_OK;
}

/* Moves the table to twice the slots. */
static akin_status enlarge(akin_classes *c)
{
    const uint64_t slots = UINT64_C(1) << c->slot_bits;
    uint64_t *before = c->slots, *larger = akin_alloc_zero(c->account, slots * 2, sizeof *larger);
    if (!larger)
        return AKIN_E_NOMEM;
    c->slots = larger;
    c->slot_bits++;
    c->slot_capacity = slots * 2;
    for (uint64_t i = 0; i < slots; i++)
        if (before[i])
            enter(c, before[i]);
    akin_free(before);
    return AKIN_OK;
}

/* Adds a class. Errors, without a message: AKIN_E_NOMEM, also where there are as many as there may be. */
static akin_status add_class(akin_classes *c, uint64_t place, uint64_t hash)
{
    if (c->count >= c->most)
        return AKIN_E_NOMEM;
    akin_class *classes = akin_enlarge(c->account, c->classes, &c->capacity, c->count + 1, sizeof *classes);
    if (!classes)
        return AKIN_E_NOMEM;
    c->classes = classes;
    if (c->count * 2 >= UINT64_C(1) << c->slot_bits && enlarge(c) != AKIN_OK)
        return AKIN_E_NOMEM;
    classes[c->count++] = (akin_class){place, 1, AKIN_NO_CLASS};
    enter(c, hash >> 32 << 32 | c->count);
    return AKIN_OK;
}

/* ------------------------------------------------------------------------------------------------------------- walk */

/* A walk over the windows of a group, of which those in a slice of the hashes count. */
typedef struct walk {
    akin_classes *c;
    uint64_t low, high;     /* the slice */
    uint64_t hash, hashed;  /* of the last window that was hashed, without the last mixing; and its place */
    uint32_t before;        /* the class of the window before, if that one counts and is in the same row */
    uint64_t apart, agreed; /* bytes before `agreed` equal those `apart` bytes before them, from a window before on */
    uint64_t from, to;      /* windows that are still to be marked */
    uint64_t compared;
} walk;

/* A symbol as a number. The symbol's bytes are a constant, for the compiler. */
static inline uint64_t symbol_of(const char *at, akin_symbol symbol)
{
    uint32_t word;
    if (symbol == AKIN_SYMBOL_BYTE)
        return (unsigned char)*at;
    memcpy(&word, at, sizeof word);
    return word;
}

static inline uint64_t hash_symbols(const char *text, uint64_t length, akin_symbol symbol)
{
    uint64_t hash = 0, i = 0;
    for (; i + 4 <= length; i += 4, text += 4 * symbol)
        hash = hash * (BASE * BASE * BASE * BASE) + (symbol_of(text, symbol) + 1) * (BASE * BASE * BASE) +
               (symbol_of(text + symbol, symbol) + 1) * (BASE * BASE) +
               (symbol_of(text + 2 * symbol, symbol) + 1) * BASE + symbol_of(text + 3 * symbol, symbol) + 1;
    for (; i < length; i++, text += symbol)
        hash = hash * BASE + symbol_of(text, symbol) + 1;
    return hash;
}

/* Moves the hash of a window on, place by place. */
static inline void roll(walk *w, uint64_t place, akin_symbol symbol)
{
    const uint64_t bytes = w->c->windows->length * symbol, power = w->c->power;
    const char *text = akin_windows_at(w->c->windows, w->hashed);
    for (; w->hashed < place; w->hashed++, text += symbol)
        w->hash = w->hash * BASE + symbol_of(text + bytes, symbol) + 1 - (symbol_of(text, symbol) + 1) * power;
}

/* The hash of the window: from that of a window not far before it, if there is one in the row. */
static uint64_t hash_at(walk *w, uint64_t place)
{
    const akin_windows *windows = w->c->windows;
    const int is_byte = windows->symbol == AKIN_SYMBOL_BYTE;
    const char *text = akin_windows_at(windows, place);
    if (w->hashed > place || place - w->hashed > windows->length / ROLL) {
        w->hash = is_byte ? hash_symbols(text, windows->length, AKIN_SYMBOL_BYTE)
                          : hash_symbols(text, windows->length, AKIN_SYMBOL_WORD);
        w->hashed = place;
    }
    if (is_byte)
        roll(w, place, AKIN_SYMBOL_BYTE);
    else
        roll(w, place, AKIN_SYMBOL_WORD);
    return akin_mix_u64(w->hash ^ SALT, BASE) & windows->mask;
}

/* Whether the window at `place` equals one before it, at `source`. */
static int is_equal(walk *w, uint64_t place, uint64_t source)
{
    const akin_windows *windows = w->c->windows;
    const uint64_t apart = place - source, end = place + windows->length;
    const uint64_t from = apart == w->apart && w->agreed > place ? w->agreed : place;
    w->compared += end - from;
    if (memcmp(akin_windows_at(windows, from), akin_windows_at(windows, from - apart),
               (end - from) * windows->symbol) != 0)
        return 0;
    w->apart = apart;
    w->agreed = end;
    return 1;
}

/* The class of the window, by its hash; AKIN_NO_CLASS: it is the first of its class. */
static uint32_t look_up(walk *w, uint64_t place, uint64_t hash)
{
    const akin_classes *c = w->c;
    const uint64_t last = (UINT64_C(1) << c->slot_bits) - 1;
    for (uint64_t at = hash >> (64 - c->slot_bits); c->slots[at]; at = (at + 1) & last) {
        const uint32_t class = (uint32_t)c->slots[at] - 1;
        if (c->slots[at] >> 32 == hash >> 32 && is_equal(w, place, c->classes[class].place))
            return class;
    }
    return AKIN_NO_CLASS;
}

/* The later windows from `begin` on, before `end`, are to be marked. */
static void take_later(walk *w, uint64_t begin, uint64_t end)
{
    if (w->c->begins)
        return;
    if (w->from == w->to || begin != w->to) {
        akin_marks_set(w->c->later, w->from, w->to);
        w->from = begin;
    }
    w->to = end;
}

/* Takes a window that does not follow from the one before. */
static akin_status take_window(walk *w, uint64_t place)
{
    akin_classes *c = w->c;
    const uint64_t hash = hash_at(w, place);
    const uint32_t before = w->before;
    akin_status status = AKIN_OK;
    w->before = AKIN_NO_CLASS;
    if ((uint32_t)hash < w->low || (uint32_t)hash >= w->high)
        return AKIN_OK;
    uint32_t class = look_up(w, place, hash);
    if (class == AKIN_NO_CLASS) {
        status = add_class(c, place, hash);
        class = (uint32_t)c->count - 1;
    } else {
        c->classes[class].times += c->classes[class].times < UINT32_MAX;
        take_later(w, place, place + 1);
    }
    if (status != AKIN_OK)
        return status;
    if (before != AKIN_NO_CLASS && c->classes[before].place + 1 == place)
        c->classes[before].next = class;
    w->before = class;
    return AKIN_OK;
}

/* Follows the window before as far as that goes, before `end`. Returns the first window that is left. */
static inline uint64_t follow_symbols(walk *w, uint64_t place, uint64_t end, akin_symbol symbol)
{
    akin_class *classes = w->c->classes;
    const char *text = akin_windows_at(w->c->windows, w->c->windows->length);
    const uint64_t begin = place;
    uint32_t class = w->before;
    while (class != AKIN_NO_CLASS && place < end) {
        const akin_class *before = &classes[class];
        const uint32_t next = before->next;
        if (next == AKIN_NO_CLASS ||
            symbol_of(text + before->place * symbol, symbol) != symbol_of(text + (place - 1) * symbol, symbol))
            break;
        classes[next].times += classes[next].times < UINT32_MAX;
        class = next;
        place++;
    }
    w->compared += place - begin;
    w->before = class;
    return place;
}

static uint64_t follow(walk *w, uint64_t place, uint64_t end)
{
    return w->c->windows->symbol == AKIN_SYMBOL_BYTE ? follow_symbols(w, place, end, AKIN_SYMBOL_BYTE)
                                                     : follow_symbols(w, place, end, AKIN_SYMBOL_WORD);
}

/* Where to stop on the way to `end`: behind the next window that a span begins with. */
static uint64_t stop_of(const akin_classes *c, uint64_t place, uint64_t end)
{
    return c->begins ? akin_min_u64(end, akin_marks_next(c->begins, place, end) + 1) : end;
}

/* Walks over the windows of a run. One that follows the run before goes on with what is known. */
static akin_status walk_run(walk *w, akin_run run, int follows, akin_error *error)
{
    const uint64_t begin = akin_run_begin(run), end = akin_run_end(run);
    akin_status status = AKIN_OK;
    if (!follows) {
        w->before = AKIN_NO_CLASS;
        w->hashed = UINT64_MAX;
        w->agreed = 0;
    }
    uint64_t place = begin;
    while (place < end && status == AKIN_OK) {
        const uint64_t next = follow(w, place, stop_of(w->c, place, end));
        if (next > place)
            take_later(w, place, next);
        else
            status = take_window(w, place);
        place = next > place ? next : place + 1;
        if (status == AKIN_OK && w->c->begins && w->before != AKIN_NO_CLASS && akin_marks_has(w->c->begins, place - 1))
            status =
                add_head(w->c, head_of(place - 1, 0, w->before), error); /* the end of the slice fills in the rest */
    }
    w->c->report.walked += place - begin;
    return status;
}

/* Marks the first windows of classes that have later ones. Neighbours mostly are neighbours in the text, too. */
static void mark_firsts(const akin_classes *c)
{
    uint64_t from = 0, to = 0;
    for (uint64_t i = 0; i < c->count; i++) {
        const akin_class *class = &c->classes[i];
        if (class->times < 2)
            continue;
        if (from == to || class->place != to) {
            akin_marks_set(c->first, from, to);
            from = class->place;
        }
        to = class->place + 1;
    }
    akin_marks_set(c->first, from, to);
}

/* Fills in where the classes of new heads begin, and how many windows they have; or marks first windows. */
static void end_slice(akin_classes *c, uint64_t first_head)
{
    akin_head *heads = c->heads.data;
    if (!c->begins)
        mark_firsts(c);
    for (uint64_t i = first_head; i < c->head_count; i++) {
        const akin_class *class = &c->classes[akin_head_times(heads[i])];
        heads[i] = head_of(akin_head_place(heads[i]), class->place, class->times);
    }
}

/* The bits of the slots of a table at first, for the windows of some runs. */
static uint32_t slot_bits_for(const akin_classes *c, const akin_run *runs, uint64_t count)
{
    uint64_t windows = 0;
    uint32_t bits = SLOT_BITS_LEAST;
    for (uint64_t i = 0; i < count && windows < UINT64_C(1) << SLOT_BITS_MOST; i++)
        windows += akin_run_count(runs[i]);
    while (bits < SLOT_BITS_MOST && UINT64_C(1) << bits < 2 * akin_min_u64(windows, c->most))
        bits++;
    return bits;
}

/* Walks over a group for a slice. Errors: AKIN_E_NOMEM, also where there are more classes than there may be; what was
 * marked until then is right. */
static akin_status take_slice(walk *w, const akin_run *runs, uint64_t count, akin_cancellation *cancellation,
                              akin_error *error)
{
    akin_classes *c = w->c;
    const uint64_t first_head = c->head_count;
    akin_status status = reset(c, slot_bits_for(c, runs, count));
    w->before = AKIN_NO_CLASS;
    w->from = w->to = w->agreed = 0;
    for (uint64_t i = 0; i < count && status == AKIN_OK; i++) {
        if (count - i > AHEAD)
            akin_classes_prefetch(c, runs[i + AHEAD]);
        status = walk_run(w, runs[i], i > 0 && akin_run_end(runs[i - 1]) == akin_run_begin(runs[i]), error);
        if (i % RUNS_ASKED == RUNS_ASKED - 1 && status == AKIN_OK && !akin_goes_on(cancellation))
            status = AKIN_E_CANCELLED;
    }
    akin_marks_set(c->later, w->from, w->to);
    if (status == AKIN_OK)
        end_slice(c, first_head);
    else
        c->head_count = first_head;
    return status;
}

/* The width of slices after one was too wide: by how many of the windows were walked over until then. */
static uint64_t narrow(uint64_t width, uint64_t walked, uint64_t windows)
{
    const uint64_t fits = (uint64_t)((akin_u128)width * walked / windows / 8 * 7);
    return akin_max_u64(LEAST_WIDTH, akin_max_u64(width / 16, fits));
}

akin_status akin_classes_find(akin_classes *classes, const akin_run *runs, uint64_t count,
                              akin_cancellation *cancellation, akin_error *error)
{
    walk w = {.c = classes, .high = HASHES};
    uint64_t width = HASHES, windows = 0;
    akin_status status = AKIN_OK;
    while (w.low < HASHES && status == AKIN_OK) {
        const uint64_t walked = classes->report.walked;
        status = take_slice(&w, runs, count, cancellation, error);
        if (status == AKIN_OK) {
            w.low = w.high;
        } else if (status == AKIN_E_NOMEM && width > LEAST_WIDTH && classes->count > 0) {
            for (uint64_t i = 0; i < count && width == HASHES; i++)
                windows += akin_run_count(runs[i]);
            width = narrow(width, classes->report.walked - walked, windows);
            classes->report.slices++;
            status = AKIN_OK;
        }
        w.high = akin_min_u64(HASHES, w.low + width);
    }
    classes->report.compared += w.compared;
    return status == AKIN_E_NOMEM ? akin_fail_memory(error, what) : status;
}
