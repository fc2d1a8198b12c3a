/* Extremes of floats of one width, by their bits: a file for each width includes this with BITS, INFINITE (the bits of
 * infinity), NUMBER (NumPy's of the type) and, where C has a type of that width, FLOAT defined. But for pairs no
 * floating-point instruction is used (see pick_of.h).
 */
#include "extremes.h"
#include "pick_of.h"

enum { BLOCK = 256 }; /* elements that are gathered at once */

/* -- elements -- */

/* What two elements combine to: see pick_of.h. */
#define PICK(x, y, greatest) OF(pick)(x, y, INFINITE, 0, greatest)

/* Map an element to an integer: in the order of the values, with NaN above infinity (of the greatest) or below it (of
 * the least). */
static ALWAYS_INLINE INT OF(rank)(UINT x, bool greatest) {
    UINT order = (UINT)(x ^ ((INT)x < 0 ? MAGNITUDE : 0));
    return (INT)(UINT)(greatest ? order - (MAGNITUDE - INFINITE) : order + (MAGNITUDE - INFINITE));
}
static ALWAYS_INLINE UINT OF(unrank)(INT rank, bool greatest) {
    UINT order = (UINT)(greatest ? (UINT)rank + (MAGNITUDE - INFINITE) : (UINT)rank - (MAGNITUDE - INFINITE));
    return (UINT)(order ^ ((INT)order < 0 ? MAGNITUDE : 0));
}

/* -- contiguous elements -- */

/* Combine two operands, of which one may be a single element. */
static ALWAYS_INLINE void OF(pairs)(const void *a, const void *b, void *to, npy_intp count, bool greatest, bool one_a,
                                    bool one_b) {
    const UINT *x = a, *y = b;
    UINT *out = to, first_x = x[0], first_y = y[0];
    INDEPENDENT
    for (npy_intp i = 0; i < count; i++)
        out[i] = OF(pick_quickly)(one_a ? first_x : x[i], one_b ? first_y : y[i], INFINITE, greatest);
}

static ALWAYS_INLINE void OF(clipped)(const void *from, const void *low, const void *high, void *to, npy_intp count,
                                      bool one_each) {
    const UINT *x = from, *a = low, *b = high;
    UINT *out = to, first_a = a[0], first_b = b[0];
    INDEPENDENT
    for (npy_intp i = 0; i < count; i++)
        out[i] = PICK(PICK(x[i], one_each ? first_a : a[i], true), one_each ? first_b : b[i], false);
}

static ALWAYS_INLINE INT OF(better)(INT a, INT b, bool greatest) { return (greatest ? a > b : a < b) ? a : b; }

/* Fold elements into the one that is there: four streams at a time, for a processor has space for as many. */
static ALWAYS_INLINE void OF(fold)(void *into, const void *from, npy_intp count, bool greatest) {
    enum { FEW = 64, STREAM = 8192 / sizeof(UINT) };
    const UINT *x = from;
    UINT *out = into;
    INT limit = OF(rank)(greatest ? INFINITE : (UINT)(SIGN | INFINITE), greatest);
    INT a = OF(rank)(*out, greatest), b = a, c = a, d = a;
    if (OF(better)(a, limit, greatest) != limit) return; /* the first NaN stays */
    while (count > 0) {
        npy_intp length = count / 4 < STREAM ? count / 4 : STREAM, done = 4 * length;
        const UINT *y = x + length, *z = y + length, *w = z + length;
        if (length < FEW) {
            done = count;
            for (npy_intp i = 0; i < count; i++) a = OF(better)(OF(rank)(x[i], greatest), a, greatest);
        } else {
            for (npy_intp i = 0; i < length; i++) {
                a = OF(better)(OF(rank)(x[i], greatest), a, greatest);
                b = OF(better)(OF(rank)(y[i], greatest), b, greatest);
                c = OF(better)(OF(rank)(z[i], greatest), c, greatest);
                d = OF(better)(OF(rank)(w[i], greatest), d, greatest);
            }
            a = OF(better)(OF(better)(a, b, greatest), OF(better)(c, d, greatest), greatest);
        }
        if (OF(better)(a, limit, greatest) != limit) {
            npy_intp i = 0; /* another thread may have overwritten the NaN meanwhile */
            while (i < count - 1 && (x[i] & MAGNITUDE) <= INFINITE) i++;
            *out = x[i];
            return;
        }
        x += done;
        count -= done;
    }
    *out = OF(unrank)(a, greatest);
}

#define WRAPPERS_OF(level, target, name, extreme, is_greatest) \
    target static void OF(name##_##level##_)(const void *a, const void *b, void *to, npy_intp count) { \
        OF(pairs)(a, b, to, count, is_greatest, false, false); \
    } \
    target static void OF(name##_of_one_and_##level##_)(const void *a, const void *b, void *to, npy_intp count) { \
        OF(pairs)(a, b, to, count, is_greatest, true, false); \
    } \
    target static void OF(name##_and_one_##level##_)(const void *a, const void *b, void *to, npy_intp count) { \
        OF(pairs)(a, b, to, count, is_greatest, false, true); \
    } \
    target static void OF(extreme##_##level##_)(void *into, const void *from, npy_intp count) { \
        OF(fold)(into, from, count, is_greatest); \
    }
#define WRAPPERS(level, target) \
    WRAPPERS_OF(level, target, maximum, greatest, true) \
    WRAPPERS_OF(level, target, minimum, least, false) \
    target static void OF(clip_##level##_)(const void *x, const void *low, const void *high, void *to, \
                                           npy_intp count) { \
        OF(clipped)(x, low, high, to, count, false); \
    } \
    target static void OF(clip_to_one_##level##_)(const void *x, const void *low, const void *high, void *to, \
                                                  npy_intp count) { \
        OF(clipped)(x, low, high, to, count, true); \
    }
EVERY_LEVEL(WRAPPERS)
#undef WRAPPERS_OF
#undef WRAPPERS

#define KERNELS(level, target) \
    {{OF(maximum_##level##_), OF(maximum_of_one_and_##level##_), OF(maximum_and_one_##level##_), \
      OF(greatest_##level##_), true}, \
     {OF(minimum_##level##_), OF(minimum_of_one_and_##level##_), OF(minimum_and_one_##level##_), OF(least_##level##_), \
      false}, \
     {OF(clip_##level##_), OF(clip_to_one_##level##_)}},
static const Kernels OF(kernels_)[] = {EVERY_LEVEL(KERNELS)};
#undef KERNELS

/* -- loops of ufuncs -- */

/* Return contiguous elements: those of an operand, or copies of them in `scratch`. */
static inline const UINT *OF(gather)(const char *from, npy_intp step, UINT *scratch, npy_intp count) {
    if (step == (npy_intp)sizeof(UINT)) return (const UINT *)from;
    npy_intp i = 0;
    if (step == 2 * (npy_intp)sizeof(UINT)) /* which compilers vectorise */
        for (; i < count; i++) scratch[i] = ((const UINT *)from)[2 * i];
    for (; i + 4 <= count; i += 4, from += 4 * step) {
        scratch[i] = *(const UINT *)from;
        scratch[i + 1] = *(const UINT *)(from + step);
        scratch[i + 2] = *(const UINT *)(from + 2 * step);
        scratch[i + 3] = *(const UINT *)(from + 3 * step);
    }
    for (; i < count; i++, from += step) scratch[i] = *(const UINT *)from;
    return scratch;
}
static inline void OF(scatter)(const UINT *scratch, char *to, npy_intp step, npy_intp count) {
    if ((const char *)scratch == to) return;
    for (npy_intp i = 0; i < count; i++) *(UINT *)(to + i * step) = scratch[i];
}

static void OF(run_two_)(char *const *args, const npy_intp *dimensions, const npy_intp *steps, const Two *kernels) {
    enum { SIZE = sizeof(UINT) };
    npy_intp count = dimensions[0], a_step = steps[0], b_step = steps[1], out_step = steps[2];
    char *a = args[0], *b = args[1], *out = args[2];
    UINT a_scratch[BLOCK], b_scratch[BLOCK], out_scratch[BLOCK];
    if (count <= 0) return;
    if (a == out && a_step == 0 && out_step == 0) { /* a reduction */
        if (b_step == SIZE) {
            kernels->fold(out, b, count);
            return;
        }
        for (npy_intp done = 0; done < count; done += BLOCK) {
            npy_intp now = count - done < BLOCK ? count - done : BLOCK;
            kernels->fold(out, OF(gather)(b + done * b_step, b_step, b_scratch, now), now);
        }
    } else if (a + a_step == out && a_step == out_step &&
               unordered(b, b_step, out, out_step, count, SIZE)) { /* a cumulation */
        UINT last = *(const UINT *)a;
        for (npy_intp i = 0; i < count; i++, b += b_step, out += out_step)
            *(UINT *)out = last = PICK(last, *(const UINT *)b, kernels->greatest);
    } else if (!unordered(a, a_step, out, out_step, count, SIZE) || !unordered(b, b_step, out, out_step, count, SIZE)) {
        for (npy_intp i = 0; i < count; i++, a += a_step, b += b_step, out += out_step)
            *(UINT *)out = PICK(*(const UINT *)a, *(const UINT *)b, kernels->greatest);
    } else if (out_step == SIZE && a_step == SIZE && b_step == SIZE) kernels->pairs(a, b, out, count);
    else if (out_step == SIZE && a_step == 0 && b_step == SIZE) kernels->one_and(a, b, out, count);
    else if (out_step == SIZE && a_step == SIZE && b_step == 0) kernels->and_one(a, b, out, count);
    else
        for (npy_intp done = 0; done < count; done += BLOCK) {
            npy_intp now = count - done < BLOCK ? count - done : BLOCK;
            char *to = out + done * out_step;
            UINT *found = out_step == SIZE ? (UINT *)to : out_scratch;
            kernels->pairs(OF(gather)(a + done * a_step, a_step, a_scratch, now),
                           OF(gather)(b + done * b_step, b_step, b_scratch, now), found, now);
            OF(scatter)(found, to, out_step, now);
        }
}

/* Combine elements that indices choose with values, one after the other; the fourth step is the number of elements.
 * NumPy has checked the indices; they are checked again, because another thread may write to them. */
static void OF(run_indexed_)(char *const *args, const npy_intp *dimensions, const npy_intp *steps, bool greatest) {
    const char *index = args[1], *value = args[2];
    for (npy_intp i = 0; i < dimensions[0]; i++, index += steps[1], value += steps[2]) {
        npy_intp place = *(const volatile npy_intp *)index;
        if (place < 0) place += steps[3];
        if (place < 0 || place >= steps[3]) continue;
        UINT *element = (UINT *)(args[0] + steps[0] * place);
        *element = OF(pick_quickly)(*element, *(const UINT *)value, INFINITE, greatest);
    }
}

#define LOOPS(name, greatest) \
    static void OF(name##_)(char **args, const npy_intp *dimensions, const npy_intp *steps, void *Py_UNUSED(data)) { \
        OF(run_two_)(args, dimensions, steps, &OF(kernels_)[loop_level].name); \
    } \
    static int OF(name##_method_)(PyArrayMethod_Context * Py_UNUSED(context), char *const *args, \
                                  const npy_intp *dimensions, const npy_intp *steps, NpyAuxData *Py_UNUSED(data)) { \
        OF(run_two_)(args, dimensions, steps, &OF(kernels_)[loop_level].name); \
        return 0; \
    } \
    static int OF(name##_indexed_)(PyArrayMethod_Context * Py_UNUSED(context), char *const *args, \
                                   const npy_intp *dimensions, const npy_intp *steps, NpyAuxData *Py_UNUSED(data)) { \
        OF(run_indexed_)(args, dimensions, steps, greatest); \
        return 0; \
    }
LOOPS(maximum, true)
LOOPS(minimum, false)
#undef LOOPS

static void OF(clip_)(char **args, const npy_intp *dimensions, const npy_intp *steps, void *Py_UNUSED(data)) {
    enum { SIZE = sizeof(UINT) };
    const Clip *kernels = &OF(kernels_)[loop_level].clip;
    npy_intp count = dimensions[0], out_step = steps[3];
    char *x = args[0], *low = args[1], *high = args[2], *out = args[3];
    UINT scratch[4][BLOCK];
    if (count <= 0) return;
    bool ordered = false;
    for (int i = 0; i < 3; i++) ordered = ordered || !unordered(args[i], steps[i], out, out_step, count, SIZE);
    if (ordered)
        for (npy_intp i = 0; i < count; i++, x += steps[0], low += steps[1], high += steps[2], out += out_step)
            *(UINT *)out = PICK(PICK(*(const UINT *)x, *(const UINT *)low, true), *(const UINT *)high, false);
    else if (steps[0] == SIZE && out_step == SIZE && steps[1] == 0 && steps[2] == 0)
        kernels->to_one(x, low, high, out, count);
    else
        for (npy_intp done = 0; done < count; done += BLOCK) {
            npy_intp now = count - done < BLOCK ? count - done : BLOCK;
            char *to = out + done * out_step;
            UINT *found = out_step == SIZE ? (UINT *)to : scratch[3];
            kernels->clip(OF(gather)(x + done * steps[0], steps[0], scratch[0], now),
                          OF(gather)(low + done * steps[1], steps[1], scratch[1], now),
                          OF(gather)(high + done * steps[2], steps[2], scratch[2], now), found, now);
            OF(scatter)(found, to, out_step, now);
        }
}

const Extremes OF(extremes_) = {
    NUMBER,
    {OF(maximum_), OF(minimum_), OF(clip_)},
    {OF(maximum_method_), OF(minimum_method_)},
    {OF(maximum_indexed_), OF(minimum_indexed_)},
};
