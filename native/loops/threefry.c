/* Threefry-2x32 with 20 rounds (Salmon et al., 2011), the counter-based generator behind JAX's random numbers. */
#include "random.h"

#define ROUND(rotation) \
    first += second; \
    second = (second << (rotation)) | (second >> (32 - (rotation))); \
    second ^= first;
#define FOUR_ROUNDS(a, b, c, d, added_first, added_second) \
    ROUND(a) ROUND(b) ROUND(c) ROUND(d) first += (added_first); \
    second += (added_second);

/* Encrypt a pair of words. */
static ALWAYS_INLINE void encrypt(uint32_t a, uint32_t b, uint32_t *x, uint32_t *y) {
    uint32_t parity = a ^ b ^ 0x1BD11BDA, first = *x + a, second = *y + b;
    FOUR_ROUNDS(13, 15, 26, 6, b, parity + 1)
    FOUR_ROUNDS(17, 29, 16, 24, parity, a + 2)
    FOUR_ROUNDS(13, 15, 26, 6, a, b + 3)
    FOUR_ROUNDS(17, 29, 16, 24, b, parity + 4)
    FOUR_ROUNDS(13, 15, 26, 6, parity, a + 5)
    *x = first;
    *y = second;
}

/* Encrypt counters whose high word is the same, from `low` on; what becomes of the two words is the loop's name. */
#define LOOP(level, target, name, type, made) \
    target static void name##_##level(uint32_t a, uint32_t b, uint32_t high, uint32_t low, npy_intp count, void *to) { \
        type *out = to; \
        INDEPENDENT \
        for (npy_intp i = 0; i < count; i++) { \
            uint32_t x = high, y = low + (uint32_t)i; \
            encrypt(a, b, &x, &y); \
            out[i] = made; \
        } \
    }
#define LOOPS(level, target) \
    LOOP(level, target, one_word, uint32_t, x ^ y) LOOP(level, target, both_words, uint64_t, (uint64_t)x << 32 | y)
EVERY_LEVEL(LOOPS)

typedef void Loop(uint32_t a, uint32_t b, uint32_t high, uint32_t low, npy_intp count, void *to);
#define ROW(level, target) {one_word_##level, both_words_##level},
static Loop *const loops[][2] = {EVERY_LEVEL(ROW)};

static void run(int which, Key key, uint64_t start, npy_intp count, char *to) {
    while (count > 0) { /* as long as the high word of the counter stays what it is */
        uint64_t left = UINT64_C(0x100000000) - (uint32_t)start;
        npy_intp now = (uint64_t)count < left ? count : (npy_intp)left;
        loops[loop_level][which](key.high, key.low, (uint32_t)(start >> 32), (uint32_t)start, now, to);
        to += now * (which ? 8 : 4);
        start += (uint64_t)now;
        count -= now;
    }
}

void threefry_words(Key key, uint64_t start, npy_intp count, uint32_t *to) { run(0, key, start, count, (char *)to); }
void threefry_pairs(Key key, uint64_t start, npy_intp count, uint64_t *to) { run(1, key, start, count, (char *)to); }

Key threefry_key(Key key, uint64_t counter) {
    uint32_t x = (uint32_t)(counter >> 32), y = (uint32_t)counter;
    encrypt(key.high, key.low, &x, &y);
    return (Key){x, y};
}

/* What threads share. */
typedef struct {
    Key key;
    int size;
    char *to;
} Filling;

static void bits_part(void *context, int Py_UNUSED(thread), npy_intp first, npy_intp last) {
    enum { BLOCK = 512 };
    uint32_t words[BLOCK];
    const Filling *all = context;
    if (all->size >= 4) {
        run(all->size == 8, all->key, (uint64_t)first, last - first, all->to + first * all->size);
        return;
    }
    for (npy_intp done = first; done < last; done += BLOCK) {
        npy_intp now = last - done < BLOCK ? last - done : BLOCK;
        threefry_words(all->key, (uint64_t)done, now, words);
        if (all->size == 1)
            for (npy_intp i = 0; i < now; i++) all->to[done + i] = (char)words[i];
        else
            for (npy_intp i = 0; i < now; i++) ((uint16_t *)all->to)[done + i] = (uint16_t)words[i];
    }
}

void threefry_bits(Key key, int size, npy_intp count, void *to) {
    share_work(bits_part, &(Filling){key, size, to}, count, 1);
}
