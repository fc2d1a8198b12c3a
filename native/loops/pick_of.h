/* Which of two floats of one width is the greater or the lesser, by their bits: includers define BITS and, where C has
 * a type of that width, FLOAT. `last` is the greatest magnitude that is no NaN, `nan` another code that is one in 8
 * bits.
 *
 * As integers of their width, with a sign, positive floats have the order of their values, and so have a positive and a
 * negative one; the order of two negative ones is reversed. No floating-point instruction is used, so none raises a
 * flag; NaN keep their bits.
 */
#ifndef JOIN
#define JOINED(a, b) a##b
#define JOIN(a, b) JOINED(a, b)
#define UINT JOIN(JOIN(uint, BITS), _t)
#define INT JOIN(JOIN(int, BITS), _t)
#define OF(name) JOIN(name, BITS)
#define SIGN ((UINT)((UINT)1 << (BITS - 1)))
#define MAGNITUDE ((UINT)(SIGN - 1))
#endif

/* Set the sign bit if `x` is NaN, and some other bits. */
static ALWAYS_INLINE UINT OF(nan_to_sign)(UINT x, UINT last, UINT nan) {
    return (UINT)((UINT)((x & MAGNITUDE) + (MAGNITUDE - last)) | (BITS == 8 && x == nan ? SIGN : 0));
}

/* Set the sign bit if `x` is what two elements combine to: the greater or the lesser one; of NaN and a number NaN, of
 * two NaN the first. */
static ALWAYS_INLINE UINT OF(first_to_sign)(UINT x, UINT y, UINT last, UINT nan, bool greatest) {
    bool ordered =
        greatest ? (INT)x > (INT)y : (INT)x < (INT)y; /* reversed if both are negative; no matter if they are equal */
    UINT first = (UINT)((ordered ? (UINT)-1 : 0) ^ (x & y));
    return (UINT)(OF(nan_to_sign)(x, last, nan) | (first & ~OF(nan_to_sign)(y, last, nan)));
}

/* Return what two elements combine to, as vectors are selected. */
static ALWAYS_INLINE UINT OF(pick)(UINT x, UINT y, UINT last, UINT nan, bool greatest) {
    return (INT)OF(first_to_sign)(x, y, last, nan, greatest) < 0 ? x : y;
}

/* The same by fewer instructions, where there are some, which raise a flag for NaN. Only zeros are equal and have
 * different bits. */
static ALWAYS_INLINE UINT OF(pick_quickly)(UINT x, UINT y, UINT last, bool greatest) {
#ifdef FLOAT
    FLOAT a, b;
    memcpy(&a, &x, sizeof a);
    memcpy(&b, &y, sizeof b);
    bool first = (greatest ? a > b : a < b) | (a != a);
    UINT equal = greatest ? x & y : x | y, second = a == b ? equal : y;
    (void)last;
    return first ? x : second;
#else
    return OF(pick)(x, y, last, 0, greatest);
#endif
}
