/* Reading by index arrays and masks, and writing by index arrays: elements or rows that are copied one by one.
 *
 * Indices and masks are read where they lie, and each of them once: another thread may write to them while the lock is
 * released, and must not lead the copy out of the buffers.
 */
#include "run.h"
#include "threads.h"

/* Elements that are copied as a whole; what is wider, or has no such size, is copied by bytes. */
typedef struct {
    uint64_t parts[2];
} Sixteen;

/* -- index arrays -- */

/* Copy rows of `chunk` bytes that lie `stride` bytes apart; false where an index is out of range. */
#define GATHER(index_type, copy) \
    for (npy_intp k = 0; k < count; k++) { \
        npy_intp i = (npy_intp)((const volatile index_type *)indices)[k]; \
        if (i < 0) i += length; \
        if (i < 0 || i >= length) return false; \
        const char *source = from + i * stride; \
        copy; \
    } \
    return true;
#define GATHER_BY(index_type) \
    switch (chunk) { /* of constant sizes, copies are single instructions */ \
    case 1: GATHER(index_type, to[k] = *source) \
    case 2: GATHER(index_type, memcpy(to + 2 * k, source, 2)) \
    case 4: GATHER(index_type, memcpy(to + 4 * k, source, 4)) \
    case 8: GATHER(index_type, memcpy(to + 8 * k, source, 8)) \
    case 16: GATHER(index_type, memcpy(to + 16 * k, source, 16)) \
    default: GATHER(index_type, memcpy(to + chunk * k, source, chunk)) \
    }

static bool gather_by_int64(char *to, const char *from, npy_intp stride, npy_intp length, npy_intp chunk,
                            const char *indices, npy_intp count) {
    GATHER_BY(int64_t)
}

static bool gather_by_int32(char *to, const char *from, npy_intp stride, npy_intp length, npy_intp chunk,
                            const char *indices, npy_intp count) {
    GATHER_BY(int32_t)
}

/* A gather that threads share; each says for itself whether its indices were good. */
typedef struct {
    char *to;
    const char *from, *indices;
    npy_intp stride, length, chunk;
    bool wide, bad[MOST_THREADS];
} Gathering;

static void gather_part(void *context, int thread, npy_intp first, npy_intp last) {
    Gathering *all = context;
    if (!(all->wide ? gather_by_int64 : gather_by_int32)(all->to + first * all->chunk, all->from, all->stride,
                                                         all->length, all->chunk,
                                                         all->indices + first * (all->wide ? 8 : 4), last - first))
        all->bad[thread] = true;
}

static bool gather(Gathering *all, npy_intp count) {
    share_work(gather_part, all, count, all->chunk < 16 ? 1 : all->chunk / 16);
    return memchr(all->bad, true, sizeof all->bad) == NULL;
}

/* Read the rows of the first axis that an index array says; NULL without an exception where it is not plain or out of
 * range. */
static PyObject *by_indices(const Operand *x, const Operand *key) {
    PyArrayObject *data = x->data, *indices = key->data;
    int index_axes = PyArray_NDIM(indices), axes = PyArray_NDIM(data), ndim = index_axes + axes - 1;
    if (axes == 0 || ndim > NPY_MAXDIMS || !PyArray_IS_C_CONTIGUOUS(indices)) return NULL;
    if (axes > 1 && !PyArray_IS_C_CONTIGUOUS(data)) return NULL;
    npy_intp shape[NPY_MAXDIMS], count = PyArray_SIZE(indices), length = PyArray_DIM(data, 0),
                                 chunk = PyArray_ITEMSIZE(data);
    for (int i = 0; i < index_axes; i++) shape[i] = PyArray_DIM(indices, i);
    for (int i = 1; i < axes; i++) {
        shape[index_axes + i - 1] = PyArray_DIM(data, i);
        chunk = size_product(chunk, PyArray_DIM(data, i));
    }
    if (bytes_of_shape(ndim, shape, PyArray_ITEMSIZE(data)) == TOO_LARGE) return NULL;
    PyArrayObject *out = new_data(x->node, ndim, shape, false);
    if (out == NULL) return NULL;
    char *to = PyArray_BYTES(out);
    const char *from = PyArray_BYTES(data), *places = PyArray_BYTES(indices);
    npy_intp stride = axes > 1 ? chunk : PyArray_STRIDE(data, 0);
    bool good, wide = key->node->type == E_INT64, shared = PyArray_SIZE(out) >= SHARED;
    NPY_BEGIN_THREADS_DEF;
    NPY_BEGIN_THREADS_THRESHOLDED(count);
    if (shared) good = gather(&(Gathering){to, from, places, stride, length, chunk, wide, {false}}, count);
    else good = (wide ? gather_by_int64 : gather_by_int32)(to, from, stride, length, chunk, places, count);
    NPY_END_THREADS;
    if (good) return wrap(out, x->node);
    Py_DECREF(out);
    return NULL;
}

/* Whether all indices are in range: no sum or difference with the length has a sign. (Of int32, those of long axes may
 * have; that is rare.) */
#define ALL_IN_RANGE(type) \
    static bool all_in_range_##type(const char *indices, npy_intp count, npy_intp length) { \
        const u##type *given = (const u##type *)indices, end = (u##type)length; \
        u##type signs = 0; \
        for (npy_intp k = 0; k < count; k++) signs |= (u##type)(end + given[k]) | (u##type)(end - 1 - given[k]); \
        return (length >> (8 * sizeof(type) - 1)) == 0 && !(signs >> (8 * sizeof(type) - 1)); \
    }
ALL_IN_RANGE(int64_t)
ALL_IN_RANGE(int32_t)

/* Copy rows of `chunk` bytes, or (`step` 0) one again and again, to rows that lie `stride` bytes apart. Indices that
 * another thread changed after they were found in range are left out. */
#define SCATTER(index_type, size) \
    for (npy_intp k = 0; k < count; k++, from += step) { \
        npy_intp i = (npy_intp)((const volatile index_type *)indices)[k]; \
        i += i < 0 ? length : 0; \
        if ((size_t)i < (size_t)length) memcpy(to + i * stride, from, size); \
    } \
    return;
#define SCATTER_BY(index_type) \
    static void scatter_by_##index_type(char *to, npy_intp stride, npy_intp length, npy_intp chunk, const char *from, \
                                        npy_intp step, const char *indices, npy_intp count) { \
        switch (chunk) { \
        case 1: SCATTER(index_type, 1) \
        case 2: SCATTER(index_type, 2) \
        case 4: SCATTER(index_type, 4) \
        case 8: SCATTER(index_type, 8) \
        case 16: SCATTER(index_type, 16) \
        default: SCATTER(index_type, chunk) \
        } \
    }
SCATTER_BY(int64_t)
SCATTER_BY(int32_t)

/* Whether contiguous elements, or those of a vector, may share memory with others that are contiguous. */
static bool overlaps(PyArrayObject *a, PyArrayObject *b) {
    npy_intp span =
        PyArray_NDIM(a) == 1 ? PyArray_STRIDE(a, 0) * (PyArray_DIM(a, 0) - 1) : PyArray_NBYTES(a) - PyArray_ITEMSIZE(a);
    uintptr_t first = (uintptr_t)PyArray_BYTES(a), second = (uintptr_t)PyArray_BYTES(b), last = first + span;
    if (span < 0) {
        last = first;
        first += span;
    }
    return first < second + PyArray_NBYTES(b) && second < last + PyArray_ITEMSIZE(a);
}

bool write_by_indices(PyArrayObject *data, const Operand *key, PyArrayObject *source) {
    PyArrayObject *indices = key->data;
    int index_axes = PyArray_NDIM(indices), axes = PyArray_NDIM(data);
    bool wide = key->node->type == E_INT64, one = PyArray_NDIM(source) == 0 && axes == 1;
    if (axes == 0 || PyArray_SIZE(data) == 0 || (!wide && key->node->type != E_INT32) || !aligned_native(key) ||
        !PyArray_IS_C_CONTIGUOUS(indices))
        return false;
    if ((axes > 1 && !PyArray_IS_C_CONTIGUOUS(data)) || !PyArray_IS_C_CONTIGUOUS(source)) return false;
    if (!one && (PyArray_NDIM(source) != index_axes + axes - 1 ||
                 !PyArray_CompareLists(PyArray_DIMS(source), PyArray_DIMS(indices), index_axes) ||
                 !PyArray_CompareLists(PyArray_DIMS(source) + index_axes, PyArray_DIMS(data) + 1, axes - 1)))
        return false;
    if (overlaps(data, source) || overlaps(data, indices)) return false; /* where NumPy copies first */
    npy_intp count = PyArray_SIZE(indices), length = PyArray_DIM(data, 0),
             chunk = axes == 1 ? PyArray_ITEMSIZE(data) : PyArray_NBYTES(data) / length;
    npy_intp stride = axes == 1 ? PyArray_STRIDE(data, 0) : chunk, step = one ? 0 : chunk;
    const char *places = PyArray_BYTES(indices), *from = PyArray_BYTES(source);
    char *to = PyArray_BYTES(data);
    bool good;
    NPY_BEGIN_THREADS_DEF;
    NPY_BEGIN_THREADS_THRESHOLDED(count);
    good = (wide ? all_in_range_int64_t : all_in_range_int32_t)(places, count, length);
    if (good) (wide ? scatter_by_int64_t : scatter_by_int32_t)(to, stride, length, chunk, from, step, places, count);
    NPY_END_THREADS;
    return good;
}

/* -- masks -- */

/* Masks are looked at eight truth values at a time, for many are the same over long runs. */
enum { AT_ONCE = 8 };
static const uint64_t ALL_TRUE = 0x0101010101010101u;

/* Copy the elements where the mask holds, at most `kept`. Where a mask changes its mind, without branches on it:
 * elements that go are overwritten by the next. */
#define COMPRESS(type) \
    { \
        type *out = (type *)to; \
        npy_intp i = 0; \
        for (; i + AT_ONCE <= count; i += AT_ONCE, from += AT_ONCE * stride) { \
            uint64_t word; \
            memcpy(&word, mask + i, sizeof word); \
            if (word == 0) continue; \
            if (done + AT_ONCE > kept) { \
                for (int k = 0; k < AT_ONCE && done < kept; k++) \
                    if (mask[i + k]) memcpy(&out[done++], from + k * stride, sizeof(type)); \
            } else if (word == ALL_TRUE && stride == sizeof(type)) { \
                memcpy(&out[done], from, AT_ONCE * sizeof(type)); \
                done += AT_ONCE; \
            } else \
                for (int k = 0; k < AT_ONCE; k++) { \
                    memcpy(&out[done], from + k * stride, sizeof(type)); \
                    done += mask[i + k] != 0; \
                } \
        } \
        for (; i < count && done < kept; i++, from += stride) \
            if (mask[i]) memcpy(&out[done++], from, sizeof(type)); \
        return done; \
    }

static npy_intp compress(char *to, npy_intp kept, const char *from, npy_intp stride, npy_intp itemsize,
                         const char *mask, npy_intp count) {
    npy_intp done = 0;
    switch (itemsize) {
    case 1: COMPRESS(uint8_t)
    case 2: COMPRESS(uint16_t)
    case 4: COMPRESS(uint32_t)
    case 8: COMPRESS(uint64_t)
    default: COMPRESS(Sixteen)
    }
}

static npy_intp count_true(const char *mask, npy_intp count) {
    npy_intp kept = 0, i = 0;
    for (; i + AT_ONCE <= count; i += AT_ONCE) {
        uint64_t word;
        memcpy(&word, mask + i, sizeof word);
        if ((word & ~ALL_TRUE) == 0) kept += (npy_intp)((word * ALL_TRUE) >> 56); /* the sum of the bytes */
        else
            for (int k = 0; k < AT_ONCE; k++) kept += mask[i + k] != 0;
    }
    for (; i < count; i++) kept += mask[i] != 0;
    return kept;
}

/* Read the elements that a mask of the same shape keeps, in C order; NULL without an exception where it is not plain.
 */
static PyObject *by_mask(const Operand *x, const Operand *key) {
    PyArrayObject *data = x->data, *mask = key->data;
    npy_intp count = PyArray_SIZE(mask), itemsize = PyArray_ITEMSIZE(data), kept, done = 0;
    if (!PyArray_SAMESHAPE(data, mask) || !PyArray_IS_C_CONTIGUOUS(mask)) return NULL;
    if (PyArray_NDIM(data) > 1 && !PyArray_IS_C_CONTIGUOUS(data)) return NULL;
    if (itemsize > 16 || (itemsize & (itemsize - 1)) != 0) return NULL;
    npy_intp stride = PyArray_NDIM(data) > 1 ? itemsize : PyArray_STRIDE(data, 0);
    const char *from = PyArray_BYTES(data), *truths = PyArray_BYTES(mask);
    UNLOCKED_DO(count, kept = count_true(truths, count));
    PyArrayObject *out = new_data(x->node, 1, &kept, false);
    if (out == NULL) return NULL;
    char *to = PyArray_BYTES(out);
    UNLOCKED_DO(count, done = compress(to, kept, from, stride, itemsize, truths, count));
    if (done < kept) memset(to + done * itemsize, 0, (kept - done) * itemsize); /* another thread wrote to the mask */
    return wrap(out, x->node);
}

PyObject *read_by_array(const Operand *x, const Operand *key) {
    Type type = key->node->type;
    if (!is_of(x->data, x->node) || !aligned_native(key) || (type != E_BOOL && type != E_INT32 && type != E_INT64))
        return NULL;
    return (type == E_BOOL ? by_mask : by_indices)(x, key);
}
