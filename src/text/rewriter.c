/* Rewrites values: finds entries of synonyms in them, word by word. */
#include "text/rewriter.h"

#include "base/grouped.h"

#include <stdio.h>
#include <string.h>

#define WARNING 1024 /* bytes of a warning */

static const char what[] = "synonyms"; /* the memory is for */

/* ----------------------------------------------------------------------------------------------------------- words */

static akin_status put_text(akin_account *account, char **text, uint64_t *length, uint64_t *room, const char *from,
                            uint64_t size)
{
    char *larger = akin_enlarge(account, *text, room, *length + size + 1, 1);
    if (!larger)
        return AKIN_E_NOMEM;
    *text = larger;
    if (size > 0)
        memcpy(larger + *length, from, (size_t)size);
    *length += size;
    return AKIN_OK;
}

/* Adds a word to those of the value, and to the keys. */
static akin_status add_word(akin_rewriter *r, const char *from, uint64_t begin, uint64_t end)
{
    const char *word = from + begin;
    uint64_t length = end - begin;
    akin_rewriter_word *words = akin_enlarge(r->account, r->words, &r->capacity, r->count + 1, sizeof *words);
    if (!words)
        return AKIN_E_NOMEM;
    r->words = words;
    akin_status status = AKIN_OK;
    if (!(r->forms->folds & AKIN_FOLD_CASE)) {
        status = akin_folder_take(&r->folder, word, length);
        word = r->folder.text;
        length = r->folder.length;
    }
    if (status == AKIN_OK && r->count > 0)
        status = put_text(r->account, &r->keys, &r->keys_length, &r->keys_room, " ", 1);
    const uint64_t key = r->keys_length;
    if (status == AKIN_OK)
        status = put_text(r->account, &r->keys, &r->keys_length, &r->keys_room, word, length);
    words[r->count] = (akin_rewriter_word){begin, end, key, r->keys_length};
    r->count += status == AKIN_OK;
    return status;
}

/* Finds the words of a value, and their keys. */
static akin_status find_words(akin_rewriter *r, const char *from, uint64_t length)
{
    akin_status status = AKIN_OK;
    uint64_t begin;
    r->count = r->keys_length = 0;
    for (uint64_t at = 0; status == AKIN_OK && (at = akin_synonyms_word(from, length, at, &begin)) > 0;)
        status = add_word(r, from, begin, at);
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- forms */

/* The place of a key, or the free one that it would take. */
static uint64_t find_place(const akin_forms *f, const char *key, uint64_t length)
{
    uint64_t hash = 0xcbf29ce484222325U;
    for (uint64_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)key[i]) * 0x100000001b3U;
    hash ^= hash >> 32;
    uint64_t place = hash & (f->capacity - 1);
    while (f->table[place].key_length > 0 &&
           (f->table[place].key_length != length || memcmp(f->text + f->table[place].key, key, (size_t)length) != 0))
        place = (place + 1) & (f->capacity - 1);
    return place;
}

/* The form of a key; NULL: there is none. */
static const akin_form *find_form(const akin_forms *f, const char *key, uint64_t length)
{
    const akin_form *form = &f->table[find_place(f, key, length)];
    return form->key_length > 0 ? form : NULL;
}

/* The place of a key, which is a new one if it was not there. Errors, without a message: AKIN_E_NOMEM. */
static akin_status add_form(akin_forms *f, const char *key, uint64_t length, uint64_t *place)
{
    *place = find_place(f, key, length);
    akin_form *form = &f->table[*place];
    if (form->key_length > 0)
        return AKIN_OK;
    const uint64_t at = f->length;
    akin_status status = put_text(f->account, &f->text, &f->length, &f->room, key, length);
    if (status == AKIN_OK)
        *form = (akin_form){.key = at, .key_length = (uint32_t)length, .parent = (uint32_t)*place};
    return status;
}

/* The place of the form whose text a form gets. Ways to it become shorter. */
static uint64_t find_root(akin_forms *f, uint64_t place)
{
    akin_form *table = f->table;
    while (table[place].parent != place) {
        table[place].parent = table[table[place].parent].parent;
        place = table[place].parent;
    }
    return place;
}

/* Lets an entry follow the first one of its line, unless it follows another already. */
static void follow(akin_forms *f, uint64_t place, uint64_t first, const akin_synonyms_entry *entry)
{
    const uint64_t root = find_root(f, first), own = find_root(f, place);
    if (own == root)
        return;
    if (own == place) {
        f->table[place].parent = (uint32_t)root;
        return;
    }
    if (!f->table[place].is_ambiguous && f->ambiguous++ == 0)
        f->unsure = entry;
    f->table[place].is_ambiguous = 1;
}

/* Adds the entry whose words the rewriter has found in a text. *first: the place of the first one of its line. */
static akin_status add_entry(akin_forms *f, const akin_rewriter *r, const char *text, const akin_synonyms_entry *entry,
                             uint64_t *first)
{
    const akin_rewriter_word *words = r->words, *last = &words[r->count - 1];
    uint64_t word, place;
    akin_status status = add_form(f, r->keys, words[0].key_end, &word);
    if (status == AKIN_OK)
        status = add_form(f, r->keys, last->key_end, &place);
    if (status != AKIN_OK)
        return status;
    if (f->table[word].most < r->count)
        f->table[word].most = (uint32_t)r->count;
    akin_form *form = &f->table[place];
    form->is_entry = 1;
    if (*first == UINT64_MAX) {
        *first = place;
        if (form->to_length > 0)
            return AKIN_OK;
        form->to = f->length;
        form->to_length = (uint32_t)(last->end - words[0].begin);
        return put_text(f->account, &f->text, &f->length, &f->room, text + words[0].begin, form->to_length);
    }
    follow(f, place, *first, entry);
    return AKIN_OK;
}

/* Adds all entries, each folded. A group whose first entry is nothing after that is left out. */
static akin_status add_entries(akin_forms *f, const akin_synonyms *s)
{
    akin_folder folder;
    akin_rewriter r;
    uint64_t first = UINT64_MAX;
    int is_empty = 0;
    akin_status status = AKIN_OK;
    akin_folder_begin(&folder, f->account, f->folds);
    akin_rewriter_begin(&r, f->account, f);
    for (uint64_t i = 0; i < s->count && status == AKIN_OK; i++) {
        const akin_synonyms_entry *entry = &s->entries[i];
        status = akin_folder_take(&folder, s->text + entry->begin, entry->length);
        if (status == AKIN_OK)
            status = find_words(&r, folder.text, folder.length);
        if (entry->is_first) {
            first = UINT64_MAX;
            is_empty = r.count == 0;
        }
        if (status == AKIN_OK && r.count > 0 && !is_empty)
            status = add_entry(f, &r, folder.text, entry, &first);
    }
    akin_rewriter_clear(&r);
    akin_folder_clear(&folder);
    return status;
}

akin_status akin_forms_make(akin_account *account, const akin_synonyms *synonyms, uint32_t folds, akin_forms *out,
                            akin_error *error)
{
    *out = (akin_forms){.account = account, .folds = folds, .capacity = 4};
    while (out->capacity < 4 * synonyms->count) /* two forms an entry, and as much again that is free */
        out->capacity *= 2;
    out->table = akin_alloc_zero(account, out->capacity, sizeof *out->table);
    if (!out->table || add_entries(out, synonyms) != AKIN_OK)
        return akin_fail_memory(error, what);
    for (uint64_t i = 0; i < out->capacity; i++) /* from here on no way to a root is made shorter */
        if (out->table[i].key_length > 0)
            out->table[i].parent = (uint32_t)find_root(out, i);
    return AKIN_OK;
}

void akin_forms_clear(akin_forms *forms)
{
    akin_free(forms->table);
    akin_free(forms->text);
    *forms = (akin_forms){0};
}

/* ---------------------------------------------------------------------------------------------------------- values */

void akin_rewriter_begin(akin_rewriter *rewriter, akin_account *account, const akin_forms *forms)
{
    *rewriter = (akin_rewriter){.forms = forms, .account = account};
    akin_folder_begin(&rewriter->folder, account, AKIN_FOLD_CASE);
}

void akin_rewriter_clear(akin_rewriter *rewriter)
{
    akin_folder_clear(&rewriter->folder);
    akin_free(rewriter->text);
    akin_free(rewriter->words);
    akin_free(rewriter->keys);
    *rewriter = (akin_rewriter){0};
}

/* The longest entry that begins with a word of the value, and of how many words it is; NULL: none does. */
static const akin_form *longest_at(const akin_rewriter *r, uint64_t at, uint64_t *count)
{
    const akin_rewriter_word *first = &r->words[at];
    const char *key = r->keys + first->key;
    const akin_form *form = find_form(r->forms, key, first->key_end - first->key);
    if (!form)
        return NULL;
    for (*count = form->most < r->count - at ? form->most : r->count - at; *count > 0; --*count) {
        const akin_form *entry = find_form(r->forms, key, r->words[at + *count - 1].key_end - first->key);
        if (entry && entry->is_entry)
            return entry;
    }
    return NULL;
}

/* Where an entry ends that ends there: behind a full stop, if no word goes on behind that. */
static uint64_t end_of_entry(const char *from, uint64_t length, uint64_t end)
{
    uint64_t begin;
    if (end == length || from[end] != '.')
        return end;
    akin_synonyms_word(from, length, end + 1, &begin);
    return begin == end + 1 && begin < length ? end : end + 1;
}

akin_status akin_rewriter_take(akin_rewriter *rewriter, const char *from, uint64_t length)
{
    akin_rewriter *r = rewriter;
    const akin_forms *forms = r->forms;
    uint64_t copied = 0, count = 0;
    r->length = 0;
    akin_status status = find_words(r, from, length);
    for (uint64_t at = 0; at < r->count && status == AKIN_OK;) {
        const akin_form *entry = longest_at(r, at, &count);
        if (!entry) {
            at++;
            continue;
        }
        const akin_form *to = &forms->table[entry->parent];
        status = put_text(r->account, &r->text, &r->length, &r->room, from + copied, r->words[at].begin - copied);
        if (status == AKIN_OK)
            status = put_text(r->account, &r->text, &r->length, &r->room, forms->text + to->to, to->to_length);
        copied = end_of_entry(from, length, r->words[at + count - 1].end);
        at += count;
    }
    return status == AKIN_OK ? put_text(r->account, &r->text, &r->length, &r->room, from + copied, length - copied)
                             : status;
}

/* --------------------------------------------------------------------------------------------------------- warnings */

void akin_synonyms_warn(const akin_synonyms *synonyms, const char *where, akin_warning_sink sink, void *user)
{
    akin_forms forms;
    akin_error error;
    char text[WARNING], count[AKIN_GROUPED];
    if (akin_forms_make(NULL, synonyms, AKIN_FOLD_ALL, &forms, &error) == AKIN_OK && forms.ambiguous > 0) {
        const uint64_t others = forms.ambiguous - 1;
        snprintf(
            text, sizeof text,
            "%.600s%s'%.*s'%s%s%s %s in several lines of the synonyms, and %s the first one alone: begin each line "
            "with the full form, and put the most frequent one first",
            where ? where : "", where ? ": " : "", forms.unsure->length < 40 ? (int)forms.unsure->length : 40,
            synonyms->text + forms.unsure->begin, others ? " and " : "", others ? akin_grouped(count, others) : "",
            others == 0   ? ""
            : others == 1 ? " other entry"
                          : " other entries",
            others ? "are" : "is", others ? "follow" : "follows");
        sink(user, text);
    }
    akin_forms_clear(&forms);
}
