/*
 * How libFuzzer mutates containers: section by section. A number of a section changes, mostly to one that ends
 * something, a section grows, shrinks, is swapped with another or taken from another container; then all is laid out
 * anew, with the sizes and checksums that belong to it (mend.h). So nearly every input is a container, and what is
 * behind its checks is reached.
 */
#ifndef AKIN_FUZZ_CONTAINER_H
#define AKIN_FUZZ_CONTAINER_H

#include "mend.h"

#define SECTIONS_MOST 64
#define ALIGNMENT     64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                                 size_t most, unsigned seed);

/* libFuzzer's; where the corpus is only replayed there is none, and nobody asks for it. */
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

typedef struct part {
    uint8_t *bytes;
    size_t size;
} part;

/* A container taken apart. Each section has room for `room` bytes. */
typedef struct parts {
    uint8_t head[TABLE_AT];
    uint32_t count;
    part sections[SECTIONS_MOST];
    size_t room;
} parts;

static inline void clear_parts(parts *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        free(p->sections[i].bytes);
    p->count = 0;
}

static inline void add_part(parts *p, const uint8_t *bytes, size_t size)
{
    part *section = &p->sections[p->count++];
    section->size = size < p->room ? size : p->room;
    require((section->bytes = calloc(1, p->room + 1)) != NULL);
    if (section->size > 0)
        memcpy(section->bytes, bytes, section->size);
}

/* Whether the bytes are a container; sections that it does not have are empty. */
static inline int take_apart(const uint8_t *data, size_t size, size_t room, parts *p)
{
    uint32_t count;
    *p = (parts){.room = room};
    if (size < TABLE_AT)
        return 0;
    memcpy(p->head, data, TABLE_AT);
    memcpy(&count, data + COUNT_AT, sizeof count);
    if (count > SECTIONS_MOST || size < TABLE_AT + (size_t)count * ENTRY + sizeof(uint64_t))
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *entry = data + TABLE_AT + i * ENTRY;
        const uint64_t offset = get(entry), length = get(entry + 8);
        const int is_there = offset <= size && length <= size - offset;
        add_part(p, is_there ? data + offset : data, is_there ? (size_t)length : 0);
    }
    if (count > 0 && has_blocks(data)) /* they are made anew */
        free(p->sections[--p->count].bytes);
    return 1;
}

/* Adds room for the checksums of blocks, if there are any; they are zeros. */
static inline void add_blocks(parts *p)
{
    size_t blocks = 0;
    for (uint32_t i = 0; i < p->count; i++)
        blocks += (p->sections[i].size + BLOCK - 1) / BLOCK;
    if (!has_blocks(p->head) || p->count == SECTIONS_MOST || blocks * sizeof(uint64_t) > p->room)
        return;
    add_part(p, (const uint8_t *)"", 0);
    p->sections[p->count - 1].size = blocks * sizeof(uint64_t);
}

/* Lays the container out; 0: it is longer than `most`. */
static inline size_t put_together(parts *p, uint8_t *out, size_t most)
{
    add_blocks(p);
    size_t end = TABLE_AT + (size_t)p->count * ENTRY + sizeof(uint64_t), at = end;
    for (uint32_t i = 0; i < p->count; i++)
        at = (at + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + p->sections[i].size;
    if (at > most)
        return 0;
    memset(out, 0, at);
    memcpy(out, p->head, TABLE_AT);
    memcpy(out + COUNT_AT, &p->count, sizeof p->count);
    for (uint32_t i = 0; i < p->count; i++) {
        end = (end + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        put(out + TABLE_AT + i * ENTRY, end);
        put(out + TABLE_AT + i * ENTRY + 8, p->sections[i].size);
        if (p->sections[i].size > 0)
            memcpy(out + end, p->sections[i].bytes, p->sections[i].size);
        end += p->sections[i].size;
    }
    mend(out, at);
    return at;
}

/* -------------------------------------------------------------------------------------------------------- mutations */

/* A number below `most`, which is not 0. */
static inline size_t draw(uint64_t *random, size_t most)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)(*random >> 33) % most;
}

/* Changes a number of 1, 2, 4 or 8 bytes, every other time the first or the last: to one near, one that ends something,
 * or one that stands elsewhere. */
static inline void change_number(parts *p, part *s, uint64_t *random)
{
    const size_t width = (size_t)1 << draw(random, 4), count = s->size / width;
    if (count == 0)
        return;
    const size_t places[] = {0, count - 1, draw(random, count), draw(random, count)};
    uint8_t *at = s->bytes + width * places[draw(random, 4)];
    uint64_t number = 0;
    memcpy(&number, at, width);
    const uint64_t others[] = {0,
                               1,
                               UINT64_MAX,
                               UINT64_MAX >> 1,
                               number + 1,
                               number - 1,
                               number * 2,
                               number ^ (uint64_t)1 << draw(random, 8 * width),
                               s->size,
                               s->size / width,
                               p->sections[draw(random, p->count)].size,
                               p->sections[draw(random, p->count)].size / 4};
    number = others[draw(random, sizeof others / sizeof *others)];
    if (draw(random, 4) == 0)
        memcpy(&number, s->bytes + width * draw(random, count), width);
    memcpy(at, &number, width);
}

/* Takes entries away, or doubles some, anywhere. */
static inline void change_size(const parts *p, part *s, uint64_t *random)
{
    const size_t width = (size_t)1 << draw(random, 4), count = s->size / width;
    const size_t at = draw(random, count + 1) * width, length = draw(random, 4) * width;
    if (draw(random, 2) == 0 && length <= s->size - at) {
        memmove(s->bytes + at, s->bytes + at + length, s->size - at - length);
        s->size -= length;
    } else if (length <= p->room - s->size && length <= s->size - at) {
        memmove(s->bytes + at + length, s->bytes + at, s->size - at);
        s->size += length;
    }
}

static inline void mutate_part(parts *p, uint64_t *random)
{
    part *s = &p->sections[draw(random, p->count)], *other = &p->sections[draw(random, p->count)];
    const part swapped = *s;
    switch (draw(random, 12)) {
    case 0:
        change_size(p, s, random);
        break;
    case 1:
        s->size = LLVMFuzzerMutate(s->bytes, s->size, p->room);
        break;
    case 2:
        *s = *other;
        *other = swapped;
        break;
    case 3:
        if (s != other)
            memcpy(s->bytes, other->bytes, other->size);
        s->size = other->size;
        break;
    case 4:
        if (p->count < SECTIONS_MOST && draw(random, 8) == 0)
            add_part(p, other->bytes, other->size);
        break;
    case 5:
        if (draw(random, 8) == 0)
            free(p->sections[--p->count].bytes);
        break;
    case 6:
        (void)LLVMFuzzerMutate(p->head + 8, COUNT_AT - 8, COUNT_AT - 8); /* kind and version */
        break;
    default:
        change_number(p, s, random);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    uint64_t random = seed;
    parts p;
    size_t length = 0;
    draw(&random, 1);
    if (take_apart(data, size, most, &p) && p.count > 0 && draw(&random, 16) > 0) {
        for (size_t times = 1 + draw(&random, 3); times > 0 && p.count > 0; times--)
            mutate_part(&p, &random);
        length = put_together(&p, data, most);
    }
    clear_parts(&p);
    if (length > 0)
        return length;
    return LLVMFuzzerMutate(data, size, most); /* as bytes, whose checksums the fuzzer mends, too */
}

/* One container, with some sections of the other. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                                 size_t most, unsigned seed)
{
    uint64_t random = seed;
    parts p, q = {.count = 0};
    size_t length = 0;
    if (take_apart(a, a_size, most, &p) && take_apart(b, b_size, most, &q)) {
        for (uint32_t i = 0; i < p.count && i < q.count; i++)
            if (draw(&random, 3) == 0) {
                const part swapped = p.sections[i];
                p.sections[i] = q.sections[i];
                q.sections[i] = swapped;
            }
        length = put_together(&p, out, most);
    }
    clear_parts(&p);
    clear_parts(&q);
    return length;
}

#endif
