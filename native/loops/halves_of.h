/* Conversions by instructions of vectors, at one level: includers define LEVEL, TARGET, and SOME, the elements of a vector of 16 bits.
 *
 * Elements of such vectors are compared as integers with a sign, which magnitudes are too; a comparison results in all bits or none.
 */
#define JOINED(a, b) a##_##b
#define JOIN(a, b) JOINED(a, b)
#define OF(name) JOIN(name, LEVEL)

typedef uint16_t OF(Halves) __attribute__((vector_size(2 * SOME)));
typedef int16_t OF(Signed) __attribute__((vector_size(2 * SOME)));
#define Halves OF(Halves)
#define ABOVE(x, limit) ((Halves)((OF(Signed))(x) > (int16_t)(limit)))
#define CHOOSE(condition, a, b) ((b) ^ (((a) ^ (b)) & (condition)))

/* Copy fewer than SOME elements, by as many moves as their number has bits: compilers make of a loop what is slow to begin. */
#define COPY_FEW(to, from, count) \
    for (npy_intp few = SOME / 2, done = 0; few > 0; few /= 2) \
        if ((count) & few) { memcpy((to) + done, (from) + done, (size_t)few * sizeof *(to)); done += few; }

/* Convert `count` elements by `step`, which converts SOME; the last few in rooms that are filled up. */
#define BY_STEPS(name, in_type, out_type, step) \
    TARGET static void OF(name)(const char *from, char *to, npy_intp count) { \
        const in_type *in = (const in_type *)from; \
        out_type *out = (out_type *)to; \
        for (; count >= SOME; count -= SOME, in += SOME, out += SOME) step; \
        if (count == 0) return; \
        in_type rest[SOME] = {0}; \
        out_type found[SOME], *last = out; \
        COPY_FEW(rest, in, count) \
        in = rest; \
        out = found; \
        step; \
        COPY_FEW(last, found, count) \
    }
TARGET static ALWAYS_INLINE void OF(widen_halves)(Halves halves, float *out, float scale) {
    OF(STORE_FLOATS)(out, OF(WIDE_HALF)(halves, 0) * scale);
    OF(STORE_FLOATS)(out + SOME / 2, OF(WIDE_HALF)(halves, 1) * scale);
}
TARGET static ALWAYS_INLINE void OF(widen_step)(const uint16_t *in, float *out) {
    Halves halves;
    memcpy(&halves, in, sizeof halves);
    OF(widen_halves)(halves, out, 1);
}
TARGET static ALWAYS_INLINE void OF(narrow_step)(const float *in, uint16_t *out) {
    OF(ROUND)(out, OF(LOAD_FLOATS)(in));
    OF(ROUND)(out + SOME / 2, OF(LOAD_FLOATS)(in + SOME / 2));
}
BY_STEPS(widen_fast_float16, uint16_t, float, OF(widen_step)(in, out))
BY_STEPS(narrow_fast_float16, float, uint16_t, OF(narrow_step)(in, out))

/* Codes of 8 bits as upper bits of float16. */
TARGET static ALWAYS_INLINE Halves OF(halves_of_codes)(Halves codes, int width, int fraction, int has) {
    const uint16_t largest = (1u << (width - 1)) - 1, infinity = largest & ~((1u << fraction) - 1), other = largest + 1, nan = 0x7E00;
    Halves magnitudes = codes & largest, halves = magnitudes << (10 - fraction), signs = ABOVE(codes, largest) & 0x8000;
    if (has == WITH_INFINITY) halves = CHOOSE(ABOVE(magnitudes, infinity), nan, halves | (ABOVE(magnitudes, infinity - 1) & 0x7C00));
    if (has == NAN_ONLY) halves = CHOOSE(ABOVE(magnitudes, largest - 1), nan, halves);
    if (has == ONE_NAN) halves |= (Halves)(codes == other) & nan;
    return halves | signs;
}
TARGET static ALWAYS_INLINE void OF(widen_codes)(const uint8_t *in, float *out, int width, int fraction, int bias, int has) {
    OF(widen_halves)(OF(halves_of_codes)((Halves)OF(LOAD_CODES)(in), width, fraction, has), out, (float)(1 << (15 - bias)));
}
#define WIDEN(name, NAME) \
    BY_STEPS(widen_fast_##name, uint8_t, float, OF(widen_codes)(in, out, width_of_##name, fraction_of_##name, bias_of_##name, has_of_##name))
UPPER_HALVES(WIDEN)

#if SOME == 32
/* Round float32 to codes of 8 bits. Their upper halves, rounded to odd (what is not exact gets an odd one), have so many bits that rounding those
 * to nearest is correct. Each element is shifted by its own number of places, for subnormal numbers have fewer bits. */
#define EACH(function, a, b) ((Halves)function((__m512i)(a), (__m512i)(b)))
TARGET static ALWAYS_INLINE void OF(narrow_codes)(const float *in, uint8_t *out, int width, int fraction, int bias, int has) {
    const uint16_t largest = (1u << (width - 1)) - 1, infinity = largest & ~((1u << fraction) - 1), quiet = infinity | (1u << (fraction - 1));
    const uint16_t other = largest + 1;
    const Halves none = {0}, one = none + 1, smallest = none + (uint16_t)(128 - bias); /* the exponent of the smallest normal number */
    const Halves lower_places = {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56, 58, 60, 62};
    __m512i first = _mm512_loadu_si512(in), second = _mm512_loadu_si512(in + 16);
    Halves lower = (Halves)_mm512_permutex2var_epi16(first, (__m512i)lower_places, second);
    Halves upper = (Halves)_mm512_permutex2var_epi16(first, (__m512i)(lower_places + 1), second) | EACH(_mm512_min_epu16, lower, one);
    Halves signs = (upper >> (16 - width)) & other, magnitudes = upper & 0x7FFF, nan = ABOVE(magnitudes, 0x7F80);
    Halves exponents = magnitudes >> 7, significands = (magnitudes & 0x7F) | 0x80;
    Halves above = EACH(_mm512_subs_epu16, exponents, smallest), below = EACH(_mm512_subs_epu16, smallest, exponents);
    Halves places = below + (uint16_t)(7 - fraction);
    Halves even = EACH(_mm512_srlv_epi16, significands, places) & 1, nearly_half = EACH(_mm512_sllv_epi16, one, places - 1) - 1;
    Halves codes = EACH(_mm512_srlv_epi16, significands + even + nearly_half, places) + (above << fraction);
    switch (has) {
        case WITH_INFINITY: codes = CHOOSE(nan, quiet, CHOOSE(ABOVE(codes, infinity), infinity, codes)) | signs; break;
        case NAN_ONLY: codes = CHOOSE(ABOVE(codes, largest), largest, codes) | signs; break; /* NaN is beyond all numbers here and there */
        case ONE_NAN: codes = CHOOSE(ABOVE(codes, largest), other, codes | (signs & ABOVE(codes, 0))); break;
        default: codes = CHOOSE(nan, other, CHOOSE(ABOVE(codes, largest), largest, codes)) ^ signs;
    }
    _mm256_storeu_si256((__m256i *)out, _mm512_cvtepi16_epi8((__m512i)codes));
}
#define NARROW(name, NAME) \
    BY_STEPS(narrow_fast_##name, float, uint8_t, OF(narrow_codes)(in, out, width_of_##name, fraction_of_##name, bias_of_##name, has_of_##name))
UPPER_HALVES(NARROW)
NARROW(float8_e5m2fnuz, FLOAT8_E5M2FNUZ)
#undef EACH
#undef NARROW
#endif

#undef JOINED
#undef JOIN
#undef OF
#undef Halves
#undef ABOVE
#undef CHOOSE
#undef COPY_FEW
#undef BY_STEPS
#undef WIDEN
#undef LEVEL
#undef SOME
#undef TARGET
