/* Functions of the module over whole buffers: counts, bins, packed bits, sums of squares.
 *
 * Kernels of the package call them, with ndarrays that they made contiguous. Each returns None where it does not know
 * the arguments.
 */
#include "args.h"
#include "cast.h"
#include "loops/loops.h"
#include "parts.h"
#include "threads.h"

/* Return an argument as a buffer that a loop can read, of a native type; NULL without an exception where it is none. */
static PyArrayObject *plain_buffer(PyObject *x, Type *type) {
    if (!PyArray_Check(x) || !PyArray_ISCARRAY_RO((PyArrayObject *)x)) return NULL;
    *type = type_of_dtype(PyArray_DESCR((PyArrayObject *)x));
    return is_native(*type) ? (PyArrayObject *)x : NULL;
}
static bool is_real(Type type) { return type == E_FLOAT32 || type == E_FLOAT64; }
static bool is_whole(Type type) { return type < E_FLOAT32; }

/* bincount(x, least, length, wide): counts of at least `least` numbers, or of those below `length` unless that is -1;
 * int32, or int64. */
static PyObject *bincount(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t given) {
    Type type;
    PyArrayObject *x;
    if (given != 4) return PyErr_Format(PyExc_TypeError, "bincount: expected 4 arguments, got %zd", given);
    Py_ssize_t least = PyLong_AsSsize_t(args[1]), length = PyLong_AsSsize_t(args[2]);
    if (PyErr_Occurred()) return NULL;
    if ((x = plain_buffer(args[0], &type)) == NULL || !is_whole(type) || least < 0 || PyArray_SIZE(x) > INT32_MAX)
        Py_RETURN_NONE;
    npy_intp count = PyArray_SIZE(x);
    const void *from = PyArray_DATA(x);
    Counts counts = {NULL, 0};
    bool counted;
    UNLOCKED_DO(count, counted = count_values(type, &counts, from, count, length));
    npy_intp used = counts.capacity, shape[] = {length};
    while (used > 0 && counts.counts[used - 1] == 0) used--;
    if (length < 0) shape[0] = used > least ? used : least;
    PyArrayObject *out =
        counted ? (PyArrayObject *)PyArray_ZEROS(1, shape, args[3] == Py_True ? NPY_INT64 : NPY_INT32, 0) : NULL;
    npy_intp known = shape[0] < counts.capacity ? shape[0] : counts.capacity;
    if (out != NULL && args[3] == Py_True)
        for (npy_intp i = 0; i < known; i++) ((int64_t *)PyArray_DATA(out))[i] = counts.counts[i];
    else if (out != NULL && known > 0) memcpy(PyArray_DATA(out), counts.counts, (size_t)known * sizeof(int32_t));
    PyMem_RawFree(counts.counts);
    if (!counted) Py_RETURN_NONE; /* of so many counts, NumPy says how much memory they take */
    return (PyObject *)out;
}

/* sum_weights(x, weights, length): float64 sums of the weights of the integers below `length`; negative ones count as
 * 0. */
static PyObject *weighted(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t given) {
    Type type, type_of_weights;
    PyArrayObject *x, *weights;
    if (given != 3) return PyErr_Format(PyExc_TypeError, "sum_weights: expected 3 arguments, got %zd", given);
    npy_intp shape[] = {PyLong_AsSsize_t(args[2])};
    if (PyErr_Occurred()) return NULL;
    if ((x = plain_buffer(args[0], &type)) == NULL || !is_whole(type) ||
        (weights = plain_buffer(args[1], &type_of_weights)) == NULL || !is_real(type_of_weights) ||
        PyArray_SIZE(weights) != PyArray_SIZE(x) || shape[0] < 0)
        Py_RETURN_NONE;
    PyArrayObject *out = (PyArrayObject *)PyArray_ZEROS(1, shape, NPY_DOUBLE, 0);
    npy_intp count = PyArray_SIZE(x);
    if (out == NULL) return NULL;
    const void *from = PyArray_DATA(x), *added = PyArray_DATA(weights);
    double *to = PyArray_DATA(out);
    UNLOCKED_DO(count, sum_weights(type, from, type_of_weights == E_FLOAT64, added, count, to, shape[0]));
    return (PyObject *)out;
}

/* find_bins(x, edges, uniform): the bin of each number, as int64, or -1; numbers and edges are of one type. */
static PyObject *found_bins(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t given) {
    Type type, type_of_edges;
    if (given != 3) return PyErr_Format(PyExc_TypeError, "find_bins: expected 3 arguments, got %zd", given);
    PyArrayObject *x = plain_buffer(args[0], &type), *edges = plain_buffer(args[1], &type_of_edges), *out;
    if (x == NULL || edges == NULL || type != type_of_edges || !is_real(type) || PyArray_SIZE(edges) < 2)
        Py_RETURN_NONE;
    const Bins bins = {PyArray_DATA(edges), PyArray_SIZE(edges) - 1, args[2] == Py_True};
    if (!edges_ascend(type, bins.edges, bins.count)) Py_RETURN_NONE;
    npy_intp count = PyArray_SIZE(x);
    if ((out = (PyArrayObject *)PyArray_SimpleNew(PyArray_NDIM(x), PyArray_DIMS(x), NPY_INT64)) == NULL) return NULL;
    const char *from = PyArray_BYTES(x);
    int64_t *to = PyArray_DATA(out);
    UNLOCKED_DO(count, find_bins(type, from, count, &bins, to));
    return (PyObject *)out;
}

enum {
    BLOCK = 1024
}; /* elements that become truth values at a time, which are read once: another thread may write to the elements */

/* Count the elements that are not zero. */
static npy_intp count_truths(Cast *truth, npy_intp size, const char *from, npy_intp count) {
    uint8_t truths[BLOCK];
    npy_intp found = 0;
    for (npy_intp now; count > 0; count -= now, from += now * size) {
        now = count < BLOCK ? count : BLOCK;
        truth(from, (char *)truths, now);
        uint32_t sum = 0;
        for (npy_intp i = 0; i < now; i++) sum += truths[i];
        found += sum;
    }
    return found;
}

/* Write the places of at most `most` elements that are not zero, and return how many there are. */
static npy_intp find_truths(Cast *truth, npy_intp size, const char *from, npy_intp count, npy_intp *to, npy_intp most) {
    enum { AT_ONCE = 8 };
    uint8_t truths[BLOCK];
    npy_intp found = 0;
    for (npy_intp done = 0; done < count; done += BLOCK, from += BLOCK * size) {
        npy_intp now = count - done < BLOCK ? count - done : BLOCK, i = 0;
        truth(from, (char *)truths, now);
        for (; i + AT_ONCE <= now && found + AT_ONCE <= most;
             i += AT_ONCE) { /* without branches that would have to be predicted */
            uint64_t word;
            memcpy(&word, truths + i, sizeof word);
            for (int k = 0; word != 0 && k < AT_ONCE; k++) {
                to[found] = done + i + k;
                found += truths[i + k];
            }
        }
        for (; i < now && found < most; i++)
            if (truths[i]) to[found++] = done + i;
    }
    return found;
}

/* nonzero(x): an array of indices for each axis, in C order. */
static PyObject *nonzero(PyObject *Py_UNUSED(module), PyObject *given) {
    Type type;
    int ndim = PyArray_Check(given) ? PyArray_NDIM((PyArrayObject *)given) : 0;
    if (ndim == 0) Py_RETURN_NONE;
    PyObject *result = PyTuple_New(ndim); /* may run Python, before the buffer is looked at */
    if (result == NULL) return NULL;
    PyArrayObject *x = plain_buffer(given, &type);
    if (x == NULL || PyArray_NDIM(x) != ndim) {
        Py_DECREF(result);
        Py_RETURN_NONE;
    }
    npy_intp count = PyArray_SIZE(x), size = type_size[type], kept, done = 0, *places[NPY_MAXDIMS], shape[NPY_MAXDIMS];
    const char *from = PyArray_BYTES(x);
    Cast *truth = truth_of(type);
    memcpy(shape, PyArray_DIMS(x), ndim * sizeof *shape);
    UNLOCKED_DO(count, kept = count_truths(truth, size, from, count));
    for (int axis = 0; result != NULL && axis < ndim; axis++) {
        PyObject *out = PyArray_SimpleNew(1, &kept, NPY_INTP);
        if (out == NULL) {
            Py_CLEAR(result);
            break;
        }
        PyTuple_SET_ITEM(result, axis, out);
        places[axis] = PyArray_DATA((PyArrayObject *)out);
    }
    if (result == NULL) return NULL;
    UNLOCKED_DO(count, done = find_truths(truth, size, from, count, places[ndim - 1], kept));
    for (; done < kept; done++) places[ndim - 1][done] = 0; /* another thread wrote zeros */
    for (npy_intp i = 0; ndim > 1 && i < kept; i++) {
        npy_intp rest = places[ndim - 1][i];
        for (int axis = ndim - 1; axis >= 0; axis--) {
            places[axis][i] = rest % shape[axis];
            rest /= shape[axis];
        }
    }
    return result;
}

/* convert_bits(x, count, big, packs): the bits of so many elements of a byte, or so many bits of uint8 elements. */
static PyObject *converted_bits(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t given) {
    Type type;
    PyArrayObject *x, *out;
    if (given != 4) return PyErr_Format(PyExc_TypeError, "convert_bits: expected 4 arguments, got %zd", given);
    npy_intp count = PyLong_AsSsize_t(args[1]), bytes = count / 8 + (count % 8 != 0);
    if (PyErr_Occurred()) return NULL;
    bool packs = args[3] == Py_True;
    if ((x = plain_buffer(args[0], &type)) == NULL || type_size[type] != 1 || count < 0 ||
        (packs ? count : bytes) > PyArray_SIZE(x))
        Py_RETURN_NONE;
    if ((out = (PyArrayObject *)PyArray_SimpleNew(1, packs ? &bytes : &count, NPY_UINT8)) == NULL) return NULL;
    const uint8_t *from = PyArray_DATA(x);
    uint8_t *to = PyArray_DATA(out);
    UNLOCKED_DO(count, convert_bits(packs, from, count, args[2] == Py_True, to));
    return (PyObject *)out;
}

/* Sums of squares that threads share. */
typedef struct {
    const Conversion *how; /* or NULL */
    const char *from;
    npy_intp count, size;
    float center, *sums;
} Squares;

static void squares_part(void *context, int Py_UNUSED(thread), npy_intp first, npy_intp last) {
    const Squares *all = context;
    npy_intp begin = first * SUMMED, end = last * SUMMED < all->count ? last * SUMMED : all->count;
    sum_squares(all->how, all->from + begin * all->size, end - begin, all->center, all->sums + first);
}

/* sum_squares(x, center): float32 sums of each SUMMED squares of deviations, of float32 or narrow floats. */
static PyObject *squares(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t given) {
    Conversion how;
    if (given != 2) return PyErr_Format(PyExc_TypeError, "sum_squares: expected 2 arguments, got %zd", given);
    float center = (float)PyFloat_AsDouble(args[1]);
    if (PyErr_Occurred()) return NULL;
    if (!PyArray_Check(args[0]) || !PyArray_ISCARRAY_RO((PyArrayObject *)args[0])) Py_RETURN_NONE;
    PyArrayObject *x = (PyArrayObject *)args[0];
    Type type = type_of_dtype(PyArray_DESCR(x));
    bool converts = is_narrow_float(type);
    if (type != E_FLOAT32 && !(converts && find_conversion(type, E_FLOAT32, &how))) Py_RETURN_NONE;
    npy_intp count = PyArray_SIZE(x), shape[] = {count / SUMMED + (count % SUMMED != 0)};
    PyArrayObject *out = (PyArrayObject *)PyArray_SimpleNew(1, shape, NPY_FLOAT);
    if (out == NULL) return NULL;
    Squares all = {converts ? &how : NULL, PyArray_BYTES(x), count, PyArray_ITEMSIZE(x), center, PyArray_DATA(out)};
    UNLOCKED_DO(count, share_work(squares_part, &all, shape[0], SUMMED));
    return (PyObject *)out;
}

/* sum_all(x): the float32 sum of float32 numbers, in NumPy's order. */
static PyObject *summed(PyObject *Py_UNUSED(module), PyObject *given) {
    PyArrayObject *x = (PyArrayObject *)given;
    if (!PyArray_Check(given) || !PyArray_ISCARRAY_RO(x) || type_of_dtype(PyArray_DESCR(x)) != E_FLOAT32)
        Py_RETURN_NONE;
    npy_intp count = PyArray_SIZE(x);
    PyArrayObject *out = (PyArrayObject *)PyArray_ZEROS(0, NULL, NPY_FLOAT, 0);
    if (out == NULL) return NULL;
    const float *from = PyArray_DATA(x);
    float sum;
    UNLOCKED_DO(count, sum = share_sum(from, count));
    *(float *)PyArray_DATA(out) += sum;
    return (PyObject *)out;
}

PyMethodDef counting_functions[] = {
    {"bincount", FASTCALL(bincount), PyDoc_STR("Count integers by value.")},
    {"sum_weights", FASTCALL(weighted), PyDoc_STR("Sum weights by their indices.")},
    {"find_bins", FASTCALL(found_bins), PyDoc_STR("Find the bin of each number.")},
    {"nonzero", nonzero, METH_O,
     PyDoc_STR("Return the indices of elements that are not zero, an array for each axis.")},
    {"convert_bits", FASTCALL(converted_bits), PyDoc_STR("Pack truth values into bytes, or unpack them.")},
    {"sum_all", summed, METH_O, PyDoc_STR("Sum float32 numbers in NumPy's order.")},
    {"sum_squares", FASTCALL(squares), PyDoc_STR("Sum squares of deviations, block by block.")},
    {NULL, NULL, 0, NULL},
};
