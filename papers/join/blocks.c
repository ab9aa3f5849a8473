/*
 * The joins on the GPU of Bellas and Gounaris, section 3.2, kept to be compared with: gSSJoin, fgSSJoin, sf-gSSJoin and
 * the bitmap filter in fgSSJoin's blocks.
 *
 * Sets are cut into blocks. A block is indexed, and met by each block of probes that may match it by size; each pair of
 * sets has a counter; the counters are cleared before, and read after:
 *
 *                indexed block: tokens, sorted, with their sets     counters, probes x indexed
 *                 3 3 7 7 7 9 ...                                    0 2 0 0 1 ...
 *     probe    -> postings of its tokens, row after row, a           1 0 0 3 0 ...
 *     block       thread each, which adds one to a counter           ...           -> those that are hits
 *
 *                  tokens that count   counter                                a hit
 *     gssjoin      all                 common tokens                          enough of them
 *     sf-gssjoin   all                 common tokens                          enough of them
 *     fgssjoin     prefixes            common tokens of the prefixes          not 0: verified
 *     bitmap       -                   1 if signatures are close enough       not 0: verified
 *
 * gSSJoin is the same with one probe at a time, a single block of all others, and no sizes looked at.
 *
 * Hits are counted for each strip of counters first, so that as many strips are taken at once as there is room for.
 */
#include "papers/join/blocks.h"

#include "base/bits.h"
#include "base/context.h"
#include "device/primitives.h"
#include "join/gpu.h"
#include "join/prefix.h"
#include "papers/join/options.h"
#include "papers/join/technique.h"
#include "papers/kernels.h"

#define CANDIDATES ((uint64_t)4 << 20) /* room for them */
#define POSTINGS   ((uint64_t)1 << 28) /* of a block, unless it is a single set */

/* A side: how it is cut, and what of its sets lies on the GPU beside the sets. */
typedef struct side {
    uint32_t sets; /* of a block, at most */
    uint64_t most; /* the most postings that a block has */
    uint64_t *prefix;
    akin_device_buffer uploaded, signatures;
    akin_block_side on_gpu;
} side;

enum {
    INDEX_TOKENS,
    INDEX_TOKENS_TWIN,
    INDEX_SETS,
    INDEX_SETS_TWIN,
    LOOKUPS,
    PROBES,
    BEGIN,
    LENGTH,
    OFFSETS,
    SEGMENTS,
    COUNTERS,
    HITS,
    HIT_OFFSETS,
    BUFFERS
};

typedef struct blocks {
    akin_gpu_join gpu;
    akin_block_way way;
    side probes, indexed;
    akin_device_buffer buffer[BUFFERS];
    akin_pinned sums; /* offsets of hits, or of the last lookup alone, on the host */
    akin_device_event *clearing[2];
    const uint32_t *index_tokens, *index_sets; /* of the block that is indexed */
    uint64_t postings;                         /* that it has */
    uint32_t token_bits;
} blocks;

/* ------------------------------------------------------------------------------------------------------- preparing */

/* The block that begins at a set. */
static akin_block block_at(const side *side, const akin_ranked *ranked, uint32_t first)
{
    uint64_t count = akin_min_u64(side->sets, ranked->count - first);
    while (count > 1 && side->prefix[first + count] - side->prefix[first] > POSTINGS)
        count /= 2;
    return (akin_block){first, (uint32_t)count};
}

static uint64_t postings_of(const side *side, akin_block block)
{
    return side->prefix[block.first + block.count] - side->prefix[block.first];
}

/* Finds out how many tokens of each set count, how the side is cut, and brings that to the GPU. */
static akin_status make_side(blocks *b, const akin_ranked *ranked, const akin_gpu_side *gpu, akin_prefix_side which,
                             side *out, akin_error *error)
{
    const akin_join_job *job = b->gpu.job;
    uint64_t count = (uint64_t)ranked->count + 1;
    out->prefix = akin_alloc(job->account, count, sizeof *out->prefix);
    if (!out->prefix)
        return akin_fail_memory(error, "the blocks");
    out->prefix[0] = 0;
    for (uint32_t c = 0; c < ranked->classes; c++) {
        uint32_t size = ranked->class_size[c];
        uint32_t length = b->way.by_prefix ? akin_prefix_length(job, size, which) : size;
        for (uint32_t set = ranked->class_first[c]; set < ranked->class_first[c + 1]; set++)
            out->prefix[set + 1] = out->prefix[set] + length;
    }
    for (akin_block block = {0, 0}; block.first < ranked->count; block.first += block.count) {
        block = block_at(out, ranked, block.first);
        out->most = akin_max_u64(out->most, postings_of(out, block));
    }
    akin_status status =
        akin_device_reserve(b->gpu.device, &out->uploaded, count, sizeof *out->prefix, "blocks", error);
    out->on_gpu = (akin_block_side){gpu->sets, out->uploaded.data};
    if (status == AKIN_OK)
        status = akin_device_upload(b->gpu.stream, out->uploaded.data, out->prefix, count * sizeof *out->prefix, error);
    return status;
}

static akin_status make_signatures(blocks *b, const akin_ranked *ranked, side *side, akin_error *error)
{
    uint32_t words = b->gpu.job->bits / 32;
    uint64_t bytes = (uint64_t)ranked->count * words * sizeof(uint32_t);
    akin_status status = akin_device_reserve(b->gpu.device, &side->signatures, bytes, 1, "the signatures", error);
    if (status == AKIN_OK)
        status = akin_device_fill(b->gpu.stream, side->signatures.data, 0, bytes, error);
    if (status == AKIN_OK)
        status = akin_annex_kernels_of(b->gpu.stream)
                     ->blocks->sign(b->gpu.stream, &side->on_gpu, akin_ranked_tokens(ranked), words,
                                    side->signatures.data, error);
    return status;
}

/* Reserves everything that blocks of any size need, so that no allocation can fail once pairs have been found. */
static akin_status reserve_blocks(blocks *b, uint64_t rows, uint64_t columns, akin_error *error)
{
    static const char index[] = "the index of a block", lookups[] = "the tokens of a block",
                      counters[] = "the counters";
    uint64_t cells = rows * columns, strips = akin_ceil_div(cells, AKIN_BLOCK_STRIP);
    uint64_t looked = b->probes.most, indexed = b->indexed.most, visited = AKIN_BLOCK_POSTINGS;
    if (b->way.by_signatures)
        looked = indexed = 0;
    if (looked < visited)
        visited = akin_min_u64(visited, looked * columns);
    const struct {
        uint64_t count;
        size_t size;
        const char *what;
    } wanted[BUFFERS] = {[INDEX_TOKENS] = {indexed, sizeof(uint32_t), index},
                         [INDEX_TOKENS_TWIN] = {indexed, sizeof(uint32_t), index},
                         [INDEX_SETS] = {indexed, sizeof(uint32_t), index},
                         [INDEX_SETS_TWIN] = {indexed, sizeof(uint32_t), index},
                         [LOOKUPS] = {looked, sizeof(uint32_t), lookups},
                         [PROBES] = {looked, sizeof(uint32_t), lookups},
                         [BEGIN] = {looked, sizeof(uint32_t), lookups},
                         [LENGTH] = {looked, sizeof(uint32_t), lookups},
                         [OFFSETS] = {looked + 1, sizeof(uint64_t), lookups},
                         [SEGMENTS] = {visited, sizeof(uint32_t), lookups},
                         [COUNTERS] = {cells, sizeof(uint32_t), counters},
                         [HITS] = {strips, sizeof(uint32_t), counters},
                         [HIT_OFFSETS] = {strips + 1, sizeof(uint64_t), counters}};
    akin_status status = akin_pinned_reserve(b->gpu.device, &b->sums, strips + 1, sizeof(uint64_t), counters, error);
    for (int i = 0; i < BUFFERS && status == AKIN_OK; i++)
        status =
            akin_device_reserve(b->gpu.device, &b->buffer[i], wanted[i].count, wanted[i].size, wanted[i].what, error);
    for (int i = 0; i < 2 && status == AKIN_OK; i++)
        status = akin_device_event_create(b->gpu.device, &b->clearing[i], error);
    return status;
}

static akin_status prepare_blocks(akin_join_job *job, blocks *b, akin_error *error)
{
    const akin_ranked *probes = job->probes, *indexed = job->indexed;
    const akin_papers_join_options options = akin_papers_join_options_of(job->annex_options);
    uint32_t sets = options.block ? options.block : AKIN_BLOCK_USUAL;
    uint64_t wish = akin_wishes_of(job->scope)->candidates;
    uint64_t room = wish ? akin_max_u64(wish, AKIN_BLOCK_STRIP) : CANDIDATES;
    b->probes.sets = b->way.is_one_by_one ? 1 : sets;
    b->indexed.sets = b->way.is_one_by_one ? indexed->count : sets;
    while (b->token_bits < 32 && probes->universe >> b->token_bits)
        b->token_bits++;
    job->verify_way = options.sharing;
    akin_status status = akin_gpu_join_begin(job, room, &b->gpu, error);
    if (b->way.by_signatures)
        job->chosen[AKIN_CHOSEN_SHARING] = b->gpu.way;
    if (status == AKIN_OK)
        status = make_side(b, probes, b->gpu.probes, AKIN_PREFIX_PROBING, &b->probes, error);
    if (status == AKIN_OK)
        status = make_side(b, indexed, b->gpu.indexed, AKIN_PREFIX_INDEXED, &b->indexed, error);
    if (status == AKIN_OK && b->way.by_signatures)
        status = make_signatures(b, probes, &b->probes, error);
    if (status == AKIN_OK && b->way.by_signatures && !job->self)
        status = make_signatures(b, indexed, &b->indexed, error);
    if (status == AKIN_OK)
        status = reserve_blocks(b, akin_min_u64(b->probes.sets, probes->count),
                                akin_min_u64(b->indexed.sets, indexed->count), error);
    return status;
}

static void clear_blocks(blocks *b)
{
    akin_device *device = b->gpu.device;
    akin_gpu_join_clear(&b->gpu);
    side *sides[] = {&b->probes, &b->indexed};
    for (int s = 0; s < 2; s++) {
        akin_device_release(device, &sides[s]->uploaded);
        akin_device_release(device, &sides[s]->signatures);
        akin_free(sides[s]->prefix);
        akin_device_event_free(b->clearing[s]);
    }
    for (int i = 0; i < BUFFERS; i++)
        akin_device_release(device, &b->buffer[i]);
    akin_pinned_release(device, &b->sums);
}

/* --------------------------------------------------------------------------------------------------------- joining */

/* The inverted index of a block: its tokens, sorted, each with its set. */
static akin_status index_block(blocks *b, akin_block block, akin_error *error)
{
    akin_device_stream *stream = b->gpu.stream;
    uint32_t *tokens[2] = {b->buffer[INDEX_TOKENS].data, b->buffer[INDEX_TOKENS_TWIN].data};
    uint32_t *sets[2] = {b->buffer[INDEX_SETS].data, b->buffer[INDEX_SETS_TWIN].data};
    b->postings = postings_of(&b->indexed, block);
    akin_status status = akin_annex_kernels_of(stream)->blocks->list(stream, &b->indexed.on_gpu, block, b->postings,
                                                                     tokens[0], sets[0], error);
    if (status == AKIN_OK)
        status = akin_device_sort_pairs32(stream, &tokens[0], &tokens[1], &sets[0], &sets[1], b->postings,
                                          b->token_bits, error);
    b->index_tokens = tokens[0];
    b->index_sets = sets[0];
    return status;
}

/* Whether the job is still wanted. */
static akin_status report_blocks(const blocks *b, const char *label, uint64_t done, uint64_t all, akin_error *error)
{
    akin_status status = akin_scope_report(b->gpu.job->scope, label, done, all);
    return status == AKIN_OK ? status : akin_fail_stopped(error, status, "the pairs found");
}

/* Looks up the tokens of the probes, and counts. */
static akin_status count_common(blocks *b, const akin_block_pair *pair, akin_error *error)
{
    akin_device_stream *stream = b->gpu.stream;
    uint64_t count = postings_of(&b->probes, pair->probes), *all = b->sums.data;
    uint32_t *tokens = b->buffer[LOOKUPS].data, *probes = b->buffer[PROBES].data, *begin = b->buffer[BEGIN].data;
    uint32_t *length = b->buffer[LENGTH].data, *segment = b->buffer[SEGMENTS].data;
    uint64_t *offsets = b->buffer[OFFSETS].data;
    const akin_block_lookups lookups = {probes, begin, segment, offsets};
    akin_status status = akin_annex_kernels_of(stream)->blocks->list(stream, &b->probes.on_gpu, pair->probes, count,
                                                                     tokens, probes, error);
    if (status == AKIN_OK)
        status = akin_annex_kernels_of(stream)->blocks->find(stream, tokens, count, b->index_tokens, b->postings, begin,
                                                             length, error);
    if (status == AKIN_OK)
        status = akin_device_scan64(stream, length, count, offsets, error);
    if (status == AKIN_OK)
        status = akin_device_read(stream, all, offsets + count, sizeof *all, error);
    if (status == AKIN_OK)
        status = akin_device_stream_finish(stream, error);
    for (uint64_t first = 0; status == AKIN_OK && first < *all; first += AKIN_BLOCK_POSTINGS) {
        uint64_t some = akin_min_u64(AKIN_BLOCK_POSTINGS, *all - first);
        status = report_blocks(b, NULL, 0, 0, error);
        if (status == AKIN_OK)
            status = akin_device_segments_of(stream, offsets, count, first, some, segment, error);
        if (status == AKIN_OK)
            status = akin_annex_kernels_of(stream)->blocks->count(stream, pair, &lookups, b->index_sets, first,
                                                                  (uint32_t)some, error);
    }
    if (status == AKIN_OK)
        b->gpu.job->workers[0].compared += *all;
    return status;
}

static akin_status compare_signatures(blocks *b, const akin_block_pair *pair, akin_error *error)
{
    const akin_join_job *job = b->gpu.job;
    const side *indexed = job->self ? &b->probes : &b->indexed;
    job->workers[0].compared += (uint64_t)pair->probes.count * pair->indexed.count;
    return akin_annex_kernels_of(b->gpu.stream)
        ->blocks->screen(b->gpu.stream, pair, &b->gpu.probes->sets, &b->gpu.indexed->sets, b->gpu.rule, job->bits / 32,
                         b->probes.signatures.data, indexed->signatures.data, error);
}

/* Takes the hits of some strips: those whose overlap was counted are pairs, others are verified. */
static akin_status take_strips(blocks *b, const akin_block_pair *pair, const akin_block_take *take, uint32_t first,
                               uint32_t end, uint64_t found, akin_error *error)
{
    akin_gpu_join *gpu = &b->gpu;
    akin_gpu_tally told;
    akin_status status = akin_gpu_join_reset(gpu, error);
    if (status == AKIN_OK && (!take->exact || gpu->job->keep))
        status = akin_annex_kernels_of(gpu->stream)
                     ->blocks->taken(gpu->stream, pair, take, b->buffer[HIT_OFFSETS].data, first, end,
                                     take->exact ? gpu->pairs.data : gpu->candidates.data, gpu->overlaps.data,
                                     gpu->tally.data, error);
    if (status != AKIN_OK)
        return status;
    return take->exact ? akin_gpu_join_found(gpu, found, error) : akin_gpu_join_verify(gpu, &told, error);
}

static akin_status take_hits(blocks *b, const akin_block_pair *pair, akin_error *error)
{
    akin_gpu_join *gpu = &b->gpu;
    akin_device_stream *stream = gpu->stream;
    const akin_block_take take = {gpu->probes->sets, gpu->indexed->sets, gpu->rule, b->way.is_exact};
    uint64_t cells = (uint64_t)pair->probes.count * pair->indexed.count, *sums = b->sums.data;
    uint32_t strips = (uint32_t)akin_ceil_div(cells, AKIN_BLOCK_STRIP), end;
    akin_status status = akin_gpu_join_reset(gpu, error);
    if (status == AKIN_OK)
        status = akin_annex_kernels_of(stream)->blocks->hits(stream, pair, &take, b->buffer[HITS].data, gpu->tally.data,
                                                             error);
    if (status == AKIN_OK)
        status = akin_device_scan64(stream, b->buffer[HITS].data, strips, b->buffer[HIT_OFFSETS].data, error);
    if (status == AKIN_OK)
        status =
            akin_device_read(stream, sums, b->buffer[HIT_OFFSETS].data, ((uint64_t)strips + 1) * sizeof *sums, error);
    if (status == AKIN_OK)
        status = akin_device_read(stream, gpu->told.data, gpu->tally.data, sizeof(akin_gpu_tally), error);
    if (status == AKIN_OK)
        status = akin_device_stream_finish(stream, error);
    if (status == AKIN_OK && b->way.is_exact)
        gpu->job->workers[0].candidates += ((const akin_gpu_tally *)gpu->told.data)->count;
    for (uint32_t first = 0; first < strips && status == AKIN_OK; first = end) {
        for (end = first + 1; end < strips && sums[end + 1] - sums[first] <= gpu->room; end++)
            ;
        uint64_t found = sums[end] - sums[first];
        if (found)
            status = report_blocks(b, NULL, 0, 0, error);
        if (found && status == AKIN_OK)
            status = take_strips(b, pair, &take, first, end, found, error);
    }
    return status;
}

static akin_status clear_counters(blocks *b, const akin_block_pair *pair, akin_error *error)
{
    akin_device_stream *stream = b->gpu.stream;
    uint64_t bytes = (uint64_t)pair->probes.count * pair->indexed.count * sizeof(uint32_t);
    akin_status status = akin_device_event_record(b->clearing[0], stream, error);
    if (status == AKIN_OK)
        status = akin_device_fill(stream, pair->counters, 0, bytes, error);
    if (status == AKIN_OK)
        status = akin_device_event_record(b->clearing[1], stream, error);
    b->gpu.job->workers[0].figures[AKIN_FIGURE_CLEARED] += (double)bytes;
    b->gpu.job->workers[0].figures[AKIN_FIGURE_BLOCK_PAIRS]++;
    return status;
}

static akin_status join_blocks(blocks *b, akin_block probes, akin_block indexed, akin_error *error)
{
    const akin_block_pair pair = {probes, indexed, b->gpu.job->self, b->buffer[COUNTERS].data};
    double seconds = 0;
    akin_status status = clear_counters(b, &pair, error);
    if (status == AKIN_OK)
        status = b->way.by_signatures ? compare_signatures(b, &pair, error) : count_common(b, &pair, error);
    if (status == AKIN_OK)
        status = take_hits(b, &pair, error);
    if (status == AKIN_OK)
        status = akin_device_event_seconds(b->clearing[0], b->clearing[1], &seconds, error);
    b->gpu.job->workers[0].figures[AKIN_FIGURE_CLEARING] += seconds;
    return status;
}

/* Whether sets of two blocks may match, judged by their sizes; in a self-join a probe meets the sets before it. */
static int may_match(const blocks *b, akin_block probes, akin_block indexed)
{
    const akin_join_job *job = b->gpu.job;
    uint32_t last = probes.first + probes.count - 1, other = indexed.first + indexed.count - 1;
    uint64_t least, most;
    if (job->self && last <= indexed.first)
        return 0;
    if (b->way.is_one_by_one)
        return 1;
    akin_threshold_partners(&job->threshold, akin_ranked_size(job->probes, probes.first),
                            akin_ranked_size(job->probes, last), &least, &most);
    return akin_ranked_size(job->indexed, other) >= least && akin_ranked_size(job->indexed, indexed.first) <= most;
}

static akin_status join_all(blocks *b, akin_error *error)
{
    const akin_ranked *probes = b->gpu.job->probes, *indexed = b->gpu.job->indexed;
    akin_status status = AKIN_OK;
    for (akin_block own = {0, 0}; own.first < indexed->count && status == AKIN_OK; own.first += own.count) {
        own = block_at(&b->indexed, indexed, own.first);
        if (!b->way.by_signatures)
            status = index_block(b, own, error);
        for (akin_block probe = {0, 0}; probe.first < probes->count && status == AKIN_OK; probe.first += probe.count) {
            probe = block_at(&b->probes, probes, probe.first);
            if (!may_match(b, probe, own))
                continue;
            status =
                report_blocks(b, "joining", (uint64_t)own.first * probes->count + (uint64_t)own.count * probe.first,
                              (uint64_t)indexed->count * probes->count, error);
            if (status == AKIN_OK)
                status = join_blocks(b, probe, own, error);
        }
    }
    return status;
}

akin_status akin_join_in_blocks(akin_join_job *job, akin_error *error)
{
    blocks b = {.gpu = {.device = job->device}, .way = *(const akin_block_way *)job->technique->own};
    akin_status status = prepare_blocks(job, &b, error);
    if (status == AKIN_OK)
        status = join_all(&b, error);
    clear_blocks(&b);
    return status;
}
