/* Random words and what is made of them: threefry.c and samplers.c. Many of them are shared by threads, so their
 * callers do not hold the GIL. */
#ifndef SUPREMUM_RANDOM_H
#define SUPREMUM_RANDOM_H

#include "../threads.h"
#include "loops.h"

/* The two words of a key. */
typedef struct {
    uint32_t high, low;
} Key;

/* Write one word for each counter of a range: the exclusive or of the two that Threefry makes of it. */
void threefry_words(Key key, uint64_t start, npy_intp count, uint32_t *to);
/* Write both words for each counter, the first one being the high half. */
void threefry_pairs(Key key, uint64_t start, npy_intp count, uint64_t *to);
/* Return both words for one counter, as a key. */
Key threefry_key(Key key, uint64_t counter);
/* Write random integers of 1, 2, 4 or 8 bytes. */
void threefry_bits(Key key, int size, npy_intp count, void *to);

/* Bounds of uniform numbers; `scaled` is false for [0, 1). */
typedef struct {
    bool scaled;
    double low, high;
} Bounds;
/* Whether the loops take these bounds, rounded to a type: finite, in order and at a finite distance, the lower one not
 * -0.0. */
bool bounds_are_plain(Type type, Bounds bounds);
/* Write uniform or normal numbers of E_FLOAT32 or E_FLOAT64. Normal ones need `samplers_found`. */
void random_uniform(Type type, Key key, Bounds bounds, npy_intp count, void *to);
void random_normal(Type type, Key key, npy_intp count, void *to);
/* Write uniform numbers of [0, 1), as float32, that have the `mantissa` highest of `width` random bits. */
void random_fractions(Key key, int width, int mantissa, npy_intp count, float *to);
/* Replace numbers of [-1, 1] by the inverse of the error function, others by NaN; with the logarithms of XLA, unless
 * they are to be `exact`. */
void inverse_error(Type type, bool exact, npy_intp count, void *numbers);
/* Whether NumPy's loops of logarithms were found, which normal numbers are computed by. */
extern bool samplers_found;
/* Write integers of 32 or 64 bits, from `low` on, of `span`: the remainders of twice as many bits. */
void random_integers(int size, Key key, uint64_t low, uint64_t span, npy_intp count, void *to);

#endif
