/* Fast paths of uniform, normal, bits, randint, split and fold_in, and the loops of random numbers as functions of the
 * module. */
#include "args.h"
#include "cast.h"
#include "loops/random.h"
#include "parts.h"
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

/* Read the arguments of a function of a key, which is the first of them; false where they are not plain. */
static bool read_call(const Arguments *arguments, PyObject *const *parameters, int count, PyObject **found, Key *key) {
    return arguments_by_name(arguments, parameters, count, count, found) && found[0] != NULL && read_key(found[0], key);
}

/* Return the node of a dtype, of some types, or the default one; NULL without an exception where it is none of them. */
static const Node *read_dtype(PyObject *dtype, unsigned types, const Node *by_default) {
    State *state = current_state();
    if (state == NULL) return NULL;
    const Node *node = dtype == NULL || dtype == Py_None ? by_default : node_of_argument(state, dtype);
    return node == NULL || node->weak || !is_native(node->type) || !(types >> node->type & 1) ? NULL : node;
}

/* The default node of a kind of numbers. */
static const Node *default_node(Scalar kind) {
    const State *state = current_state();
    return state == NULL ? NULL : state->defaults[kind];
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

/* -- what fills buffers -- */

/* A call of a loop, with what it needs; it needs no lock. */
typedef struct Draw {
    void (*fill)(const struct Draw *draw);
    Key key;
    Type type;
    Bounds bounds;
    uint64_t least, span;
    int width, mantissa;
    npy_intp count; /* set, like the following, where the buffer is known */
    void *to;
} Draw;

static void draw_bits(const Draw *draw) { threefry_bits(draw->key, type_size[draw->type], draw->count, draw->to); }
static void draw_keys(const Draw *draw) { split_key(draw->key, draw->count / 2, draw->to); }
static void draw_fractions(const Draw *draw) {
    random_fractions(draw->key, draw->width, draw->mantissa, draw->count, draw->to);
}
static void draw_uniform(const Draw *draw) {
    random_uniform(draw->type, draw->key, draw->bounds, draw->count, draw->to);
}
static void draw_normal(const Draw *draw) { random_normal(draw->type, draw->key, draw->count, draw->to); }
static void draw_integers(const Draw *draw) {
    random_integers(type_size[draw->type], draw->key, draw->least, draw->span, draw->count, draw->to);
}
static void draw_inverse(const Draw *draw) { inverse_error(draw->type, false, draw->count, draw->to); }

static void set_bounds(Draw *draw, double low, double high) {
    draw->bounds = (Bounds){low != 0.0 || high != 1.0, low, high};
}

static void fill(Draw *draw, PyArrayObject *buffer) {
    draw->count = PyArray_SIZE(buffer);
    draw->to = PyArray_DATA(buffer);
    UNLOCKED_DO(draw->count, draw->fill(draw));
}

/* Make an Array of what is drawn; NULL without an exception where there is no memory, which the Python function words.
 */
static PyObject *filled(Draw *draw, const Node *node, PyObject *shape) {
    npy_intp lengths[NPY_MAXDIMS];
    int ndim;
    draw->type = node->type;
    if (!read_sizes(shape, type_size[node->type], lengths, &ndim)) return NULL;
    PyArrayObject *out = new_data(node, ndim, lengths, false);
    if (out == NULL && PyErr_ExceptionMatches(PyExc_MemoryError)) PyErr_Clear();
    if (out != NULL) fill(draw, out);
    return wrap(out, node);
}

static PyObject *quick_uniform(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    PyObject *found[5], *const parameters[] = {names.key, names.shape, names.dtype, names.minval, names.maxval};
    Draw draw = {draw_uniform};
    double low = 0.0, high = 1.0;
    if (!read_call(arguments, parameters, 5, found, &draw.key)) return NULL;
    const Node *node = read_dtype(found[2], FLOATING, default_node(S_FLOAT));
    if (node == NULL || !read_bound(found[3], &low) || !read_bound(found[4], &high)) return NULL;
    set_bounds(&draw, low, high);
    if (!bounds_are_plain(node->type, draw.bounds)) return NULL;
    return filled(&draw, node, found[1]);
}

static PyObject *quick_normal(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    PyObject *found[3], *const parameters[] = {names.key, names.shape, names.dtype};
    Draw draw = {draw_normal};
    if (!samplers_found || !read_call(arguments, parameters, 3, found, &draw.key)) return NULL;
    const Node *node = read_dtype(found[2], FLOATING, default_node(S_FLOAT));
    return node == NULL ? NULL : filled(&draw, node, found[1]);
}

static PyObject *quick_bits(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    PyObject *found[3], *const parameters[] = {names.key, names.shape, names.dtype};
    Draw draw = {draw_bits};
    State *state = current_state();
    if (state == NULL || !read_call(arguments, parameters, 3, found, &draw.key)) return NULL;
    const Node *node = read_dtype(found[2], UNSIGNED, node_of_type(state->x64_on ? E_UINT64 : E_UINT32));
    return node == NULL ? NULL : filled(&draw, node, found[1]);
}

/* Integers of 32 or 64 bits between bounds of 32 bits. */
static PyObject *quick_randint(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    PyObject *found[5], *const parameters[] = {names.key, names.shape, names.minval, names.maxval, names.dtype};
    npy_intp low, high;
    Draw draw = {draw_integers};
    if (!read_call(arguments, parameters, 5, found, &draw.key)) return NULL;
    const Node *node = read_dtype(found[4], INTEGERS_OF_WORDS, default_node(S_INT));
    if (node == NULL || found[1] == NULL || found[2] == NULL || found[3] == NULL || !read_length(found[2], &low) ||
        !read_length(found[3], &high))
        return NULL;
    if (low < INT32_MIN || low > INT32_MAX || high < INT32_MIN || high > INT32_MAX) return NULL;
    if (low > high) return NULL; /* of which the definition warns */
    if (node->kind == 'u') {
        low = low < 0 ? 0 : low;
        high = high < 0 ? 0 : high;
    }
    draw.least = (uint64_t)low;
    draw.span = high <= low ? 1 : (uint64_t)((int64_t)high - low);
    return filled(&draw, node, found[1]);
}

/* A number of keys, or their shape; 2 by default. */
static PyObject *quick_split(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    PyObject *found[2], *const parameters[] = {names.key, names.num};
    npy_intp lengths[NPY_MAXDIMS + 1] = {2};
    int ndim = 1;
    Key key;
    if (!read_call(arguments, parameters, 2, found, &key)) return NULL;
    if (found[1] != NULL && (ndim = read_shape(found[1], 0, lengths)) < 0) return NULL;
    if (bytes_of_shape(ndim, lengths, sizeof(Key)) == TOO_LARGE) return NULL;
    const Node *node = ((Array *)found[0])->node;
    PyArrayObject *out = new_keys(node, ndim, lengths);
    if (out == NULL && PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_MemoryError)) PyErr_Clear();
    if (out == NULL) return NULL;
    npy_intp count = PyArray_NBYTES(out) / (npy_intp)sizeof(Key);
    char *to = PyArray_BYTES(out);
    UNLOCKED_DO(count, split_key(key, count, to));
    return wrap(out, node);
}

static PyObject *quick_fold_in(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    PyObject *found[2], *const parameters[] = {names.key, names.data};
    npy_intp number, lengths[1];
    Key key;
    if (sizeof(npy_intp) < 8 || !read_call(arguments, parameters, 2, found, &key) || found[1] == NULL) return NULL;
    if (!read_length(found[1], &number) || number < 0 || (uint64_t)number > UINT32_MAX) return NULL;
    const Node *node = ((Array *)found[0])->node;
    PyArrayObject *out = new_keys(node, 0, lengths);
    if (out == NULL) return NULL;
    Key made = threefry_key(key, (uint64_t)number);
    memcpy(PyArray_BYTES(out), &made, sizeof made);
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

/* Begin a function of `count` arguments, of which the first two are the words of a key; the others are converted, which
 * may run Python, before the buffer is looked at. False with an exception. */
static bool begin_draw(Draw *draw, const char *function, PyObject *const *args, Py_ssize_t given, int count) {
    if (PyVectorcall_NARGS(given) != count) {
        PyErr_Format(PyExc_TypeError, "%s: expected %d arguments", function, count);
        return false;
    }
    unsigned long high = PyLong_AsUnsignedLongMask(args[0]), low = PyLong_AsUnsignedLongMask(args[1]);
    draw->key = (Key){(uint32_t)high, (uint32_t)low};
    return !PyErr_Occurred();
}

/* Fill a contiguous buffer that can be written to, which is of one of some types: true, or false where the loop does
 * not take the bounds, or NumPy has no loops for it. */
static PyObject *draw_into(Draw *draw, const char *function, PyObject *x, unsigned types) {
    draw->type = PyArray_Check(x) ? type_of_dtype(PyArray_DESCR((PyArrayObject *)x)) : E_FOREIGN;
    if (!is_native(draw->type) || !PyArray_ISCARRAY((PyArrayObject *)x) || !(types >> draw->type & 1))
        return PyErr_Format(PyExc_TypeError, "%s: expected a contiguous ndarray of a type that it knows, got %R",
                            function, x);
    if (draw->fill == draw_uniform && !bounds_are_plain(draw->type, draw->bounds)) Py_RETURN_FALSE;
    if ((draw->fill == draw_normal || draw->fill == draw_inverse) && !samplers_found) Py_RETURN_FALSE;
    if (draw->fill == draw_integers && (draw->span == 0 || (type_size[draw->type] == 4 && draw->span > UINT32_MAX)))
        return PyErr_Format(PyExc_ValueError, "%s: there is no such span", function);
    fill(draw, (PyArrayObject *)x);
    Py_RETURN_TRUE;
}

#define FILL(what, types) \
    static PyObject *fill_##what(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t given) { \
        Draw draw = {draw_##what}; \
        bool good = begin_draw(&draw, "random_" #what, args, given, 3); \
        return good ? draw_into(&draw, "random_" #what, args[2], types) : NULL; \
    }
FILL(bits, UNSIGNED)
FILL(keys, 1 << E_UINT32)
FILL(normal, FLOATING)

static PyObject *fill_fractions(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t given) {
    Draw draw = {draw_fractions};
    if (!begin_draw(&draw, "random_fractions", args, given, 5)) return NULL;
    long width = PyLong_AsLong(args[2]), mantissa = PyLong_AsLong(args[3]);
    if (PyErr_Occurred()) return NULL;
    if (mantissa < 0 || mantissa > 24 || width < mantissa || width > 32 || width - mantissa > 31)
        return PyErr_Format(PyExc_ValueError, "random_fractions: there are no %ld of %ld bits", mantissa, width);
    draw.width = (int)width;
    draw.mantissa = (int)mantissa;
    return draw_into(&draw, "random_fractions", args[4], 1 << E_FLOAT32);
}

static PyObject *fill_uniform(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t given) {
    Draw draw = {draw_uniform};
    if (!begin_draw(&draw, "random_uniform", args, given, 5)) return NULL;
    set_bounds(&draw, PyFloat_AsDouble(args[2]), PyFloat_AsDouble(args[3]));
    return PyErr_Occurred() ? NULL : draw_into(&draw, "random_uniform", args[4], FLOATING);
}

static PyObject *fill_integers(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t given) {
    Draw draw = {draw_integers};
    if (!begin_draw(&draw, "random_integers", args, given, 5)) return NULL;
    draw.least = PyLong_AsUnsignedLongLongMask(args[2]);
    draw.span = PyLong_AsUnsignedLongLongMask(args[3]);
    return PyErr_Occurred() ? NULL : draw_into(&draw, "random_integers", args[4], INTEGERS_OF_WORDS);
}

static PyObject *fill_inverse_error(PyObject *Py_UNUSED(module), PyObject *x) {
    Draw draw = {draw_inverse};
    return draw_into(&draw, "inverse_error", x, FLOATING);
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
