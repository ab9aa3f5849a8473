/* Tokens that are in many documents. */
#include "corpus/frequent.h"

#include "base/bits.h"

#include <pthread.h>
#include <string.h>

#define STRIPES 256
#define LEAST   16 /* slots of a stripe */

/* A token; documents is 0 in a slot that is free. */
typedef struct slot {
    uint64_t hash, begin, documents;
    uint32_t length;
} slot;

typedef struct stripe {
    pthread_mutex_t mutex;
    slot *slots; /* a power of two, at least half of them free */
    char *bytes;
    uint64_t slot_count, used, length, capacity;
} stripe;

struct akin_frequent {
    akin_account *account;
    uint64_t most;
    int stripe_count; /* those whose mutex there is */
    stripe stripes[STRIPES];
};

/* Hashes of few bits, as tests have them, are spread, too. */
static uint64_t spread(uint64_t hash)
{
    return hash * UINT64_C(0x9e3779b97f4a7c15);
}

static stripe *stripe_of(const akin_frequent *f, uint64_t hash)
{
    return (stripe *)&f->stripes[spread(hash) >> 56];
}

/* The slot of a token, or the free one where it would be. */
static slot *find(const stripe *s, const char *bytes, uint32_t length, uint64_t hash)
{
    uint64_t at = spread(hash) >> 24 & (s->slot_count - 1);
    for (;; at = (at + 1) & (s->slot_count - 1)) {
        slot *own = &s->slots[at];
        if (own->documents == 0 ||
            (own->hash == hash && own->length == length && memcmp(s->bytes + own->begin, bytes, length) == 0))
            return own;
    }
}

/* Makes a table of that many slots for the tokens that are in more than `most` documents. */
static akin_status rebuild(const akin_frequent *f, stripe *s, uint64_t count, uint64_t most)
{
    const stripe old = *s;
    slot *slots = akin_alloc_zero(f->account, count, sizeof *slots);
    if (!slots)
        return AKIN_E_NOMEM;
    s->slots = slots;
    s->slot_count = count;
    s->used = 0;
    for (uint64_t i = 0; i < old.slot_count; i++) {
        const slot *token = &old.slots[i];
        if (token->documents <= most)
            continue;
        *find(s, s->bytes + token->begin, token->length, token->hash) = *token;
        s->used++;
    }
    akin_free(old.slots);
    return AKIN_OK;
}

static akin_status add_token(const akin_frequent *f, stripe *s, const char *bytes, uint32_t length, uint64_t hash)
{
    if (s->used * 2 >= s->slot_count) {
        const akin_status status = rebuild(f, s, akin_max_u64(LEAST, 2 * s->slot_count), 0);
        if (status != AKIN_OK)
            return status;
    }
    slot *own = find(s, bytes, length, hash);
    if (own->documents == 0) {
        char *room = akin_enlarge(f->account, s->bytes, &s->capacity, s->length + length, 1);
        if (!room)
            return AKIN_E_NOMEM;
        s->bytes = room;
        memcpy(room + s->length, bytes, length);
        *own = (slot){hash, s->length, 0, length};
        s->length += length;
        s->used++;
    }
    own->documents++;
    return AKIN_OK;
}

akin_status akin_frequent_create(akin_account *account, uint64_t most, akin_frequent **out)
{
    akin_frequent *f = akin_alloc_zero(account, 1, sizeof *f);
    if (!f)
        return AKIN_E_NOMEM;
    f->account = account;
    f->most = most;
    while (f->stripe_count < STRIPES && pthread_mutex_init(&f->stripes[f->stripe_count].mutex, NULL) == 0)
        f->stripe_count++;
    *out = f;
    if (f->stripe_count == STRIPES)
        return AKIN_OK;
    akin_frequent_free(f);
    *out = NULL;
    return AKIN_E_NOMEM;
}

void akin_frequent_free(akin_frequent *frequent)
{
    for (int i = 0; frequent && i < frequent->stripe_count; i++) {
        pthread_mutex_destroy(&frequent->stripes[i].mutex);
        akin_free(frequent->stripes[i].slots);
        akin_free(frequent->stripes[i].bytes);
    }
    akin_free(frequent);
}

akin_status akin_frequent_add(akin_frequent *frequent, const char *bytes, uint32_t length, uint64_t hash)
{
    stripe *s = stripe_of(frequent, hash);
    pthread_mutex_lock(&s->mutex);
    const akin_status status = add_token(frequent, s, bytes, length, hash);
    pthread_mutex_unlock(&s->mutex);
    return status;
}

akin_status akin_frequent_finish(akin_frequent *frequent, uint64_t *left)
{
    akin_status status = AKIN_OK;
    *left = 0;
    for (int i = 0; i < STRIPES && status == AKIN_OK; i++) {
        stripe *s = &frequent->stripes[i];
        uint64_t count = 0, slots = LEAST;
        for (uint64_t k = 0; k < s->slot_count; k++)
            count += s->slots[k].documents > frequent->most;
        while (slots < 2 * count)
            slots *= 2;
        status = rebuild(frequent, s, slots, frequent->most);
        *left += count;
    }
    return status;
}

int akin_frequent_has(const akin_frequent *frequent, const char *bytes, uint32_t length, uint64_t hash)
{
    const stripe *s = stripe_of(frequent, hash);
    return s->used > 0 && find(s, bytes, length, hash)->documents > 0;
}
