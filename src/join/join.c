/* akin_join: checks what is asked, ranks the collections and joins them, whole or in parts, delivers the pairs. */
#include "base/annex.h"
#include "base/bits.h"
#include "base/budget.h"
#include "join/join.h"
#include "base/clock.h"
#include "base/options.h"
#include "base/ceiling.h"
#include "device/devices.h"
#include "join/best.h"
#include "join/buckets.h"
#include "join/devices.h"
#include "join/distinct.h"
#include "join/kernels.h"
#include "join/part.h"
#include "join/parts.h"
#include "join/sets_top.h"
#include "join/technique_rows.h"
#include "signature/parity.h"

#include <stdlib.h>

AKIN_OPTIONS_END(akin_join_options, annex);

static int can_technique(const akin_technique_row *technique, unsigned capabilities)
{
    return (technique->choice.capabilities & capabilities) != 0;
}

/* The row of a technique on the chosen device. */
static const akin_technique_row *technique_of(const akin_annex *annex, akin_device_choice device, akin_technique asked)
{
    return (device == AKIN_DEVICE_CUDA ? akin_technique_on_gpu : akin_technique_of)(annex, asked);
}

/* What is asked, checked: everything that can be refused before any work is done. */
static akin_status check_join_options(const akin_annex *annex, akin_device_choice device,
                                      const akin_join_options *options, akin_threshold *threshold, akin_error *error)
{
    const akin_choice *row = NULL;
    akin_status status =
        akin_annex_row(annex, &akin_join_techniques, (int)options->technique, "akin_join_options", &row, error);
    if (status != AKIN_OK)
        return status;
    const akin_technique_row *technique = technique_of(annex, device, options->technique);
    if (options->bits && !can_technique(technique, AKIN_TAKES_BITS))
        return akin_fail(error, AKIN_E_OPTION, "%s uses no signatures: a width of %u bits cannot be asked for",
                         technique->choice.name, options->bits);
    if (options->bits && (options->bits < AKIN_PARITY_BITS_LEAST || options->bits > AKIN_PARITY_BITS_MOST ||
                          (options->bits & (options->bits - 1))))
        return akin_fail(error, AKIN_E_OPTION, "signatures of %u bits: expected a power of two from %d to %d",
                         options->bits, AKIN_PARITY_BITS_LEAST, AKIN_PARITY_BITS_MOST);
    return akin_threshold_make(options->measure, options->threshold, threshold, error);
}

#define NAMES 200 /* bytes of a list of techniques */

/* Options of an annex are checked by it, and refused without. */
static akin_status check_annex(const akin_annex *annex, akin_device_choice device, const akin_join_options *options,
                               akin_error *error)
{
    const akin_choice *reader;
    if (!options->annex)
        return AKIN_OK;
    akin_status status = akin_annex_reader(annex, &akin_join_readers, "akin_join_options", &reader, error);
    return status == AKIN_OK ? ((const akin_join_reader *)reader)->check(annex, device, options, error) : status;
}

/* A technique, or a width, that the device lacks is refused, whether the device is there or not. */
static akin_status check_join_device(const akin_annex *annex, akin_device_choice device,
                                     const akin_join_options *options, akin_error *error)
{
    const akin_technique_row *technique = technique_of(annex, device, options->technique);
    char names[NAMES];
    if (device == AKIN_DEVICE_CUDA && !can_technique(technique, AKIN_ON_GPU)) {
        akin_technique_list(annex, AKIN_ON_GPU, names, sizeof names);
        return akin_fail(error, AKIN_E_OPTION, "%s runs on the CPU alone: use the device cpu or auto, or on a GPU %s",
                         technique->choice.name, names);
    }
    if (device == AKIN_DEVICE_CPU && !can_technique(technique, AKIN_ON_CPU)) {
        akin_technique_list(annex, AKIN_ON_CPU, names, sizeof names);
        return akin_fail(error, AKIN_E_OPTION, "%s runs on a GPU alone: use the device cuda or auto, or on the CPU %s",
                         technique->choice.name, names);
    }
    if (options->bits && options->bits < technique->bits_on_gpu &&
        (device == AKIN_DEVICE_CUDA || !can_technique(technique, AKIN_ON_CPU)))
        return akin_fail(error, AKIN_E_OPTION, "signatures of %u bits: tensor has those of %d to %d", options->bits,
                         (int)technique->bits_on_gpu, AKIN_PARITY_BITS_MOST);
    return AKIN_OK;
}

/* Reads the options, and refuses what can be refused of them; the threshold goes to *threshold. */
static akin_status check_join(const akin_annex *annex, akin_device_choice device, const akin_join_options *options,
                              akin_join_options *asked, akin_threshold *threshold, akin_error *error)
{
    akin_status status = akin_options_read(options, asked, sizeof *asked, sizeof *asked, "akin_join_options", error);
    if (status == AKIN_OK && asked->any_order > 1)
        status =
            akin_fail(error, AKIN_E_OPTION, "akin_join_options: any_order is %u, expected 0 or 1", asked->any_order);
    if (status == AKIN_OK && (asked->connecting > 1 || (asked->connecting && asked->top > 0)))
        status = akin_fail(error, AKIN_E_OPTION, "akin_join_options: connecting is %u, expected %s", asked->connecting,
                           asked->top > 0 ? "0 with the best partners of each row" : "0 or 1");
    if (status == AKIN_OK && asked->top > 0) {
        status = akin_sets_top_check(asked, threshold, error);
        return status == AKIN_OK ? akin_best_check_device(device, error) : status;
    }
    if (status == AKIN_OK)
        status = check_join_options(annex, device, asked, threshold, error);
    if (status == AKIN_OK)
        status = check_annex(annex, device, asked, error);
    return status == AKIN_OK ? check_join_device(annex, device, asked, error) : status;
}

static akin_status fail_no_gpu(const akin_annex *annex, const akin_technique_row *technique, akin_error *error)
{
    akin_device_support support = akin_device_find();
    char names[NAMES];
    akin_technique_list(annex, AKIN_ON_CPU, names, sizeof names);
    return akin_fail(error, AKIN_E_DEVICE,
                     "%s runs on a GPU, and there is none that can be used (%s): use %s, on the device cpu or auto",
                     technique->choice.name,
                     support.devices > 0 ? "that of this machine cannot be opened" : support.state, names);
}

/* A measure in which the two sets play different parts needs two collections, unless each row looks for its best
 * partners. */
static akin_status check_join_sides(int is_self, const akin_join_options *asked, akin_error *error)
{
    const akin_measure_row *row = akin_measure_of(asked->measure);
    if (!is_self || asked->top > 0 || !row || !(row->choice.capabilities & AKIN_IS_DIRECTED))
        return AKIN_OK;
    return akin_fail(error, AKIN_E_OPTION,
                     "%s compares a left set with a right set, and needs two collections; of one use %s",
                     row->choice.name, row->undirected);
}

akin_status akin_join_check(const akin_annex *annex, const char *device, const akin_join_options *options, int is_self,
                            akin_error *error)
{
    akin_join_options asked = AKIN_JOIN_OPTIONS_INIT;
    akin_device_wish wish;
    akin_threshold threshold;
    akin_status status = akin_device_wish_read(device, &wish, error);
    if (status == AKIN_OK)
        status = check_join(annex, wish.choice, options, &asked, &threshold, error);
    if (status == AKIN_OK)
        status = check_join_sides(is_self, &asked, error);
    const akin_technique_row *technique = akin_technique_of(annex, asked.technique);
    if (status == AKIN_OK && technique && !can_technique(technique, AKIN_ON_CPU) && akin_device_find().devices == 0)
        status = fail_no_gpu(annex, technique, error);
    return status;
}

/* Where the join runs. A GPU is opened if the device names it; else the planner sees whether a GPU pays. */
static akin_status choose_place(const akin_scope *scope, akin_technique asked, akin_join_job *job, akin_error *error)
{
    const akin_technique_row *technique = technique_of(akin_annex_of(scope), scope->device_choice, asked);
    job->place = AKIN_JOIN_ON_CPU;
    if (asked == AKIN_AUTO && scope->device_choice == AKIN_DEVICE_AUTO)
        job->place = AKIN_JOIN_ON_EITHER;
    if (can_technique(technique, AKIN_ON_CPU) && scope->device_choice != AKIN_DEVICE_CUDA)
        return AKIN_OK;
    job->place = AKIN_JOIN_ON_GPU;
    akin_status status = akin_device_of(scope, &job->gpu, error);
    return status == AKIN_OK && !job->gpu ? fail_no_gpu(akin_annex_of(scope), technique, error) : status;
}

/* The join all at once: ranks the collections into the job's sides, joins them, delivers. */
static akin_status join_whole(akin_join_job *job, const akin_sets *left, const akin_sets *right,
                              const akin_join_options *options, akin_pair_sink sink, void *sink_user,
                              akin_join_report *report, akin_error *error)
{
    akin_ranked ranked[2] = {0};
    double start = akin_clock();
    akin_status status = akin_join_delivery_begin(job, job->scope, options->any_order, sink, sink_user, error);
    if (status == AKIN_OK)
        status = akin_rank_sets(job->scope, job->account, left, right, &ranked[0], &ranked[1], error);
    if (status != AKIN_OK)
        return status;
    report->all.summary.seconds_prepare = akin_clock() - start;
    job->probes = &ranked[0];
    job->indexed = right ? &ranked[1] : &ranked[0];
    status = akin_join_need_make(job, error);
    if (status == AKIN_OK)
        status = akin_join_in_buckets(job, options, report, error);
    double joined = akin_clock();
    if (status == AKIN_OK)
        status = akin_delivery_finish(job->delivery, akin_sets_rows(left), error);
    report->all.summary.seconds_deliver = akin_clock() - joined;
    akin_ranked_clear(&ranked[0]);
    akin_ranked_clear(&ranked[1]);
    return status;
}

static akin_status run_join(akin_join_job *job, const akin_sets *left, const akin_sets *right,
                            const akin_join_options *options, akin_pair_sink sink, void *sink_user,
                            akin_join_report *report, akin_error *error)
{
    akin_status status = AKIN_OK;
    job->self = job->same = right == NULL;
    job->workers = akin_alloc_zero(job->account, job->slots, sizeof *job->workers);
    if (!job->workers)
        status = akin_fail_memory(error, "the threads");
    if (status == AKIN_OK && job->scope->memory)
        status = akin_join_in_parts(job, left, right, options, sink, sink_user, report, error);
    else if (status == AKIN_OK)
        status = join_whole(job, left, right, options, sink, sink_user, report, error);
    if (job->workers)
        akin_join_marks_clear(job);
    akin_delivery_clear(job->delivery);
    akin_free(job->workers);
    akin_free(job->need);
    return status;
}

/* Joins two collections, or one; the account and the threshold are the job's. */
static akin_status join_ranked_sides(const akin_scope *scope, akin_join_job *job, const akin_sets *left,
                                     const akin_sets *right, const akin_join_options *asked, akin_pair_sink sink,
                                     void *sink_user, akin_join_report *report, akin_error *error)
{
    const akin_scope few = akin_scope_narrow(scope, (akin_narrowing){.threads = akin_join_threads(scope, left, right)});
    akin_status status = choose_place(scope, asked->technique, job, error);
    if (status == AKIN_OK && job->gpu)
        status = akin_devices_of(scope, &job->devices, error);
    job->scope = &few;
    job->annex_options = asked->annex;
    job->threads = few.threads;
    job->slots = akin_join_devices_slots(job);
    if (status == AKIN_OK)
        status = run_join(job, left, right, asked, sink, sink_user, report, error);
    job->scope = scope; /* `few` ends here */
    return status;
}

/* The same, with a report that it makes. */
static akin_status join_collections(const akin_join_task *task, const akin_sets *left, const akin_sets *right,
                                    const akin_join_options *asked, akin_pair_sink sink, void *sink_user,
                                    akin_join_report **report, akin_error *error)
{
    akin_delivery delivery = {.is_ready = 0};
    akin_join_job job = {.account = task->account,
                         .keep = sink != NULL,
                         .delivery = &delivery,
                         .times = 1,
                         .threshold = task->threshold};
    akin_status status = akin_join_report_make(report, error);
    return status == AKIN_OK ? join_ranked_sides(task->scope, &job, left, right, asked, sink, sink_user, *report, error)
                             : status;
}

/* The same, or the best partners of each row; of_groups: rows stand for groups of equal ones. */
static akin_status join_rows(const akin_join_task *task, const akin_sets *left, const akin_sets *right,
                             const akin_join_options *asked, int of_groups, akin_pair_sink sink, void *sink_user,
                             akin_join_report **report, akin_error *error)
{
    if (asked->top == 0)
        return join_collections(task, left, right, asked, sink, sink_user, report, error);
    akin_status status = akin_join_report_make(report, error);
    return status == AKIN_OK ? akin_sets_top(task->scope, task->account, left, right, asked, of_groups, sink, sink_user,
                                             &(*report)->all.summary, error)
                             : status;
}

/* Joins the distinct rows, if there are so many equal ones that this pays. Of the best partners of a group, one may be
 * the group itself, which has no other row. */
static akin_status join_distinct(const akin_join_task *task, akin_distinct *d, akin_join_report **report,
                                 akin_error *error)
{
    akin_join_options asked = task->options;
    asked.any_order = 1;
    if (asked.top > 0 && asked.top < UINT32_MAX && !task->right)
        asked.top++;
    akin_status status = akin_distinct_make(task, d, error);
    if (status == AKIN_OK)
        status = join_rows(task, &d->sets[0], task->right ? &d->sets[1] : NULL, &asked, 1, akin_expansion_take,
                           &d->expansion, report, error);
    if (status == AKIN_OK)
        status = akin_expansion_finish(&d->expansion, error);
    if (status == AKIN_OK)
        akin_distinct_describe(task, d, &(*report)->all.summary);
    return status;
}

/* Joins all rows, or the distinct ones in their place. */
static akin_status join_all(const akin_join_task *task, akin_join_report **report, akin_error *error)
{
    akin_distinct d = {.expansion = {.found = 0}};
    akin_error own = {.code = AKIN_OK};
    int pays;
    akin_status status = akin_distinct_pays(task, &pays, error);
    if (status == AKIN_OK && pays) {
        status = join_distinct(task, &d, report, &own);
        const int gives_up = status != AKIN_OK && akin_expansion_gives_up(&d.expansion, status);
        akin_distinct_clear(&d);
        if (!gives_up)
            return status == AKIN_OK ? status : akin_fail_again(error, status, &own);
        akin_join_report_free(*report);
        *report = NULL;
        status = AKIN_OK;
    }
    return status == AKIN_OK
               ? join_rows(task, task->left, task->right, &task->options, 0, task->sink, task->user, report, error)
               : status;
}

akin_status akin_join_within(const akin_scope *scope, const akin_sets *left, const akin_sets *right,
                             const akin_join_options *options, akin_pair_sink sink, void *sink_user, uint64_t *count,
                             akin_join_report **report, akin_error *error)
{
    akin_account account = {0};
    akin_join_report *own = NULL;
    akin_join_task task = {.scope = scope,
                           .account = &account,
                           .left = left,
                           .right = right,
                           .options = AKIN_JOIN_OPTIONS_INIT,
                           .sink = sink,
                           .user = sink_user};
    const akin_join_options *asked = &task.options;
    akin_account_begin(&account, scope);
    akin_status status =
        check_join(akin_annex_of(scope), scope->device_choice, options, &task.options, &task.threshold, error);
    task.options.any_order |= task.options.connecting;
    if (status == AKIN_OK)
        status = check_join_sides(right == NULL, asked, error);
    if (status == AKIN_OK)
        status = join_all(&task, &own, error);
    status = akin_ceiling_conclude(scope, &account, "the join", status, error);
    if (status == AKIN_OK && own) {
        own->all.summary.memory_peak = account.peak;
        if (count)
            *count = own->all.summary.pairs_found;
    }
    if (status == AKIN_OK && report)
        *report = own;
    else
        akin_join_report_free(own);
    return status;
}
