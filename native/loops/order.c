/* Sorting of elements of 8 and 16 bits in time that grows with their number: values by counting, stable orders by
 * digits of a byte.
 *
 * The order of 8-bit elements is a table of the rank of each code. That of 16-bit ones is computed: integers as they
 * are, floats by sign and magnitude, zeros of both signs equal, NaN last and all equal. Elements move with all their
 * bits.
 */
#include "../memory.h"
#include "../threads.h"
#include "loops.h"

enum { FEW = 24 }; /* elements of a row up to which insertion is faster than counting */
enum { UNSIGNED = -1, SIGNED = -2 };

/* How the codes of elements are ordered. */
typedef struct {
    int size;             /* bytes of an element */
    const uint8_t *ranks; /* of the 256 codes of one byte */
    int infinity;         /* of two bytes: the code of infinity of floats, or UNSIGNED or SIGNED */
    uint16_t reversed;    /* all bits, where the greatest comes first */
} Order;

static ALWAYS_INLINE uint16_t key_of(const void *codes, npy_intp i, const Order *order, int size, bool floats) {
    if (size == 1) return (uint8_t)(order->ranks[((const uint8_t *)codes)[i]] ^ order->reversed);
    uint16_t x = ((const uint16_t *)codes)[i];
    if (!floats) return (uint16_t)(x ^ (order->infinity == SIGNED ? 0x8000 : 0) ^ order->reversed);
    uint16_t value = (uint16_t)(x == 0x8000 ? 0 : x), sign = (uint16_t)(0 - (value >> 15));
    uint16_t key = (uint16_t)(value ^ (sign | 0x8000));
    return (uint16_t)(((x & 0x7FFF) > order->infinity ? 0xFFFF : key) ^ order->reversed);
}

/* Make counts the first place of each digit. */
static inline void to_places(npy_intp *counts) {
    npy_intp place = 0;
    for (int digit = 0; digit < 256; digit++) {
        npy_intp count = counts[digit];
        counts[digit] = place;
        place += count;
    }
}

/* Write the keys of a row, which is read once: another thread may write to it, and what is counted must be what is
 * placed. */
static ALWAYS_INLINE void write_keys(const void *codes, npy_intp length, const Order *order, int size, bool floats,
                                     void *keys) {
    for (npy_intp i = 0; i < length; i++) {
        uint16_t key = key_of(codes, i, order, size, floats);
        if (size == 1) ((uint8_t *)keys)[i] = (uint8_t)key;
        else ((uint16_t *)keys)[i] = key;
    }
}
static ALWAYS_INLINE uint16_t key_at(const void *keys, npy_intp i, int size) {
    return size == 1 ? ((const uint8_t *)keys)[i] : ((const uint16_t *)keys)[i];
}

/* Count the digits of keys: low bytes, and high ones of two bytes. */
static ALWAYS_INLINE void count_digits(const void *keys, npy_intp length, int size, npy_intp (*places)[256]) {
    memset(places, 0, (size_t)size * sizeof *places);
    for (npy_intp i = 0; i < length; i++) {
        uint16_t key = key_at(keys, i, size);
        places[0][key & 255]++;
        if (size == 2) places[1][key >> 8]++;
    }
    for (int digit = 0; digit < size; digit++) to_places(places[digit]);
}

/* Return the code of a key of two bytes that only one code has. */
static ALWAYS_INLINE uint16_t code_of(uint16_t key, const Order *order, bool floats) {
    if (!floats) return (uint16_t)(key ^ (order->infinity == SIGNED ? 0x8000 : 0));
    return (uint16_t)(key & 0x8000 ? key ^ 0x8000 : ~key);
}

static ALWAYS_INLINE void copy_code(void *to, npy_intp place, const void *from, npy_intp i, int size) {
    if (size == 1) ((uint8_t *)to)[place] = ((const uint8_t *)from)[i];
    else ((uint16_t *)to)[place] = ((const uint16_t *)from)[i];
}

/* Sort a row by how often each key is in it. The codes of keys that several codes have, those of zeros and NaN, keep
 * their order: they are read again, and where another thread wrote to them, there may be fewer than were counted. */
static ALWAYS_INLINE void sort_row(const void *from, void *to, uint64_t *counts, npy_intp length, const Order *order,
                                   int size, bool floats) {
    uint16_t codes[256];
    bool several[256] = {false}, seen[256] = {false};
    npy_intp place = 0, keys = (npy_intp)1 << 8 * size;
    for (int code = 0; size == 1 && code < 256; code++) {
        uint8_t rank = order->ranks[code];
        several[rank] = seen[rank];
        seen[rank] = true;
        codes[rank] = (uint16_t)code;
    }
    memset(counts, 0, (size_t)keys * sizeof *counts);
    for (npy_intp i = 0; i < length; i++) counts[key_of(from, i, order, size, floats)]++;
    for (npy_intp key = 0; key < keys; key++) {
        npy_intp end = place + (npy_intp)counts[key];
        if (place == end) continue;
        if (size == 1) memset((uint8_t *)to + place, codes[key], (size_t)(end - place));
        else {
            uint16_t code = code_of((uint16_t)key, order, floats);
            for (npy_intp i = place; i < end; i++) ((uint16_t *)to)[i] = code;
        }
        if (size == 1 ? several[key] : floats && (key == 0x8000 || key == 0xFFFF))
            for (npy_intp i = 0; i < length && place < end;
                 i++) { /* without a branch that would have to be predicted */
                copy_code(to, place, from, i, size);
                place += key_of(from, i, order, size, floats) == key;
            }
        place = end;
    }
}

/* Write the stable order of a row to `to`. `scratch` is for keys; before those of two bytes are pairs of a
 * high digit and a place, which have DIGIT bits left for the place. */
#define ARGSORT(name, POSITION, PAIR, DIGIT) \
    static ALWAYS_INLINE void name(const void *from, POSITION *to, PAIR *scratch, npy_intp length, const Order *order, \
                                   int size, bool floats) { \
        npy_intp places[2][256]; \
        void *keys = size == 1 ? scratch : scratch + length; \
        write_keys(from, length, order, size, floats, keys); \
        if (length <= FEW) { \
            for (npy_intp i = 0; i < length; i++) { \
                uint16_t key = key_at(keys, i, size); \
                npy_intp place = i; \
                for (; place > 0 && key_at(keys, (npy_intp)to[place - 1], size) > key; place--) \
                    to[place] = to[place - 1]; \
                to[place] = (POSITION)i; \
            } \
            return; \
        } \
        count_digits(keys, length, size, places); \
        if (size == 1) { \
            for (npy_intp i = 0; i < length; i++) to[places[0][key_at(keys, i, size)]++] = (POSITION)i; \
            return; \
        } \
        for (npy_intp i = 0; i < length; i++) { \
            uint16_t key = key_at(keys, i, size); \
            scratch[places[0][key & 255]++] = (PAIR)(((PAIR)(key >> 8) << DIGIT) | (PAIR)i); \
        } \
        for (npy_intp i = 0; i < length; i++) \
            to[places[1][scratch[i] >> DIGIT]++] = (POSITION)(scratch[i] & (((PAIR)1 << DIGIT) - 1)); \
    }
ARGSORT(argsort_row, int32_t, uint32_t, 24)
ARGSORT(argsort_long_row, int64_t, uint64_t, 56)
#undef ARGSORT

enum { LONG = 1 << 24 }; /* elements of a row from which its places need more than three bytes */

/* Call a function of a row with what it is compiled for; of the order with a copy, which no element can be part of. */
#define BY_ORDER(function, ...) \
    do { \
        const Order own = *order; \
        if (own.size == 1) function(__VA_ARGS__, &own, 1, false); \
        else if (own.infinity < 0) function(__VA_ARGS__, &own, 2, false); \
        else function(__VA_ARGS__, &own, 2, true); \
    } while (0)

static void sort_rows(const char *from, char *to, char *scratch, npy_intp rows, npy_intp length, const Order *order) {
    for (npy_intp row = 0; row < rows; row++, from += length * order->size, to += length * order->size)
        BY_ORDER(sort_row, from, to, (uint64_t *)scratch, length);
}

static void argsort_rows(const char *from, char *to, char *scratch, npy_intp rows, npy_intp length,
                         const Order *order) {
    for (npy_intp row = 0; row < rows; row++, from += length * order->size)
        if (length < LONG) BY_ORDER(argsort_row, from, (int32_t *)to + row * length, (uint32_t *)scratch, length);
        else BY_ORDER(argsort_long_row, from, (int64_t *)to + row * length, (uint64_t *)scratch, length);
}

static ALWAYS_INLINE void tally_row(const char *from, npy_intp *first, npy_intp *counts, npy_intp length,
                                    const Order *order, int size, bool floats) {
    for (npy_intp i = 0; i < length; i++) {
        uint16_t key = key_of(from, i, order, size, floats);
        if (counts[key]++ == 0) first[key] = i;
    }
}

/* -- functions of the module -- */

/* Read an order, from which ranks are borrowed: NULL with an exception. May run Python. */
static bool read_order(PyObject *given, Order *order) {
    *order = (Order){.size = 2};
    if (!PyBytes_Check(given)) {
        long infinity = PyLong_AsLong(given);
        order->infinity = (int)infinity;
        return infinity != -1 || !PyErr_Occurred();
    }
    *order = (Order){.size = 1, .ranks = (const uint8_t *)PyBytes_AS_STRING(given)};
    if (PyBytes_GET_SIZE(given) == 256) return true;
    PyErr_SetString(PyExc_TypeError, "the order of 8-bit elements must be 256 bytes");
    return false;
}

/* Read the arguments of a function: a C-contiguous buffer of one or two bytes an element, its order, and perhaps
 * whether it is reversed; NULL with an exception. The buffer is looked at last: nothing runs Python afterwards. */
static PyArrayObject *read_arguments(PyObject *const *arguments, Py_ssize_t count, Py_ssize_t wanted, Order *order) {
    if (count == wanted && PyArray_Check(arguments[0])) {
        PyArrayObject *data = (PyArrayObject *)arguments[0];
        if (!read_order(arguments[1], order)) return NULL;
        int descending = wanted > 2 ? PyObject_IsTrue(arguments[2]) : 0;
        if (descending < 0) return NULL;
        order->reversed = descending ? 0xFFFF : 0;
        if (PyArray_IS_C_CONTIGUOUS(data) && PyArray_NDIM(data) > 0 && PyArray_ITEMSIZE(data) == order->size &&
            PyArray_ISALIGNED(data))
            return data;
    }
    PyErr_SetString(PyExc_TypeError,
                    "expected a C-contiguous ndarray with axes, of elements of 8 or 16 bits, and its order");
    return NULL;
}

typedef void Rows(const char *from, char *to, char *scratch, npy_intp rows, npy_intp length, const Order *order);

/* Rows that threads share; each has memory of its own. */
typedef struct {
    Rows *function;
    const char *from;
    char *to, *scratch;
    npy_intp length, scratch_size, to_size;
    const Order *order;
} Sharing;

static void rows_part(void *context, int thread, npy_intp first, npy_intp last) {
    const Sharing *all = context;
    npy_intp begin = first * all->length;
    all->function(all->from + begin * all->order->size, all->to + begin * all->to_size,
                  all->scratch + thread * all->scratch_size, last - first, all->length, all->order);
}

/* Apply a function to all rows; takes over `out`, which may be NULL with an exception. */
static PyObject *apply(Rows *function, PyArrayObject *data, PyArrayObject *out, const Order *order,
                       npy_intp scratch_size) {
    if (out == NULL || PyArray_SIZE(data) == 0) return (PyObject *)out;
    npy_intp size = PyArray_SIZE(data), length = PyArray_DIM(data, PyArray_NDIM(data) - 1);
    int threads = threads_for(size / length, length);
    Sharing all = {function,
                   PyArray_BYTES(data),
                   PyArray_BYTES(out),
                   NULL,
                   length,
                   size_sum(scratch_size, 63) & ~(npy_intp)63, /* of which each thread has its own lines of the cache */
                   PyArray_ITEMSIZE(out),
                   order};
    all.scratch = PyMem_RawMalloc((size_t)size_product(all.scratch_size, threads));
    if (all.scratch == NULL) {
        Py_DECREF(out);
        return PyErr_NoMemory();
    }
    UNLOCKED_DO(size, share_among(threads, rows_part, &all, size / length, length));
    PyMem_RawFree(all.scratch);
    return (PyObject *)out;
}

/* -- rows of wider elements, by NumPy's sort -- */

typedef struct {
    PyArray_SortFunc *sort;
    PyArrayObject *data;
    char *start;
    npy_intp length, step;
} Sorting;

static void sort_part(void *context, int Py_UNUSED(thread), npy_intp first, npy_intp last) {
    const Sorting *all = context;
    for (npy_intp row = first; row < last; row++) all->sort(all->start + row * all->step, all->length, all->data);
}

/* sort_in_rows(data): sort the rows of a buffer of NumPy's numbers in place, equal elements in any order; False where
 * NumPy has no sort for them. */
static PyObject *sort_in_rows(PyObject *Py_UNUSED(module), PyObject *given) {
    PyArrayObject *data = (PyArrayObject *)given;
    if (!PyArray_Check(given) || !PyArray_ISCARRAY(data) || PyArray_NDIM(data) == 0 ||
        !is_native(type_of_dtype(PyArray_DESCR(data))))
        return PyErr_Format(PyExc_TypeError, "sort_in_rows: expected a C-contiguous ndarray of numbers, got %R", given);
    npy_intp size = PyArray_SIZE(data), length = PyArray_DIM(data, PyArray_NDIM(data) - 1);
    Sorting all = {sort_of(data), data, PyArray_BYTES(data), length, length * PyArray_ITEMSIZE(data)};
    if (all.sort == NULL) Py_RETURN_FALSE;
    if (size > 0 && length > 1) {
        UNLOCKED_DO(size, share_work(sort_part, &all, size / length, length));
    }
    Py_RETURN_TRUE;
}

static PyObject *sort_narrow(PyObject *Py_UNUSED(module), PyObject *const *arguments, Py_ssize_t count) {
    Order order;
    PyArrayObject *data = read_arguments(arguments, count, 2, &order);
    if (data == NULL) return NULL;
    PyArrayObject *out = new_buffer(PyArray_DESCR(data), PyArray_NDIM(data), PyArray_DIMS(data), NULL, false);
    return apply(sort_rows, data, out, &order, (npy_intp)sizeof(uint64_t) << 8 * order.size);
}

static PyObject *argsort_narrow(PyObject *Py_UNUSED(module), PyObject *const *arguments, Py_ssize_t count) {
    Order order;
    PyArrayObject *data = read_arguments(arguments, count, 3, &order);
    if (data == NULL) return NULL;
    npy_intp length = PyArray_DIM(data, PyArray_NDIM(data) - 1),
             pair = length < LONG ? sizeof(uint32_t) : sizeof(uint64_t);
    PyObject *out = PyArray_SimpleNew(PyArray_NDIM(data), PyArray_DIMS(data), length < LONG ? NPY_INT32 : NPY_INT64);
    return apply(argsort_rows, data, (PyArrayObject *)out, &order,
                 size_product(length, order.size == 1 ? 1 : pair + 2));
}

static PyObject *tally_narrow(PyObject *Py_UNUSED(module), PyObject *const *arguments, Py_ssize_t count) {
    Order given, *order = &given;
    PyArrayObject *data = read_arguments(arguments, count, 2, order);
    if (data == NULL) return NULL;
    npy_intp keys = (npy_intp)1 << 8 * order->size, length = PyArray_SIZE(data);
    PyObject *first = PyArray_SimpleNew(1, &keys, NPY_INTP), *counts = PyArray_ZEROS(1, &keys, NPY_INTP, 0);
    if (first == NULL || counts == NULL) {
        Py_XDECREF(first);
        Py_XDECREF(counts);
        return NULL;
    }
    npy_intp *to_first = (npy_intp *)PyArray_DATA((PyArrayObject *)first),
             *to_counts = (npy_intp *)PyArray_DATA((PyArrayObject *)counts);
    const char *from = PyArray_BYTES(data);
    UNLOCKED_DO(length, BY_ORDER(tally_row, from, to_first, to_counts, length));
    return Py_BuildValue("NN", first, counts);
}

static PyMethodDef functions[] = {
    {"sort_narrow", FASTCALL(sort_narrow), PyDoc_STR("sort_narrow(data, order)\n--\n\nSort along the last axis.")},
    {"sort_in_rows", sort_in_rows, METH_O,
     PyDoc_STR("sort_in_rows(data)\n--\n\nSort along the last axis in place, equal elements in any order; False where "
               "NumPy has no sort for them.")},
    {"argsort_narrow", FASTCALL(argsort_narrow),
     PyDoc_STR("argsort_narrow(data, order, descending)\n--\n\nReturn the stable order along the last axis.")},
    {"tally_narrow", FASTCALL(tally_narrow),
     PyDoc_STR("tally_narrow(data, order)\n--\n\nReturn the first place of each key, undefined where there is none, "
               "and the number of its elements.")},
    {NULL, NULL, 0, NULL},
};

int add_order(PyObject *module) { return PyModule_AddFunctions(module, functions); }
