/*
 * The ordering of few tokens with vectors of one width; order.c includes it once for each, with LANES (the tokens in a
 * vector) and NAME(x) (its names) defined. The width is to be what the CPU has: compilers take a wider vector apart to
 * the last token.
 */

typedef int32_t NAME(lanes) __attribute__((vector_size(LANES * sizeof(int32_t))));

_Static_assert(LANES <= AKIN_ORDER_PADDING, "what is behind the tokens may be read as a vector");

/* For tokens below 2^31, as vectors know signed comparisons only. */
__attribute__((always_inline)) static inline void NAME(order_few)(const uint32_t *from, uint32_t *to, uint32_t count)
{
    for (uint32_t first = 0; first < count; first += LANES) {
        NAME(lanes) some, less = {0};
        int32_t places[LANES];
        memcpy(&some, from + first, sizeof some);
        for (uint32_t i = 0; i < count; i++)
            less -= some > (int32_t)from[i]; /* true is -1 */
        memcpy(places, &less, sizeof less);
        for (uint32_t i = 0; i < LANES && first + i < count; i++)
            to[places[i]] = from[first + i];
    }
}
