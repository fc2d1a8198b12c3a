/* Fast paths of uniform, normal, bits, randint, split and fold_in, and the loops of random numbers as functions of the
 * module. */
#include "args.h"
#include "cast.h"
#include "loops/random.h"
#include "paths.h"

/* Sets of types. */
enum {
    FLOATING = 1 << E_FLOAT32 | 1 << E_FLOAT64,
    UNSIGNED = 1 << E_UINT8 | 1 << E_UINT16 | 1 << E_UINT32 | 1 << E_UINT64,
    INTEGERS_OF_WORDS = 1 << E_INT32 | 1 << E_INT64 | 1 << E_UINT32 | 1 << E_UINT64,
};

/* -- keys -- */

/* Read a single key, typed or as two integers; false where it is none, or where the loops here do not number counters
 * as the state does. */
static bool read_key(PyObject *x, Key *key) {
    const State *state = current_state();
    if (state == NULL || !state->partitionable || !IS_ARRAY(x)) return false;
    const Array *array = (Array *)x;
    PyArrayObject *data = array->data;
    if (!is_of(data, array->node)) return false;
    npy_intp step = 4;
    if (array->node->kind == 'k') {
        if (PyArray_NDIM(data) != 0) return false;
    } else {
        if (array->node->type != E_UINT32 || array->node->weak || PyArray_NDIM(data) != 1 || PyArray_DIM(data, 0) != 2)
            return false;
        step = PyArray_STRIDE(data, 0);
    }
    memcpy(&key->high, PyArray_BYTES(data), 4);
    memcpy(&key->low, PyArray_BYTES(data) + step, 4);
    return true;
}

/* Make an empty array of keys in the form of a key: typed, or with an axis of two integers, for which `shape`
 * has an entry more.
 */
static PyArrayObject *new_keys(const Node *node, int ndim, npy_intp *shape) {
    bool typed = node->kind == 'k';
    if (!typed && ndim == NPY_MAXDIMS) return NULL;
    if (!typed) shape[ndim++] = 2;
    return new_data(node, ndim, shape, false);
}

/* Write the words of new keys, of which two follow each other. */
static void split_key(Key key, npy_intp count, char *to) {
    enum { BLOCK = 256 };
    uint64_t pairs[BLOCK];
    for (npy_intp done = 0; done < count; done += BLOCK) {
        npy_intp now = count - done < BLOCK ? count - done : BLOCK;
        threefry_pairs(key, (uint64_t)done, now, pairs);
        for (npy_intp i = 0; i < now; i++, to += sizeof(Key)) {
            Key made = {(uint32_t)(pairs[i] >> 32), (uint32_t)pairs[i]};
            memcpy(to, &made, sizeof made);
        }
    }
}

/* -- fast paths -- */

/* Read a shape, of none by default, of elements of some bytes; false where it is not plain. */
static bool read_sizes(PyObject *shape, npy_intp size, npy_intp *lengths, int *ndim) {
    *ndim = shape == NULL ? 0 : read_shape(shape, 0, lengths);
    return *ndim >= 0 && bytes_of_shape(*ndim, lengths, size) != TOO_LARGE;
}

/* Read shape and dtype of a sampler: the node, of one of two types, or NULL without an exception. */
static const Node *read_sample(PyObject *shape, PyObject *dtype, Type first, Type second, npy_intp *lengths,
                               int *ndim) {
    State *state = current_state();
    if (state == NULL) return NULL;
    const Node *node = dtype == NULL || dtype == Py_None ? state->defaults[S_FLOAT] : node_of_argument(state, dtype);
    if (node == NULL || node->weak || (node->type != first && node->type != second)) return NULL;
    return read_sizes(shape, type_size[node->type], lengths, ndim) ? node : NULL;
}

/* Read a bound that float32 holds as it is, or that is rounded to it once; an absent one stays. */
static bool read_bound(PyObject *x, double *bound) {
    npy_intp whole;
    if (x == NULL) return true;
    if (PyFloat_CheckExact(x)) {
        *bound = PyFloat_AS_DOUBLE(x);
        return true;
    }
    if (!read_length(x, &whole) || whole > 1 << 24 || whole < -(1 << 24)) return false;
    *bound = (double)whole;
    return true;
}

/* What is too large the Python function words. */
static PyObject *memory_failed(void) {
    if (PyErr_ExceptionMatches(PyExc_MemoryError)) PyErr_Clear();
    return NULL;
}

static PyObject *quick_uniform(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    PyObject *found[5], *const parameters[] = {names.key, names.shape, names.dtype, names.minval, names.maxval};
    npy_intp lengths[NPY_MAXDIMS];
    int ndim;
    Key key;
    Bounds bounds = {false, 0.0, 1.0};
    if (!arguments_by_name(arguments, parameters, 5, 5, found) || found[0] == NULL || !read_key(found[0], &key))
        return NULL;
    const Node *node = read_sample(found[1], found[2], E_FLOAT32, E_FLOAT64, lengths, &ndim);
    if (node == NULL || !read_bound(found[3], &bounds.low) || !read_bound(found[4], &bounds.high)) return NULL;
    if (!bounds_are_plain(node->type, bounds)) return NULL;
    bounds.scaled = bounds.low != 0.0 || bounds.high != 1.0;
    PyArrayObject *out = new_data(node, ndim, lengths, false);
    if (out == NULL) return memory_failed();
    npy_intp count = PyArray_SIZE(out);
    void *to = PyArray_DATA(out);
    UNLOCKED_DO(count, random_uniform(node->type, key, bounds, count, to));
    return wrap(out, node);
}

static PyObject *quick_normal(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    PyObject *found[3], *const parameters[] = {names.key, names.shape, names.dtype};
    npy_intp lengths[NPY_MAXDIMS];
    int ndim;
    Key key;
    if (!samplers_found || !arguments_by_name(arguments, parameters, 3, 3, found) || found[0] == NULL ||
        !read_key(found[0], &key))
        return NULL;
    const Node *node = read_sample(found[1], found[2], E_FLOAT32, E_FLOAT64, lengths, &ndim);
    PyArrayObject *out = node == NULL ? NULL : new_data(node, ndim, lengths, false);
    if (out == NULL) return node == NULL ? NULL : memory_failed();
    npy_intp count = PyArray_SIZE(out);
    void *to = PyArray_DATA(out);
    UNLOCKED_DO(count, random_normal(node->type, key, count, to));
    return wrap(out, node);
}

/* A number of keys, or their shape; 2 by default. */
static PyObject *quick_split(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    PyObject *found[2], *const parameters[] = {names.key, names.num};
    npy_intp lengths[NPY_MAXDIMS + 1] = {2};
    int ndim = 1;
    Key key;
    if (!arguments_by_name(arguments, parameters, 2, 2, found) || found[0] == NULL || !read_key(found[0], &key))
        return NULL;
    if (found[1] != NULL && (ndim = read_shape(found[1], 0, lengths)) < 0) return NULL;
    if (bytes_of_shape(ndim, lengths, sizeof(Key)) == TOO_LARGE) return NULL;
    const Node *node = ((Array *)found[0])->node;
    PyArrayObject *out = new_keys(node, ndim, lengths);
    if (out == NULL) return PyErr_Occurred() ? memory_failed() : NULL;
    npy_intp count = PyArray_NBYTES(out) / (npy_intp)sizeof(Key);
    char *to = PyArray_BYTES(out);
    UNLOCKED_DO(count, split_key(key, count, to));
    return wrap(out, node);
}

static PyObject *quick_fold_in(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    PyObject *found[2], *const parameters[] = {names.key, names.data};
    npy_intp number, lengths[1];
    Key key;
    if (sizeof(npy_intp) < 8 || !arguments_by_name(arguments, parameters, 2, 2, found) || found[0] == NULL ||
        found[1] == NULL)
        return NULL;
    if (!read_key(found[0], &key) || !read_length(found[1], &number) || number < 0 || (uint64_t)number > UINT32_MAX)
        return NULL;
    const Node *node = ((Array *)found[0])->node;
    PyArrayObject *out = new_keys(node, 0, lengths);
    if (out == NULL) return NULL;
    Key made = threefry_key(key, (uint64_t)number);
    memcpy(PyArray_BYTES(out), &made, sizeof made);
    return wrap(out, node);
}

static PyObject *quick_bits(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    PyObject *found[3], *const parameters[] = {names.key, names.shape, names.dtype};
    npy_intp lengths[NPY_MAXDIMS];
    int ndim;
    Key key;
    State *state = current_state();
    if (state == NULL || !arguments_by_name(arguments, parameters, 3, 3, found) || found[0] == NULL ||
        !read_key(found[0], &key))
        return NULL;
    bool given = found[2] != NULL && found[2] != Py_None;
    const Node *node = given ? node_of_argument(state, found[2]) : node_of_type(state->x64_on ? E_UINT64 : E_UINT32);
    if (node == NULL || node->type < E_UINT8 || node->type > E_UINT64) return NULL;
    if (!read_sizes(found[1], type_size[node->type], lengths, &ndim)) return NULL;
    PyArrayObject *out = new_data(node, ndim, lengths, false);
    if (out == NULL) return memory_failed();
    npy_intp count = PyArray_SIZE(out);
    void *to = PyArray_DATA(out);
    UNLOCKED_DO(count, threefry_bits(key, type_size[node->type], count, to));
    return wrap(out, node);
}

/* Integers of 32 or 64 bits between bounds of 32 bits. */
static PyObject *quick_randint(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    PyObject *found[5], *const parameters[] = {names.key, names.shape, names.minval, names.maxval, names.dtype};
    npy_intp lengths[NPY_MAXDIMS], low, high;
    int ndim;
    Key key;
    State *state = current_state();
    if (state == NULL || !arguments_by_name(arguments, parameters, 5, 5, found) || found[0] == NULL ||
        !read_key(found[0], &key))
        return NULL;
    const Node *node =
        found[4] == NULL || found[4] == Py_None ? state->defaults[S_INT] : node_of_argument(state, found[4]);
    if (node == NULL || node->weak || !is_native(node->type) || !(INTEGERS_OF_WORDS >> node->type & 1)) return NULL;
    if (found[1] == NULL || found[2] == NULL || found[3] == NULL || !read_length(found[2], &low) ||
        !read_length(found[3], &high))
        return NULL;
    if (low < INT32_MIN || low > INT32_MAX || high < INT32_MIN || high > INT32_MAX) return NULL;
    if (low > high) return NULL; /* of which the definition warns */
    if (!read_sizes(found[1], type_size[node->type], lengths, &ndim)) return NULL;
    if (node->kind == 'u') {
        low = low < 0 ? 0 : low;
        high = high < 0 ? 0 : high;
    }
    uint64_t span = high <= low ? 1 : (uint64_t)((int64_t)high - low);
    PyArrayObject *out = new_data(node, ndim, lengths, false);
    if (out == NULL) return memory_failed();
    npy_intp count = PyArray_SIZE(out);
    void *to = PyArray_DATA(out);
    UNLOCKED_DO(count, random_integers(type_size[node->type], key, (uint64_t)low, span, count, to));
    return wrap(out, node);
}

const NamedPath random_paths[] = {
    {"random.uniform", quick_uniform, false},
    {"random.normal", quick_normal, false},
    {"random.bits", quick_bits, false},
    {"random.split", quick_split, false},
    {"random.fold_in", quick_fold_in, false},
    {"random.randint", quick_randint, false},
    {NULL, NULL, false},
};

/* -- functions of the module: the loops on buffers -- */

/* Read the two words of a key. */
static bool read_words(PyObject *const *args, Key *key) {
    unsigned long high = PyLong_AsUnsignedLongMask(args[0]), low = PyLong_AsUnsignedLongMask(args[1]);
    *key = (Key){(uint32_t)high, (uint32_t)low};
    return !PyErr_Occurred();
}

/* Return the type of a contiguous buffer that can be written to; E_FOREIGN with an exception where it is none, or not
 * one of some types. */
static Type read_buffer(PyObject *x, const char *function, unsigned types) {
    if (PyArray_Check(x)) {
        PyArrayObject *data = (PyArrayObject *)x;
        Type type = type_of_dtype(PyArray_DESCR(data));
        if (PyArray_ISCARRAY(data) && is_native(type) && (types >> type & 1)) return type;
    }
    PyErr_Format(PyExc_TypeError, "%s: expected a contiguous ndarray of a type that it knows, got %R", function, x);
    return E_FOREIGN;
}

/* Begin a function of `count` arguments, of which the first two are the words of a key and the last one is the buffer
 * to fill. What converts the others, which may run Python, comes between BEGIN and FILL, which looks at the buffer. */
#define BEGIN(name, count) \
    Key key; \
    if (PyVectorcall_NARGS(given) != (count)) \
        return PyErr_Format(PyExc_TypeError, name ": expected %d arguments", (count)); \
    if (!read_words(args, &key)) return NULL;
#define FILL(name, buffer, types) \
    Type type = read_buffer(buffer, name, types); \
    if (type == E_FOREIGN) return NULL; \
    npy_intp size = PyArray_SIZE((PyArrayObject *)(buffer)); \
    void *to = PyArray_DATA((PyArrayObject *)(buffer));
static PyObject *fill_bits(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t given) {
    BEGIN("random_bits", 3)
    FILL("random_bits", args[2], UNSIGNED)
    UNLOCKED_DO(size, threefry_bits(key, type_size[type], size, to));
    Py_RETURN_NONE;
}

static PyObject *fill_keys(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t given) {
    BEGIN("random_keys", 3)
    FILL("random_keys", args[2], 1 << E_UINT32)
    UNLOCKED_DO(size, split_key(key, size / 2, to));
    Py_RETURN_NONE;
}

static PyObject *fill_fractions(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t given) {
    BEGIN("random_fractions", 5)
    long width = PyLong_AsLong(args[2]), mantissa = PyLong_AsLong(args[3]);
    if (PyErr_Occurred()) return NULL;
    if (mantissa < 0 || mantissa > 24 || width < mantissa || width > 32 || width - mantissa > 31)
        return PyErr_Format(PyExc_ValueError, "random_fractions: there are no %ld of %ld bits", mantissa, width);
    FILL("random_fractions", args[4], 1 << E_FLOAT32)
    UNLOCKED_DO(size, random_fractions(key, (int)width, (int)mantissa, size, to));
    Py_RETURN_NONE;
}

static PyObject *fill_uniform(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t given) {
    BEGIN("random_uniform", 5)
    Bounds bounds = {false, PyFloat_AsDouble(args[2]), PyFloat_AsDouble(args[3])};
    if (PyErr_Occurred()) return NULL;
    bounds.scaled = bounds.low != 0.0 || bounds.high != 1.0;
    FILL("random_uniform", args[4], FLOATING)
    if (!bounds_are_plain(type, bounds)) Py_RETURN_FALSE;
    UNLOCKED_DO(size, random_uniform(type, key, bounds, size, to));
    Py_RETURN_TRUE;
}

static PyObject *fill_normal(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t given) {
    BEGIN("random_normal", 3)
    FILL("random_normal", args[2], FLOATING)
    if (!samplers_found) Py_RETURN_FALSE;
    UNLOCKED_DO(size, random_normal(type, key, size, to));
    Py_RETURN_TRUE;
}

static PyObject *fill_integers(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t given) {
    BEGIN("random_integers", 5)
    uint64_t least = PyLong_AsUnsignedLongLongMask(args[2]), span = PyLong_AsUnsignedLongLongMask(args[3]);
    if (PyErr_Occurred()) return NULL;
    FILL("random_integers", args[4], INTEGERS_OF_WORDS)
    if (span == 0 || (type_size[type] == 4 && span > UINT32_MAX))
        return PyErr_Format(PyExc_ValueError, "random_integers: a span of %R", args[3]);
    UNLOCKED_DO(size, random_integers(type_size[type], key, least, span, size, to));
    Py_RETURN_NONE;
}

static PyObject *fill_inverse_error(PyObject *Py_UNUSED(module), PyObject *x) {
    FILL("inverse_error", x, FLOATING)
    if (!samplers_found) Py_RETURN_FALSE;
    UNLOCKED_DO(size, inverse_error(type, false, size, to));
    Py_RETURN_TRUE;
}

PyMethodDef random_functions[] = {
    {"random_bits", FASTCALL(fill_bits), PyDoc_STR("Fill unsigned integers with random bits.")},
    {"random_keys", FASTCALL(fill_keys), PyDoc_STR("Fill an (n, 2) array with the words of new keys.")},
    {"random_fractions", FASTCALL(fill_fractions), PyDoc_STR("Fill with numbers of [0, 1) of a few bits.")},
    {"random_uniform", FASTCALL(fill_uniform), PyDoc_STR("Fill with uniform numbers; False for bounds not plain.")},
    {"random_normal", FASTCALL(fill_normal), PyDoc_STR("Fill with normal numbers; False without NumPy's loops.")},
    {"random_integers", FASTCALL(fill_integers), PyDoc_STR("Fill with integers of a span.")},
    {"inverse_error", fill_inverse_error, METH_O,
     PyDoc_STR("Replace numbers of [-1, 1] by their erfinv; False without NumPy's loops.")},
    {NULL, NULL, 0, NULL},
};
