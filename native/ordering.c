/* Fast paths of sort and argsort of short rows, and of argmax and argmin of narrow floats, which are all of the last
 * axis of a contiguous buffer.
 *
 * NumPy's own calls take longer to begin than a few elements take to sort. Elements are ordered by 64-bit integers,
 * their keys: NaN last, and zeros of both signs equal. Elements with equal keys keep their order and all their bits.
 */
#include "args.h"
#include "loops/loops.h"
#include "paths.h"
#include "threads.h"

/* Elements of a row up to which insertion is fast, and from which order.py finds indices by digits, and counts
 * integers. */
enum { FEW = 32, DIGITS = 1 << 12, COUNTED = 1 << 16 };

/* -- arguments -- */

/* Rows of elements of one type: a whole buffer, or its last axis. Until the loop nothing runs Python. */
typedef struct {
    const Array *x; /* borrowed */
    Type type;
    bool flat;
    npy_intp size, count, length;
    const Node *integer; /* the default one */
} Rows;

/* Read (a, axis): the axis is the last one, or None for the flattened buffer; false where they are not plain. */
static bool read_rows(const Arguments *arguments, PyObject *axis, Rows *rows) {
    PyObject *found[2], *const parameters[] = {names.a, names.axis};
    const State *state = current_state();
    if (state == NULL || !state->remember || !arguments_by_name(arguments, parameters, 2, 2, found)) return false;
    if (found[0] == NULL || !IS_ARRAY(found[0])) return false;
    const Array *x = (Array *)found[0];
    int ndim = PyArray_NDIM(x->data);
    npy_intp place = -1;
    if (x->node->weak || !aligned_native(x) || !PyArray_IS_C_CONTIGUOUS(x->data)) return false;
    if (found[1] != NULL) axis = found[1];
    rows->flat = axis == Py_None;
    if (!rows->flat && axis != NULL && (!read_length(axis, &place) || (place != -1 && place != ndim - 1))) return false;
    if ((ndim == 0 && !rows->flat) || PyArray_SIZE(x->data) == 0) return false;
    rows->x = x;
    rows->integer = state->defaults[S_INT];
    rows->type = x->node->type;
    rows->size = PyArray_ITEMSIZE(x->data);
    rows->length = rows->flat ? PyArray_SIZE(x->data) : PyArray_DIM(x->data, ndim - 1);
    rows->count = PyArray_SIZE(x->data) / rows->length;
    return true;
}

/* Return the node of indices, int32 or int64; NULL without an exception where there is none. */
static const Node *index_node(const Rows *rows) {
    const Node *node = rows->integer;
    if (node == NULL || node->weak || rows->length > INT32_MAX) return NULL;
    return node->type == E_INT32 || node->type == E_INT64 ? node : NULL;
}

static void write_index(Type type, char *to, npy_intp place, npy_intp index) {
    if (type == E_INT32) ((int32_t *)to)[place] = (int32_t)index;
    else ((int64_t *)to)[place] = index;
}

/* Make the result of some rows: without the last axis, or as many elements in each. */
static PyArrayObject *new_result(const Rows *rows, const Node *node, bool keeps) {
    npy_intp length = rows->length;
    if (rows->flat) return new_data(node, keeps, &length, false);
    return new_data(node, PyArray_NDIM(rows->x->data) - !keeps, PyArray_DIMS(rows->x->data), false);
}

/* -- sorting -- */

/* Write the keys of a short row; false where the order of a type is not known. */
static bool write_keys(Type type, const char *from, npy_intp count, int64_t *keys) {
    switch (type) {
#define INTEGERS(TYPE, type, flip) \
    case TYPE: \
        for (npy_intp i = 0; i < count; i++) keys[i] = (int64_t)((const type *)from)[i] ^ flip; \
        return true;
        INTEGERS(E_BOOL, uint8_t, 0)
        INTEGERS(E_INT8, int8_t, 0)
        INTEGERS(E_INT16, int16_t, 0)
        INTEGERS(E_INT32, int32_t, 0)
        INTEGERS(E_INT64, int64_t, 0)
        INTEGERS(E_UINT8, uint8_t, 0)
        INTEGERS(E_UINT16, uint16_t, 0)
        INTEGERS(E_UINT32, uint32_t, 0)
        INTEGERS(E_UINT64, uint64_t, INT64_MIN)
#define FLOATS(TYPE, type, integer, \
               least) /* the bits of a negative number, which has the sign, in the order of numbers */ \
    case TYPE: \
        for (npy_intp i = 0; i < count; i++) { \
            type x = ((const type *)from)[i]; \
            integer bits; \
            memcpy(&bits, &x, sizeof bits); \
            keys[i] = x != x ? INT64_MAX : bits >= 0 ? bits : (int64_t)least - bits; \
        } \
        return true;
        FLOATS(E_FLOAT32, float, int32_t, INT32_MIN)
        FLOATS(E_FLOAT64, double, int64_t, INT64_MIN)
    default: return narrow_keys(type, from, count, keys);
    }
}

/* Write the stable order of keys, which are sorted too. */
static void insert_keys(int64_t *keys, uint8_t *order, npy_intp count) {
    for (npy_intp i = 0; i < count; i++) {
        int64_t key = keys[i];
        npy_intp place = i;
        for (; place > 0 && keys[place - 1] > key; place--) {
            keys[place] = keys[place - 1];
            order[place] = order[place - 1];
        }
        keys[place] = key;
        order[place] = (uint8_t)i;
    }
}

/* Copy the elements of a row in an order. */
static void copy_elements(npy_intp size, const char *from, char *to, const uint8_t *order, npy_intp count) {
    switch (size) {
#define COPY(bytes, type) \
    case bytes: \
        for (npy_intp i = 0; i < count; i++) ((type *)to)[i] = ((const type *)from)[order[i]]; \
        return;
        COPY(1, uint8_t)
        COPY(2, uint16_t)
        COPY(4, uint32_t)
        COPY(8, uint64_t)
    }
}

/* -- longer rows, by NumPy's sorts -- */

/* Rows that threads share. */
typedef struct {
    const Rows *rows;
    PyArray_SortFunc *sort;
    PyArrayObject *like; /* an array of the type that is sorted */
    const char *from;
    char *to;
    Type integer;
    uint64_t *scratch; /* of each thread for a row; then indices are wanted */
    bool *mixed;       /* of each thread, whether it found zeros of both signs */
} Longer;

/* Whether there are zeros of both signs, whose order NumPy's sorts do not keep, nor their signs; `sorted` says how many
 * zeros there are. */
#define BOTH_ZEROS(type, integer) \
    static bool both_zeros_##type(const char *from, const type *sorted, npy_intp count) { \
        npy_intp low = 0, high = count; \
        while (low < high) { \
            npy_intp middle = low + (high - low) / 2; \
            if (sorted[middle] < 0) low = middle + 1; \
            else high = middle; \
        } \
        if (low + 1 >= count || sorted[low + 1] != 0) return false; \
        bool negative = false, positive = false; \
        for (npy_intp i = 0; i < count; i++) { \
            integer bits; \
            memcpy(&bits, from + i * sizeof bits, sizeof bits); \
            negative |= bits == (integer)1 << (8 * sizeof bits - 1); \
            positive |= bits == 0; \
        } \
        return negative && positive; \
    }
BOTH_ZEROS(float, uint32_t)
BOTH_ZEROS(double, uint64_t)

static void sort_part(void *context, int thread, npy_intp first, npy_intp last) {
    const Longer *all = context;
    npy_intp bytes = all->rows->length * all->rows->size;
    for (npy_intp row = first; row < last; row++) {
        char *to = all->to + row * bytes;
        const char *from = all->from + row * bytes;
        memcpy(to, from, bytes);
        all->sort(to, all->rows->length, all->like);
        if ((all->rows->type == E_FLOAT32 && both_zeros_float(from, (const float *)to, all->rows->length)) ||
            (all->rows->type == E_FLOAT64 && both_zeros_double(from, (const double *)to, all->rows->length)))
            all->mixed[thread] = true;
    }
}

/* Sort pairs of a key of 32 bits and a place. */
static void argsort_part(void *context, int thread, npy_intp first, npy_intp last) {
    enum { SOME = 256 };
    const Longer *all = context;
    npy_intp length = all->rows->length, size = all->rows->size;
    uint64_t *pairs = all->scratch + thread * length;
    int64_t keys[SOME];
    for (npy_intp row = first; row < last; row++) {
        for (npy_intp done = 0, now; done < length; done += now) {
            now = length - done < SOME ? length - done : SOME;
            write_keys(all->rows->type, all->from + (row * length + done) * size, now, keys);
            for (npy_intp i = 0; i < now; i++) {
                uint64_t key = keys[i] == INT64_MAX ? UINT32_MAX : (uint64_t)(keys[i] - INT32_MIN);
                pairs[done + i] = (all->rows->type == E_UINT32 ? (uint64_t)keys[i] : key) << 32 | (uint64_t)(done + i);
            }
        }
        all->sort(pairs, length, all->like);
        if (all->integer == E_INT32)
            for (npy_intp i = 0; i < length; i++) ((int32_t *)all->to)[row * length + i] = (int32_t)(uint32_t)pairs[i];
        else
            for (npy_intp i = 0; i < length; i++) ((int64_t *)all->to)[row * length + i] = (int64_t)(uint32_t)pairs[i];
    }
}

/* Sort rows of numbers of 32 bits, or (not their indices) of 64; NULL without an exception for others. */
static PyObject *sort_longer(const Rows *rows, bool indices) {
    Type type = rows->type;
    const Node *node = indices ? index_node(rows) : rows->x->node, *pair = node_of_type(E_UINT64);
    bool known = type == E_INT32 || type == E_UINT32 || type == E_FLOAT32;
    bool wide = !indices && (type == E_INT64 || type == E_UINT64 || type == E_FLOAT64);
    if (!(known || wide) || node == NULL || pair == NULL) return NULL;
    if (indices ? rows->length >= DIGITS : type != E_FLOAT32 && type != E_FLOAT64 && rows->length >= COUNTED)
        return NULL;
    bool mixed[MOST_THREADS];
    int threads = threads_for(rows->count, rows->length);
    PyArrayObject *out = new_result(rows, node, true), *like = NULL;
    if (out == NULL) return NULL;
    Operand x = operand_of((PyObject *)rows->x);
    Longer all = {rows, NULL, NULL, PyArray_BYTES(x.data), PyArray_BYTES(out), node->type, NULL, mixed};
    if (indices) {
        all.scratch = PyMem_RawMalloc((size_t)size_product(size_product(rows->length, threads), sizeof(uint64_t)));
        like = all.scratch == NULL ? NULL : new_data(pair, 0, NULL, false);
    } else like = (PyArrayObject *)Py_NewRef((PyObject *)out);
    bool good = false;
    memset(mixed, 0, threads * sizeof *mixed);
    all.like = like;
    all.sort = like == NULL ? NULL : sort_of(like);
    if (all.sort != NULL) {
        npy_intp size = PyArray_SIZE(out);
        UNLOCKED_DO(size, share_among(threads, indices ? argsort_part : sort_part, &all, rows->count, rows->length));
        good = memchr(mixed, true, threads * sizeof *mixed) == NULL; /* else the Python definition keeps their order */
    } else if (like == NULL && !PyErr_Occurred()) PyErr_NoMemory();
    PyMem_RawFree(all.scratch);
    Py_XDECREF(like);
    Py_DECREF(x.data);
    if (good) return wrap(out, node);
    Py_DECREF(out);
    return NULL;
}

static PyObject *sort_rows(const Arguments *arguments, bool indices) {
    Rows rows;
    int64_t keys[FEW];
    uint8_t order[FEW];
    if (!read_rows(arguments, NULL, &rows) || rows.type == E_COMPLEX64 || rows.type == E_COMPLEX128) return NULL;
    if (rows.length > FEW) return sort_longer(&rows, indices);
    const Node *node = indices ? index_node(&rows) : rows.x->node;
    const char *from = PyArray_BYTES(rows.x->data);
    if (node == NULL || !write_keys(rows.type, from, 1, keys)) return NULL;
    PyArrayObject *out = new_result(&rows, node, true);
    if (out == NULL) return NULL;
    Operand x = operand_of((PyObject *)rows.x);
    char *to = PyArray_BYTES(out);
    npy_intp step = rows.length * rows.size, out_step = rows.length * PyArray_ITEMSIZE(out);
    NPY_BEGIN_THREADS_DEF;
    NPY_BEGIN_THREADS_THRESHOLDED(PyArray_SIZE(out));
    for (npy_intp row = 0; row < rows.count; row++, from += step, to += out_step) {
        write_keys(rows.type, from, rows.length, keys);
        insert_keys(keys, order, rows.length);
        if (indices)
            for (npy_intp i = 0; i < rows.length; i++) write_index(node->type, to, i, order[i]);
        else copy_elements(rows.size, from, to, order, rows.length);
    }
    NPY_END_THREADS;
    Py_DECREF(x.data);
    return wrap(out, node);
}

FAST_PATH(sort, sort_rows(arguments, false))
FAST_PATH(argsort, sort_rows(arguments, true))

/* -- the place of an extreme -- */

static PyObject *place_of_rows(const Arguments *arguments, bool greatest) {
    Rows rows;
    if (!read_rows(arguments, Py_None, &rows) || is_native(rows.type)) return NULL;
    const Node *node = index_node(&rows);
    const char *from = PyArray_BYTES(rows.x->data);
    if (node == NULL || place_of_extreme(rows.type, from, 1, greatest) < 0) return NULL;
    PyArrayObject *out = new_result(&rows, node, false);
    if (out == NULL) return NULL;
    Operand x = operand_of((PyObject *)rows.x);
    char *to = PyArray_BYTES(out);
    UNLOCKED_DO(rows.count * rows.length,
                for (npy_intp row = 0; row < rows.count; row++, from += rows.length * rows.size)
                    write_index(node->type, to, row, place_of_extreme(rows.type, from, rows.length, greatest)));
    Py_DECREF(x.data);
    return wrap(out, node);
}

FAST_PATH(argmax, place_of_rows(arguments, true))
FAST_PATH(argmin, place_of_rows(arguments, false))

const NamedPath ordering_paths[] = {
    {"sort", quick_sort, false},
    {"argsort", quick_argsort, false},
    {"argmax", quick_argmax, false},
    {"argmin", quick_argmin, false},
    {NULL, NULL, false},
};
