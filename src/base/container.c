/* Reads the container of all saved files: checks what it hands out. */
#define _POSIX_C_SOURCE 200809L

#include "base/container.h"

#include "base/context.h"
#include "base/decoder.h"
#include "base/descriptor.h"
#include "base/mapping.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_BYTES ((uint64_t)1 << 16)
struct akin_container {
    akin_mapping *mapping;
    void *copy; /* to free: the content of a file that is not mapped */
    const char *data;
    akin_container_header header;
    char *name;             /* of the file, */
    _Atomic uint64_t *done; /* and a bit for each block: both if blocks have checksums */
    akin_container_entry entries[AKIN_CONTAINER_SECTIONS];
    akin_section_blocks blocks[AKIN_CONTAINER_SECTIONS];
    akin_section sections[AKIN_CONTAINER_SECTIONS];
};

int akin_container_recognise(const char *data, size_t length)
{
    return length >= 8 && memcmp(data, AKIN_CONTAINER_MAGIC, 8) == 0;
}

static int ends_with(const char *name, const char *ending)
{
    const size_t length = strlen(name), tail = strlen(ending);
    return length >= tail && strcasecmp(name + length - tail, ending) == 0;
}

akin_status akin_container_check_empty(const char *name, uint64_t length, akin_error *error)
{
    static const char *const endings[] = {".akin", ".akin.gz", ".akin.zst"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings && length == 0; i++)
        if (ends_with(name, endings[i]))
            return akin_error_set(
                error, AKIN_E_INPUT, AKIN_REASON_DAMAGED,
                "%s: is empty, which no saved file is; an interrupted run or copy leaves such a file: "
                "make it anew",
                name);
    return AKIN_OK;
}

/* ----------------------------------------------------------------------------------------------------------- checking
 */

/* What is being checked, and what it should be. */
typedef struct subject {
    const akin_scope *scope;
    const char *name;
    const char *data;
    uint64_t length;
    const char *kind;     /* NULL: any kind that there is, */
    const char *expected; /* which messages call so */
    uint32_t version;
    uint32_t count;
} subject;

static akin_status fail_cancelled(const subject *s, akin_error *error)
{
    return akin_fail(error, AKIN_E_CANCELLED, "%s: cancelled while reading", s->name);
}

static akin_status refuse_container(const subject *s, uint64_t byte, const char *what, akin_error *error)
{
    if (byte == 0)
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_OTHER_KIND, "%s: %s", s->name, what);
    return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_DAMAGED, "%s: byte %llu: %s; make the file anew", s->name,
                          (unsigned long long)byte, what);
}

/* Refuses a file of one kind where another is expected. */
static akin_status refuse_other(const char *name, const akin_saved_kind_row *found, const akin_saved_kind_row *expected,
                                akin_error *error)
{
    return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_OTHER_KIND,
                          "%s: holds %s (made by %s, read by %s), not %s (made by %s)", name, found->choice.help,
                          found->maker, found->reader, expected->choice.help, expected->maker);
}

/* Refuses a file that begins like another kind of those that there are: all that has been read is its first bytes. */
static akin_status check_start(const subject *s, akin_error *error)
{
    akin_container_header h;
    char wanted[sizeof h.kind] = {0};
    akin_status status = akin_container_check_empty(s->name, s->length, error);
    if (status != AKIN_OK)
        return status;
    for (size_t i = 0; s->kind && i < sizeof wanted && s->kind[i]; i++)
        wanted[i] = s->kind[i];
    const akin_saved_kind_row *expected = akin_container_kind_named(wanted);
    const akin_packing packing = akin_packing_of(s->data, (size_t)s->length);
    if (packing != AKIN_PACKING_NONE && s->length >= AKIN_PACKING_MAGIC)
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_OTHER_KIND,
                              "%s: is packed by %s: unpack it, as files saved by akin are read in place", s->name,
                              akin_packing_name(packing));
    if (!akin_container_recognise(s->data, s->length < 8 ? (size_t)s->length : 8))
        return s->expected ? akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_OTHER_KIND,
                                            "%s: is not a file saved by akin; expected %s", s->name, s->expected)
               : !expected ? refuse_container(s, 0, "is not a file saved by akin", error)
                           : akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_OTHER_KIND,
                                            "%s: is not a file saved by akin; expected %s (made by %s)", s->name,
                                            expected->choice.help, expected->maker);
    if (s->length < sizeof h)
        return AKIN_OK;
    memcpy(&h, s->data, sizeof h);
    const akin_saved_kind_row *found = akin_container_kind_named(h.kind);
    if (!found && !s->kind)
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_OTHER_KIND,
                              "%s: byte 8: a saved file of a kind that this akin does not know", s->name);
    return !found || !expected || found == expected ? AKIN_OK : refuse_other(s->name, found, expected, error);
}

/* Checks all up to the end of the table. */
static akin_status check_header(const subject *s, akin_container_header *h, akin_error *error)
{
    uint64_t check;
    akin_status status = check_start(s, error);
    if (status != AKIN_OK)
        return status;
    if (s->length < akin_container_header_bytes(0))
        return refuse_container(s, s->length, "truncated within the header", error);
    memcpy(h, s->data, sizeof *h);
    if (s->length < h->size)
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_DAMAGED,
                              "%s: ends after %llu of %llu bytes; make the file anew", s->name,
                              (unsigned long long)s->length, (unsigned long long)h->size);
    if (h->count > AKIN_CONTAINER_SECTIONS || s->length < akin_container_header_bytes(h->count))
        return refuse_container(s, 20, "the number of sections is altered", error);
    uint64_t before = akin_container_header_bytes(h->count) - sizeof check;
    memcpy(&check, s->data + before, sizeof check);
    if (check != akin_container_hash(s->data, before))
        return refuse_container(s, before, "the header is altered: its checksum does not match", error);
    if (s->length > h->size)
        return refuse_container(s, h->size, "more bytes follow than the file should have", error);
    return AKIN_OK;
}

/* Checks that the file is what the caller can use. */
static akin_status check_header_kind(const char *name, const akin_container_header *h, const char *wanted,
                                     uint32_t version, uint32_t count, akin_error *error)
{
    char kind[sizeof h->kind] = {0};
    for (size_t i = 0; i < sizeof kind && wanted[i]; i++)
        kind[i] = wanted[i];
    const akin_saved_kind_row *found = akin_container_kind_named(h->kind), *expected = akin_container_kind_named(kind);
    if (memcmp(kind, h->kind, sizeof kind) != 0 && found && expected)
        return refuse_other(name, found, expected, error);
    if (memcmp(kind, h->kind, sizeof kind) != 0)
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_OTHER_KIND,
                              "%s: byte 8: a saved file of another kind; expected %s", name, wanted);
    if (h->version > version)
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_OTHER_KIND,
                              "%s: byte 16: saved by a later akin, as version %u; this one reads up to %u", name,
                              h->version, version);
    const uint32_t beside = (uint32_t)akin_container_has_blocks(h);
    if (h->count != count + beside)
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_DAMAGED, "%s: byte 20: has %u sections; expected %u",
                              name, h->count, count + beside);
    return AKIN_OK;
}

/* Finds section `index`, which comes after the byte *end, and moves that to its own end. Its entry is read once: others
 * may change a mapped file. */
static akin_status place_section(const subject *s, uint32_t index, uint64_t *end, akin_container *container,
                                 akin_error *error)
{
    const uint64_t place = sizeof(akin_container_header) + (uint64_t)index * sizeof(akin_container_entry),
                   gap = akin_container_gap(*end);
    akin_container_entry e;
    memcpy(&e, s->data + place, sizeof e);
    if (e.offset < *end || e.offset - *end != gap || e.offset > s->length)
        return refuse_container(s, place, "a section is not where it should begin", error);
    if (e.length > s->length - e.offset)
        return refuse_container(s, place + 8, "a section is longer than the file", error);
    if (memcmp(s->data + *end, akin_container_zeros, (size_t)gap) != 0)
        return refuse_container(s, *end, "the gap before a section is altered; expected akin_container_zeros", error);
    container->entries[index] = e;
    container->sections[index] =
        (akin_section){.data = s->data + e.offset, .length = e.length, .is_mapped = container->mapping != NULL};
    *end = e.offset + e.length;
    return AKIN_OK;
}

static akin_status check_section(const subject *s, const akin_container_entry *e, const akin_section *section,
                                 akin_error *error)
{
    uint64_t found = 0;
    if (akin_container_hash_section(s->scope, section->data, section->length, &found) != AKIN_OK)
        return fail_cancelled(s, error);
    return e->hash == found
               ? AKIN_OK
               : refuse_container(s, e->offset, "a section is altered: its checksum does not match", error);
}

/* Gives all sections but the last, which was checked, the checksums of blocks that the last one has. */
static akin_status take_blocks(const subject *s, akin_container *container, akin_error *error)
{
    const uint32_t last = container->header.count - 1;
    const akin_section *sums = &container->sections[last];
    uint64_t blocks = 0, words = 0;
    for (uint32_t i = 0; i < last; i++)
        blocks += akin_container_blocks(container->sections[i].length);
    if (sums->length != blocks * sizeof(uint64_t))
        return refuse_container(s, container->entries[last].offset,
                                "the checksums of blocks are not as many as the blocks", error);
    container->name = akin_alloc(NULL, strlen(s->name) + 1, 1);
    container->done = akin_alloc_zero(NULL, blocks / 64 + last, sizeof *container->done);
    if (!container->name || !container->done)
        return akin_fail_memory(error, "a saved file");
    memcpy(container->name, s->name, strlen(s->name) + 1);
    blocks = 0;
    for (uint32_t i = 0; i < last; i++) {
        const uint64_t own = akin_container_blocks(container->sections[i].length);
        container->blocks[i] = (akin_section_blocks){.file = container->name,
                                                     .offset = container->entries[i].offset,
                                                     .sums = (const uint64_t *)sums->data + blocks,
                                                     .done = container->done + words};
        container->sections[i].blocks = &container->blocks[i];
        blocks += own;
        words += akin_ceil_div(own, 64);
    }
    return AKIN_OK;
}

static akin_status check_sections(const subject *s, akin_container *container, akin_error *error)
{
    akin_container_header h = {0};
    akin_status status = check_header(s, &h, error);
    if (status == AKIN_OK && s->kind)
        status = check_header_kind(s->name, &h, s->kind, s->version, s->count, error);
    if (status != AKIN_OK)
        return status;
    const int blocks = akin_container_has_blocks(&h);
    if (blocks && h.count == 0)
        return refuse_container(s, 20, "the number of sections is altered", error);
    uint64_t end = akin_container_header_bytes(h.count);
    for (uint32_t i = 0; i < h.count && status == AKIN_OK; i++) {
        status = place_section(s, i, &end, container, error);
        if (status == AKIN_OK && (!blocks || i + 1 == h.count))
            status = check_section(s, &container->entries[i], &container->sections[i], error);
    }
    if (status == AKIN_OK && end != s->length)
        status = refuse_container(s, end, "bytes follow the last section", error);
    container->header = h;
    container->data = s->data;
    return status == AKIN_OK && blocks ? take_blocks(s, container, error) : status;
}

akin_status akin_container_check(const akin_scope *scope, const akin_container *container, akin_error *error)
{
    const akin_container_header *h = &container->header;
    const subject s = {.scope = scope, .name = container->name, .data = container->data};
    akin_status status = AKIN_OK;
    for (uint32_t i = 0; akin_container_has_blocks(h) && i < h->count && status == AKIN_OK; i++) {
        status = check_section(&s, &container->entries[i], &container->sections[i], error);
        if (status == AKIN_OK && container->sections[i].blocks)
            status = akin_container_check_sums(scope, &container->sections[i], error);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ reading
 */

/* Whether to read on, of what cannot be mapped: what begins as no such file does, or is longer than it says, is not
 * read to its end. */
static akin_status check_read(const subject *s, uint64_t before, int *more, akin_error *error)
{
    akin_container_header h;
    if (before / AKIN_CONTAINER_PIECE != s->length / AKIN_CONTAINER_PIECE &&
        akin_scope_report(s->scope, NULL, 0, 0) != AKIN_OK)
        return fail_cancelled(s, error);
    if (s->length >= sizeof h) {
        memcpy(&h, s->data, sizeof h);
        *more &= s->length <= h.size;
    }
    return s->length >= sizeof h.magic && before < sizeof h ? check_start(s, error) : AKIN_OK;
}

/* Reads all of what is not mapped; `expected` bytes or more, if that is known. */
static akin_status slurp(int fd, subject *s, uint64_t expected, akin_container *container, akin_error *error)
{
    uint64_t length = 0, capacity = 0;
    for (int more = 1; more;) {
        size_t got;
        if (length == capacity) {
            capacity = capacity ? 2 * capacity : akin_max_u64(expected + 1, FIRST_BYTES); /* the end is read, too */
            void *larger = akin_resize(NULL, container->copy, capacity, 1);
            if (!larger)
                return akin_fail_memory(error, "a saved file");
            container->copy = larger;
        }
        char *to = (char *)container->copy + length;
        int failed = akin_descriptor_read(s->scope, fd, to, (size_t)(capacity - length), &got);
        if (failed == ECANCELED)
            return fail_cancelled(s, error);
        if (failed != 0)
            return akin_fail_system(error, AKIN_E_IO, AKIN_REASON_FILE, failed, "%s: cannot be read", s->name);
        s->data = container->copy;
        s->length = length + got;
        more = got > 0;
        akin_status status = check_read(s, length, &more, error);
        if (status != AKIN_OK)
            return status;
        length += got;
    }
    return AKIN_OK;
}

/* Lets s->data and s->length be the content of the file. Standard input is not mapped: it has no name by which a change
 * would be seen. */
static akin_status load(int fd, subject *s, akin_container *container, akin_error *error)
{
    struct stat about;
    if (fstat(fd, &about) != 0)
        return akin_fail_system(error, AKIN_E_IO, AKIN_REASON_FILE, errno, "%s: cannot be read", s->name);
    if (S_ISDIR(about.st_mode))
        return akin_error_set(error, AKIN_E_INPUT, AKIN_REASON_FILE, "%s: is a directory; expected a file", s->name);
    if (!S_ISREG(about.st_mode) || about.st_size <= 0 || (uint64_t)about.st_size >= PTRDIFF_MAX)
        return slurp(fd, s, 0, container, error);
    if (!s->scope->context->unmapped && fd != STDIN_FILENO)
        container->mapping = akin_mapping_make(s->scope, fd, &about, s->name);
    if (!container->mapping)
        return slurp(fd, s, (uint64_t)about.st_size, container, error);
    s->data = akin_mapping_bytes(container->mapping);
    s->length = (uint64_t)about.st_size;
    return AKIN_OK;
}

/* Opens what `wanted` says: a kind, or any. */
static akin_status open_file(const akin_scope *scope, const char *path, const subject *wanted, akin_container **out,
                             akin_error *error)
{
    int is_stdin = strcmp(path, "-") == 0;
    subject s = *wanted;
    s.scope = scope;
    s.name = is_stdin ? "standard input" : path;
    int fd = STDIN_FILENO, failed = is_stdin ? 0 : akin_descriptor_open(scope, path, O_RDONLY, &fd);
    if (failed == ECANCELED)
        return fail_cancelled(&s, error);
    if (failed != 0)
        return akin_fail_system(error, AKIN_E_INPUT, AKIN_REASON_FILE, failed, "%s: cannot be opened", path);
    akin_status status = AKIN_E_NOMEM;
    akin_container *container = akin_alloc_zero(NULL, 1, sizeof *container);
    if (!container) {
        akin_fail_memory(error, "a saved file");
        goto done;
    }
    status = load(fd, &s, container, error);
    if (status == AKIN_OK)
        status = check_sections(&s, container, error);
done:
    if (!is_stdin)
        close(fd);
    if (status == AKIN_OK)
        *out = container;
    else
        akin_container_close(container);
    return status;
}

akin_status akin_container_open(const akin_scope *scope, const char *path, const char *kind, uint32_t version,
                                uint32_t count, akin_container **out, akin_error *error)
{
    const subject wanted = {.kind = kind, .version = version, .count = count};
    return open_file(scope, path, &wanted, out, error);
}

akin_status akin_container_open_any(const akin_scope *scope, const char *path, const char *expected,
                                    akin_container **out, akin_error *error)
{
    const subject wanted = {.expected = expected};
    return open_file(scope, path, &wanted, out, error);
}

static akin_status parse(const subject *s, akin_container **out, akin_error *error)
{
    akin_container *container = akin_alloc_zero(NULL, 1, sizeof *container);
    if (!container)
        return akin_fail_memory(error, "a saved file");
    akin_status status = check_sections(s, container, error);
    if (status == AKIN_OK)
        *out = container;
    else
        akin_container_close(container);
    return status;
}

akin_status akin_container_parse(const akin_scope *scope, const char *name, const void *data, uint64_t length,
                                 const char *kind, uint32_t version, uint32_t count, akin_container **out,
                                 akin_error *error)
{
    const subject s = {
        .scope = scope, .name = name, .data = data, .length = length, .kind = kind, .version = version, .count = count};
    return parse(&s, out, error);
}

akin_status akin_container_parse_any(const akin_scope *scope, const char *name, const void *data, uint64_t length,
                                     const char *expected, akin_container **out, akin_error *error)
{
    const subject s = {.scope = scope, .name = name, .data = data, .length = length, .expected = expected};
    return parse(&s, out, error);
}

akin_section akin_container_section(const akin_container *container, uint32_t index)
{
    return container->sections[index];
}

void akin_section_string(const akin_section *offsets, const akin_section *bytes, uint64_t i, const char **out,
                         size_t *length)
{
    const volatile uint64_t *at = offsets->data; /* each is read once */
    const uint64_t begin = at[i], end = at[i + 1];
    const int is_there = begin <= end && end <= bytes->length;
    *out = (const char *)bytes->data + (is_there ? begin : 0);
    *length = is_there ? (size_t)(end - begin) : 0;
}

const akin_mapping *akin_container_mapping(const akin_container *container)
{
    return container ? container->mapping : NULL;
}

akin_status akin_section_keep(const akin_scope *scope, akin_budget_share share, akin_section *section, uint64_t pad,
                              akin_bulk *own, akin_error *error)
{
    if (!section->is_mapped)
        return AKIN_OK;
    *own = akin_bulk_of(scope, NULL, akin_budget(scope, share));
    akin_status status =
        akin_bulk_reserve(own, section->length + pad + AKIN_CONTAINER_ALIGNMENT, "a saved file", error);
    if (status != AKIN_OK)
        return status;
    memcpy(own->data, section->data, (size_t)section->length);
    memset((char *)own->data + section->length, 0, (size_t)pad + AKIN_CONTAINER_ALIGNMENT);
    akin_bulk_trim(own, section->length + pad + AKIN_CONTAINER_ALIGNMENT);
    *section = (akin_section){.data = own->data, .length = section->length};
    return AKIN_OK;
}

uint32_t akin_container_version(const akin_container *container)
{
    return container->header.version;
}

uint64_t akin_container_bytes(const akin_container *container)
{
    return container->header.size;
}

const akin_saved_kind_row *akin_container_kind(const akin_container *container)
{
    return akin_container_kind_named(container->header.kind);
}

akin_status akin_container_expect(const akin_container *container, const char *name, const char *kind, uint32_t version,
                                  uint32_t count, akin_error *error)
{
    return check_header_kind(name, &container->header, kind, version, count, error);
}

void akin_container_close(akin_container *container)
{
    if (!container)
        return;
    akin_mapping_end(container->mapping);
    akin_free(container->name);
    akin_free(container->done);
    akin_free(container->copy);
    akin_free(container);
}
