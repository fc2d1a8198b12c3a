/* Which of two floats of one width is the greater or the lesser, by their bits: includers define BITS and INFINITE (the
 * bits of infinity).
 *
 * As integers of their width, with a sign, positive floats have the order of their values, and so have a positive and a
 * negative one; the order of two negative ones is reversed. NaN are the magnitudes above infinity. No floating-point
 * instruction is used, so none raises a flag; NaN keep their bits.
 */
#define JOINED(a, b) a##b
#define JOIN(a, b) JOINED(a, b)
#define UINT JOIN(JOIN(uint, BITS), _t)
#define INT JOIN(JOIN(int, BITS), _t)
#define OF(name) JOIN(name, BITS)
#define SIGN ((UINT)((UINT)1 << (BITS - 1)))
#define MAGNITUDE ((UINT)(SIGN - 1))

/* Set the sign bit if `x` is NaN, and some other bits. */
static ALWAYS_INLINE UINT OF(nan_to_sign)(UINT x) { return (UINT)((x & MAGNITUDE) + (MAGNITUDE - INFINITE)); }

/* Set the sign bit if `x` is what two elements combine to: the greater or the lesser one; of NaN and a number NaN, of
 * two NaN the first. */
static ALWAYS_INLINE UINT OF(first_to_sign)(UINT x, UINT y, bool greatest) {
    bool ordered =
        greatest ? (INT)x > (INT)y : (INT)x < (INT)y; /* reversed if both are negative; no matter if they are equal */
    UINT first = (UINT)((ordered ? (UINT)-1 : 0) ^ (x & y));
    return (UINT)(OF(nan_to_sign)(x) | (first & ~OF(nan_to_sign)(y)));
}

/* Return what two elements combine to: as vectors are selected, and without a branch that would have to be predicted.
 */
static ALWAYS_INLINE UINT OF(pick)(UINT x, UINT y, bool greatest) {
    return (INT)OF(first_to_sign)(x, y, greatest) < 0 ? x : y;
}
static ALWAYS_INLINE UINT OF(pick_one)(UINT x, UINT y, bool greatest) {
    return (UINT)(y ^ ((x ^ y) & (UINT)(0 - (OF(first_to_sign)(x, y, greatest) >> (BITS - 1)))));
}
