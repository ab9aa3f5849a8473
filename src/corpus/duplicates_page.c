/* Writes the page of a report on near-duplicates. */
#include "corpus/duplicates_page.h"

#include "base/bits.h"
#include "base/context.h"
#include "base/options.h"
#include "corpus/kept_clusters.h"
#include "corpus/near_options.h"
#include "corpus/text_differences.h"
#include "report/template.h"
#include "strings/alphabet.h"
#include "strings/decision.h"
#include "table/columns.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define SURVIVOR_MOST 1000    /* symbols of a survivor's text that are shown */
#define NAME_MOST     200     /* symbols of an id, a source or a file */
#define LISTED_MOST   10000   /* clusters, or members of one, */
#define LISTED_ALL    1000000 /* and members of all */

AKIN_OPTIONS_END(akin_duplicates_page_options, members);

typedef struct page {
    akin_html html;
    akin_account account;
    const akin_duplicates_report *figures;
    const akin_column *documents;
    akin_near_options find;
    akin_duplicates_page_options options;
    const akin_measure_row *measure;
    akin_kept_clusters clusters;
    akin_word_diff diff;
} page;

/* ------------------------------------------------------------------------------------------------------------- head */

static void put_version(page *p)
{
    akin_html_string(&p->html, akin_version());
}

static void put_title(page *p)
{
    akin_html_markup(&p->html, "Near-duplicates");
    if (!p->options.title)
        return;
    akin_html_markup(&p->html, " in ");
    akin_html_cut(&p->html, p->options.title, strlen(p->options.title), 0, NAME_MOST);
}

static void put_heading(page *p)
{
    akin_html_markup(&p->html, "Near-duplicates");
    if (!p->options.title)
        return;
    akin_html_markup(&p->html, " in <bdi>");
    akin_html_cut(&p->html, p->options.title, strlen(p->options.title), 0, NAME_MOST);
    akin_html_markup(&p->html, "</bdi>");
}

static void put_lead(page *p)
{
    const uint64_t removed = p->figures->documents - p->figures->kept;
    akin_html *html = &p->html;
    akin_html_markup(html, "Of ");
    akin_html_counted(html, p->figures->documents, "document", "documents");
    akin_html_markup(html, " <strong>");
    akin_html_count(html, removed);
    akin_html_markup(html, removed == 1 ? "</strong> is removed" : "</strong> are removed");
    if (removed == 0)
        akin_html_markup(html, ".");
    else if (p->find.own.components)
        akin_html_markup(html,
                         ": chains of documents that are alike connect each of them with a kept one, its "
                         "survivor. The two themselves need not be alike.");
    else
        akin_html_markup(html, ": each of them is like a kept document that comes before it, its survivor.");
}

static void put_tiles(page *p)
{
    const akin_duplicates_report *f = p->figures;
    akin_html *html = &p->html;
    akin_html_tile(html, "documents", f->documents, "documents");
    akin_html_tile(html, "kept", f->kept, "kept");
    akin_html_tile(html, "removed", f->documents - f->kept, "removed");
    akin_html_tile(html, "clusters", p->clusters.count, "clustered");
    akin_html_tile(html, "empty", f->empty, "empty");
    if (p->find.own.ignore_frequent == 0)
        return;
    akin_html_tile(html, "tokens left out", f->ignored, "ignored");
    akin_html_tile(html, "of such tokens alone", f->emptied, "emptied");
}

/* A line of the table that says how documents were compared; the caller writes its value and its end. */
static void begin_line(page *p, const char *name)
{
    akin_html_markup(&p->html, "<tr><th scope=\"row\">");
    akin_html_markup(&p->html, name);
    akin_html_markup(&p->html, "</th><td>");
}

static void end_line(page *p)
{
    akin_html_markup(&p->html, "</td></tr>\n");
}

static int has_files(const page *p)
{
    return p->options.files && akin_table_files(p->options.files) > 1;
}

static const char *compared_of(const page *p)
{
    switch ((akin_comparing)p->find.own.comparing) {
    case AKIN_COMPARE_ALL:
        break;
    case AKIN_COMPARE_WITHIN:
        return p->options.source ? "documents with the same value in "
               : has_files(p)    ? "documents of one file"
                                 : "documents of one source";
    case AKIN_COMPARE_ACROSS:
        return p->options.source ? "documents with different values in "
               : has_files(p)    ? "documents of different files"
                                 : "documents of different sources";
    }
    return "all documents";
}

static void put_job(page *p)
{
    akin_html *html = &p->html;
    begin_line(p, "Alike means");
    akin_html_markup(html, p->measure->choice.name);
    akin_html_markup(html, " of at least ");
    akin_html_double(html, akin_ratio_value(p->find.own.threshold));
    akin_html_markup(html, "<br><small>");
    akin_html_string(html, p->measure->choice.help);
    akin_html_markup(html, "</small>");
    end_line(p);
    if (p->options.tokens) {
        begin_line(p, "Tokens");
        akin_html_cut(html, p->options.tokens, strlen(p->options.tokens), 0, NAME_MOST);
        end_line(p);
    }
    begin_line(p, "Compared are");
    akin_html_markup(html, compared_of(p));
    if (p->find.own.comparing != AKIN_COMPARE_ALL && p->options.source) {
        akin_html_markup(html, "<bdi>");
        akin_html_cut(html, p->options.source, strlen(p->options.source), 0, NAME_MOST);
        akin_html_markup(html, "</bdi>");
    }
    end_line(p);
    if (p->find.own.ignore_frequent == 0)
        return;
    begin_line(p, "Tokens left out");
    akin_html_markup(html, "those in more than ");
    akin_html_counted(html, p->find.own.ignore_frequent, "document", "documents");
    end_line(p);
}

/* ----------------------------------------------------------------------------------------------------- similarities */

static int counts_tokens(const page *p)
{
    return (p->measure->choice.capabilities & AKIN_TAKES_COUNT) != 0;
}

static int has_shares(const page *p)
{
    return !counts_tokens(p);
}

static int has_removed(const page *p)
{
    return p->clusters.removed > 0;
}

static void put_about_similarities(page *p)
{
    akin_html *html = &p->html;
    akin_html_markup(html, "Removed documents by their similarity to their survivor");
    akin_html_markup(html, counts_tokens(p) ? ", the number of common tokens." : ", in steps of 0.01.");
    if (p->find.own.components)
        akin_html_markup(html, " It may be below the threshold, as chains connect them.");
    if (p->figures->empty > 0)
        akin_html_markup(html, counts_tokens(p) ? " Documents without tokens are left out here."
                                                : " Documents without tokens count as equal.");
}

static void put_similarities(page *p)
{
    const akin_kept_clusters *c = &p->clusters;
    akin_html *html = &p->html;
    uint64_t most = 1;
    if (counts_tokens(p)) {
        akin_sizes_write(&c->common, 0, html);
        return;
    }
    for (uint32_t k = 0; k < AKIN_KEPT_STEPS; k++)
        most = akin_max_u64(most, c->similarities[k]);
    for (uint32_t k = 0; k < AKIN_KEPT_STEPS; k++) {
        if (c->similarities[k] == 0)
            continue;
        akin_html_markup(html, "<tr><th scope=\"row\">");
        akin_html_decimal(html, k / 100.0, 2);
        akin_html_markup(html, "</th>");
        akin_html_cell(html, c->similarities[k]);
        akin_html_bar(html, (double)c->similarities[k] / (double)most);
        akin_html_markup(html, "</tr>\n");
    }
}

/* --------------------------------------------------------------------------------------------------------- clusters */

static void put_sizes(page *p)
{
    akin_sizes_write(&p->clusters.sizes, 1, &p->html);
}

static void put_about_largest(page *p)
{
    const akin_kept_clusters *c = &p->clusters;
    akin_html *html = &p->html;
    if (c->count > c->listed) {
        akin_html_markup(html, "These are ");
        akin_html_count(html, c->listed);
        akin_html_markup(html, " of ");
        akin_html_count(html, c->count);
        akin_html_markup(html, " clusters; ");
        akin_html_count(html, c->count - c->listed);
        akin_html_markup(html, " others are left out. ");
    }
    akin_html_markup(html, "The removed documents that are least like the survivor come first.");
}

/* A value of a column, as a name. */
static void put_value(page *p, const akin_column *column, uint32_t row)
{
    const uint64_t *at = column->offsets + row;
    akin_html_markup(&p->html, "<bdi>");
    if (akin_column_has_text(column, row))
        akin_html_cut(&p->html, column->bytes + at[0], (size_t)(at[1] - at[0]), 0, NAME_MOST);
    else
        akin_html_markup(&p->html, "<i>missing</i>");
    akin_html_markup(&p->html, "</bdi>");
}

/* What a document is called: its id, else its row; in a table of several files the row of its file. */
static void put_name(page *p, uint32_t row)
{
    const akin_table *files = p->options.files;
    akin_table_file file = {.size = sizeof file};
    if (p->find.own.ids) {
        put_value(p, p->find.own.ids, row);
        return;
    }
    if (has_files(p) && akin_table_file_at(files, akin_table_file_of(files, row), &file, NULL) == AKIN_OK) {
        akin_html_markup(&p->html, "<bdi>");
        akin_html_cut(&p->html, file.name, strlen(file.name), 0, NAME_MOST);
        akin_html_markup(&p->html, "</bdi>:");
    }
    char number[16];
    snprintf(number, sizeof number, "%u", row - file.first);
    akin_html_markup(&p->html, number);
}

/* Where a document is from, if there are sources or files. */
static void put_source(page *p, uint32_t row)
{
    const akin_table *files = p->options.files;
    akin_table_file file = {.size = sizeof file};
    if (p->options.source && p->find.own.sources) {
        akin_html_markup(&p->html, " \xc2\xb7 <bdi>");
        akin_html_cut(&p->html, p->options.source, strlen(p->options.source), 0, NAME_MOST);
        akin_html_markup(&p->html, "</bdi> ");
        put_value(p, p->find.own.sources, row);
    }
    if (p->find.own.ids && has_files(p) &&
        akin_table_file_at(files, akin_table_file_of(files, row), &file, NULL) == AKIN_OK) {
        akin_html_markup(&p->html, " \xc2\xb7 <bdi>");
        akin_html_cut(&p->html, file.name, strlen(file.name), 0, NAME_MOST);
        akin_html_markup(&p->html, "</bdi>");
    }
}

/* The text of a document; "" for a null. */
static const char *text_of(const page *p, uint32_t row, uint64_t *length)
{
    const uint64_t *at = p->documents->offsets + row;
    *length = akin_column_has(p->documents, row) ? at[1] - at[0] : 0;
    return p->documents->bytes + at[0];
}

static void put_bytes(page *p, uint32_t row)
{
    uint64_t length;
    text_of(p, row, &length);
    akin_html_counted(&p->html, length, "byte", "bytes");
}

static void put_similarity(page *p, double similarity)
{
    if (counts_tokens(p))
        akin_html_double(&p->html, similarity);
    else
        akin_html_decimal(&p->html, similarity, 4);
}

static void put_differences(page *p, uint32_t survivor, uint32_t removed)
{
    uint64_t a_length, b_length;
    const char *a = text_of(p, survivor, &a_length), *b = text_of(p, removed, &b_length);
    akin_text_differences_write(&p->html, &p->account, a, a_length, b, b_length, &p->diff);
}

/* ---------------------------------------------------------------------------------------------------------- listing */

static void put_survivor(page *p, uint32_t row)
{
    akin_html *html = &p->html;
    uint64_t length;
    const char *text = text_of(p, row, &length);
    akin_html_markup(html, "<h4 class=\"member\">Kept: ");
    put_name(p, row);
    akin_html_markup(html, " <small>");
    put_bytes(p, row);
    put_source(p, row);
    akin_html_markup(html, "</small></h4>\n");
    if (length == 0) {
        akin_html_markup(html, "<p class=\"about\">It has no text.</p>\n");
        return;
    }
    akin_html_markup(html, "<p class=\"text\" dir=\"auto\">");
    akin_html_cut(html, text, length, 0, SURVIVOR_MOST);
    akin_html_markup(html, "</p>\n");
}

static void put_member(page *p, uint32_t survivor, const akin_kept_member *member)
{
    akin_html *html = &p->html;
    akin_html_markup(html, "<h4 class=\"member\" data-v=\"");
    akin_html_double(html, member->similarity);
    akin_html_markup(html, "\">Removed: ");
    put_name(p, member->row);
    akin_html_markup(html, " <small>similarity ");
    put_similarity(p, member->similarity);
    akin_html_markup(html, " \xc2\xb7 ");
    akin_html_counted(html, member->common, "common token", "common tokens");
    akin_html_markup(html, " \xc2\xb7 ");
    put_bytes(p, member->row);
    put_source(p, member->row);
    akin_html_markup(html, "</small></h4>\n");
    put_differences(p, survivor, member->row);
}

static void put_cluster(page *p, uint32_t at, int is_open)
{
    const akin_kept_cluster *c = &p->clusters.largest[at];
    const akin_kept_member *members = p->clusters.members + (uint64_t)at * p->clusters.most;
    akin_html *html = &p->html;
    akin_html_markup(html, is_open ? "<details class=\"cluster\" open>" : "<details class=\"cluster\">");
    akin_html_markup(html, "<summary><strong>");
    akin_html_count(html, c->removed + UINT64_C(1));
    akin_html_markup(html, " documents</strong>, with ");
    put_name(p, c->survivor);
    akin_html_markup(html, " <span>lowest similarity ");
    put_similarity(p, members[0].similarity);
    akin_html_markup(html, "</span></summary>\n");
    put_survivor(p, c->survivor);
    for (uint32_t i = 0; i < c->listed; i++)
        put_member(p, c->survivor, &members[i]);
    if (c->removed > c->listed) {
        akin_html_markup(html, "<p class=\"about\">and ");
        akin_html_counted(html, c->removed - c->listed, "more removed document", "more removed documents");
        akin_html_markup(html, "</p>\n");
    }
    akin_html_markup(html, "</details>\n");
}

/* The first cluster is open that has something to read. */
static void put_largest(page *p)
{
    int was_open = 0;
    for (uint32_t i = 0; i < p->clusters.listed; i++) {
        uint64_t length;
        text_of(p, p->clusters.largest[i].survivor, &length);
        const int is_open = !was_open && length > 0;
        put_cluster(p, i, is_open);
        was_open |= is_open;
        if (p->find.own.table)
            akin_table_release(p->find.own.table);
    }
}

/* ------------------------------------------------------------------------------------------------------------- page */

static void write_part(void *user, const char *name, size_t length)
{
    static const struct {
        const char *name;
        void (*write)(page *p);
    } parts[] = {{"version", put_version},
                 {"title", put_title},
                 {"heading", put_heading},
                 {"lead", put_lead},
                 {"tiles", put_tiles},
                 {"job", put_job},
                 {"about_similarities", put_about_similarities},
                 {"similarities", put_similarities},
                 {"sizes", put_sizes},
                 {"about_largest", put_about_largest},
                 {"largest", put_largest}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (akin_template_is(name, length, parts[i].name))
            parts[i].write(user);
}

static int holds(void *user, const char *name, size_t length)
{
    static const struct {
        const char *name;
        int (*holds)(const page *p);
    } conditions[] = {{"removed", has_removed}, {"shares", has_shares}, {"counts", counts_tokens}};
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        if (akin_template_is(name, length, conditions[i].name))
            return conditions[i].holds(user);
    return 0;
}

static akin_status read_options(const akin_scope *scope, page *p, const akin_duplicates_options *find,
                                const akin_duplicates_page_options *given, akin_error *error)
{
    akin_duplicates_page_options *own = &p->options;
    *own = (akin_duplicates_page_options)AKIN_DUPLICATES_PAGE_OPTIONS_INIT;
    akin_status status = akin_options_read(given, own, sizeof *own, sizeof *own, "akin_duplicates_page_options", error);
    if (status == AKIN_OK)
        status = akin_near_options_read(scope, p->documents, (uint32_t)p->figures->documents, find, &p->find, error);
    if (status != AKIN_OK)
        return status;
    if (own->clusters == 0 || own->clusters > LISTED_MOST || own->members == 0 || own->members > LISTED_MOST)
        return akin_fail(error, AKIN_E_OPTION, "clusters is %u, and members %u; expected 1 to %d of both",
                         own->clusters, own->members, LISTED_MOST);
    if ((uint64_t)own->clusters * own->members > LISTED_ALL)
        return akin_fail(error, AKIN_E_OPTION, "clusters x members is %llu; expected %d at most",
                         (unsigned long long)own->clusters * own->members, LISTED_ALL);
    p->measure = akin_measure_of((akin_measure)p->find.own.measure);
    return AKIN_OK;
}

akin_status akin_duplicates_write_page(akin_context *context, const akin_duplicates *duplicates,
                                       const akin_column *documents, const akin_duplicates_options *find,
                                       const akin_duplicates_page_options *options, akin_output *output,
                                       akin_error *error)
{
    const akin_scope *scope = akin_scope_of(context);
    const akin_template template = {(const char *)akin_duplicates_template, akin_duplicates_template_length, write_part,
                                    holds};
    page p = {.html = {.output = output, .error = error}, .figures = &duplicates->report, .documents = documents};
    akin_account_begin(&p.account, scope);
    akin_status status = read_options(scope, &p, find, options, error);
    if (status != AKIN_OK)
        return status;
    const uint32_t clusters = (uint32_t)akin_min_u64(p.options.clusters, akin_max_u64(p.figures->documents, 1));
    status = akin_kept_clusters_make(scope, &p.account, duplicates, (akin_measure)p.find.own.measure, clusters,
                                     p.options.members, &p.clusters, error);
    if (status == AKIN_OK) {
        akin_template_write(&template, &p.html, &p);
        status = p.html.status;
    }
    akin_kept_clusters_clear(&p.clusters);
    akin_word_diff_clear(&p.diff);
    return status;
}
