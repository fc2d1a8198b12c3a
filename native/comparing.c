/* Fast paths of allclose, isclose, array_equal and count_nonzero, of plain arrays of one type; narrow numbers are
 * compared and counted as float32. */
#include "args.h"
#include "cast.h"
#include "hooks.h"
#include "loops/narrow.h"
#include "paths.h"
#include "run.h"
#include "scalars.h"
#include "threads.h"

enum { SOME = 1024 }; /* elements that are widened at a time */

static PyObject *truth(bool value) {
    const Node *node = node_of_type(E_BOOL);
    PyArrayObject *out = node == NULL ? NULL : new_data(node, 0, NULL, false);
    if (out != NULL) *PyArray_BYTES(out) = value;
    return node == NULL ? NULL : wrap(out, node);
}

/* -- numbers that are close -- */

/* Read a tolerance; an absent one stays. */
static bool read_tolerance(PyObject *x, double *tolerance) {
    if (x == NULL) return true;
    if (!PyFloat_CheckExact(x)) return false;
    *tolerance = PyFloat_AS_DOUBLE(x);
    return true;
}

/* What is compared: two buffers of one type (owned), or one with a number. */
typedef struct {
    Type type;
    PyArrayObject *x, *y;
    _Alignas(16) char number[16];
    Tolerance within;
} Pair;

static void drop_pair(Pair *pair) {
    Py_DECREF(pair->x);
    Py_XDECREF(pair->y);
}

/* Write a number as an element of the type of the array it is compared with; false, perhaps with an exception, where
 * they are compared in another one. May run Python. */
static bool read_number(Operation *operation, PyObject *x, PyObject *number, char *place) {
    Call call;
    Scalar kind = scalar_kind(number);
    if (kind == S_NONE || !begin_scalar(&call, operation, x, kind, false)) return false;
    bool good = call.plan->type == call.x.node->type && write_scalar(call.plan, number, kind, place) == 1;
    end_call(&call);
    return good;
}

/* Whether the buffers are plain. */
static bool is_plain(const Operand *x, const Operand *y) {
    if (!aligned_native(x) || !PyArray_IS_C_CONTIGUOUS(x->data)) return false;
    if (y->data == NULL) return true;
    if (y->node != x->node || !aligned_native(y)) return false;
    return same_shape(x->data, y->data) && PyArray_IS_C_CONTIGUOUS(y->data);
}

/* Read the arguments; false where they are not plain, and then nothing is owned. The operation is `equal`, for the node
 * next to a number. */
static bool read_pair(Operation *operation, const Arguments *arguments, Pair *pair) {
    PyObject *found[5], *const parameters[] = {names.a, names.b, names.rtol, names.atol, names.equal_nan};
    pair->within = (Tolerance){1e-05, 1e-08, false};
    if (operation == NULL || !arguments_by_name(arguments, parameters, 5, 5, found) || found[0] == NULL ||
        found[1] == NULL)
        return false;
    if (!read_tolerance(found[2], &pair->within.relative) || !read_tolerance(found[3], &pair->within.absolute))
        return false;
    if (found[4] != NULL && !PyBool_Check(found[4])) return false;
    pair->within.equal_nan = found[4] == Py_True;
    const State *state = current_state();
    if (state == NULL || !state->remember || !IS_ARRAY(found[0])) return false;
    pair->type = ((Array *)found[0])->node->type;
    if (pair->type != E_FLOAT32 && pair->type != E_FLOAT64 && !is_narrow_float(pair->type)) return false;
    Operand x = operand_of(found[0]), y = {NULL};
    bool good = true;
    if (IS_ARRAY(found[1])) y = operand_of(found[1]);
    else good = read_number(operation, found[0], found[1], pair->number);
    pair->x = x.data;
    pair->y = y.data;
    if (good && is_plain(&x, &y)) return true;
    drop_error();
    drop_pair(pair);
    return false;
}

/* Whether all numbers from `first` up to `last` are close; with a place for results, write which are. */
static bool compare(const Pair *pair, npy_intp first, npy_intp last, uint8_t *to) {
    const bool one = pair->y == NULL, narrow = is_narrow_float(pair->type);
    const Type type = narrow ? E_FLOAT32 : pair->type;
    const npy_intp size = narrow ? size_of_narrow(pair->type) : type_size[type], some = narrow ? SOME : last - first;
    const char *a = PyArray_BYTES(pair->x), *b = one ? pair->number : PyArray_BYTES(pair->y);
    float x[SOME], y[SOME];
    bool all = true;
    if (narrow && one) widening_of(pair->type)(b, (char *)y, 1);
    for (npy_intp done = first, now; done < last && all; done += now) {
        now = last - done < some ? last - done : some;
        const char *left = a + done * size, *right = one ? b : b + done * size;
        if (narrow) {
            widening_of(pair->type)(left, (char *)x, now);
            if (!one) widening_of(pair->type)(right, (char *)y, now);
            left = (const char *)x;
            right = (const char *)y;
        }
        if (to == NULL) all = all_close(type, left, right, one, &pair->within, now);
        else close_elements(type, left, right, one, &pair->within, now, to + done);
    }
    return all;
}

/* Comparisons or counts that threads share, without the lock where they are many: each says what it found. Few elements
 * have no time to set all of it. */
typedef struct {
    const Pair *pair;
    uint8_t *to;
    Type type;
    const Conversion *widen; /* or NULL */
    const char *a, *b;
    bool equal_nan;
    npy_intp found[MOST_THREADS]; /* elements, or whether some differ */
} Comparison;

static npy_intp share_comparison(Work *work, Comparison *all, npy_intp count) {
    npy_intp found = 0;
    int threads = threads_for(count, 1);
    for (int i = 0; i < threads; i++) all->found[i] = 0;
    UNLOCKED_DO(count, share_among(threads, work, all, count, 1));
    for (int i = 0; i < threads; i++) found += all->found[i];
    return found;
}

static void close_part(void *context, int thread, npy_intp first, npy_intp last) {
    Comparison *all = context;
    if (all->found[thread] == 0) all->found[thread] = !compare(all->pair, first, last, all->to);
}

static PyObject *quick_allclose(Operation *operation, const Arguments *arguments) {
    Pair pair;
    if (!read_pair(operation, arguments, &pair)) return NULL;
    Comparison all;
    all.pair = &pair;
    all.to = NULL;
    bool close = share_comparison(close_part, &all, PyArray_SIZE(pair.x)) == 0;
    drop_pair(&pair);
    return truth(close);
}

static PyObject *quick_isclose(Operation *operation, const Arguments *arguments) {
    Pair pair;
    const Node *node = node_of_type(E_BOOL);
    if (node == NULL || !read_pair(operation, arguments, &pair)) return NULL;
    PyArrayObject *out = new_data(node, PyArray_NDIM(pair.x), PyArray_DIMS(pair.x), false);
    if (out != NULL) {
        Comparison all;
        all.pair = &pair;
        all.to = PyArray_DATA(out);
        share_comparison(close_part, &all, PyArray_SIZE(pair.x));
    }
    drop_pair(&pair);
    return wrap(out, node);
}

/* -- the same elements -- */

static void same_part(void *context, int thread, npy_intp first, npy_intp last) {
    Comparison *all = context;
    npy_intp offset = first * type_size[all->type];
    if (all->found[thread] == 0)
        all->found[thread] = !same_elements(all->type, all->a + offset, all->b + offset, all->equal_nan, last - first);
}

static PyObject *quick_array_equal(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    PyObject *found[3], *const parameters[] = {names.a1, names.a2, names.equal_nan};
    if (!arguments_by_name(arguments, parameters, 3, 3, found) || found[0] == NULL || found[1] == NULL) return NULL;
    const State *state = current_state();
    if (state == NULL || !state->remember || !IS_ARRAY(found[0]) || !IS_ARRAY(found[1])) return NULL;
    if (found[2] != NULL && !PyBool_Check(found[2])) return NULL;
    const Array *a = (Array *)found[0], *b = (Array *)found[1];
    Type type = a->node->type;
    bool equal_nan = found[2] == Py_True;
    if (!is_native(type) || b->node != a->node || !keeps(state, a->node, S_NONE) || !aligned_native(a) ||
        !aligned_native(b) || (equal_nan && type >= E_COMPLEX64))
        return NULL;
    if (!PyArray_IS_C_CONTIGUOUS(a->data) || !PyArray_IS_C_CONTIGUOUS(b->data)) return NULL;
    if (!same_shape(a->data, b->data)) return truth(false);
    Operand x = operand_of(found[0]), y = operand_of(found[1]);
    Comparison all;
    all.type = type;
    all.a = PyArray_BYTES(x.data);
    all.b = PyArray_BYTES(y.data);
    all.equal_nan = equal_nan;
    bool same = share_comparison(same_part, &all, PyArray_SIZE(x.data)) == 0;
    Py_DECREF(x.data);
    Py_DECREF(y.data);
    return truth(same);
}

/* -- elements that are not zero -- */

static npy_intp count_narrow(const Conversion *widen, const char *from, npy_intp count) {
    float scratch[SOME];
    npy_intp found = 0;
    for (npy_intp now; count > 0; count -= now, from += now * widen->from_size) {
        now = count < SOME ? count : SOME;
        convert_elements(widen, from, (char *)scratch, now);
        found += count_nonzero(E_FLOAT32, (const char *)scratch, now);
    }
    return found;
}

static void count_part(void *context, int thread, npy_intp first, npy_intp last) {
    Comparison *all = context;
    if (all->widen != NULL)
        all->found[thread] += count_narrow(all->widen, all->a + first * all->widen->from_size, last - first);
    else all->found[thread] += count_nonzero(all->type, all->a + first * type_size[all->type], last - first);
}

static PyObject *quick_count_nonzero(Operation *Py_UNUSED(operation), const Arguments *arguments) {
    State *state = current_state();
    if (state == NULL || arguments->names != NULL || arguments->count != 1) return NULL;
    if (!IS_ARRAY(arguments->values[0])) return NULL;
    const Array *x = (Array *)arguments->values[0];
    const Node *node = state->defaults[S_INT];
    if (node == NULL || node->weak || (node->type != E_INT32 && node->type != E_INT64)) return NULL;
    npy_intp count = PyArray_SIZE(x->data), found;
    Conversion widen;
    const bool narrow = !is_native(x->node->type);
    if (narrow ? !find_conversion(x->node->type, E_FLOAT32, &widen) : x->node->type >= E_COMPLEX64) return NULL;
    if (count > INT32_MAX || !aligned_native(x)) return NULL;
    if (!PyArray_IS_C_CONTIGUOUS(x->data) && !PyArray_IS_F_CONTIGUOUS(x->data)) return NULL;
    PyArrayObject *out = new_data(node, 0, NULL, false);
    if (out == NULL) return NULL;
    Operand held = operand_of(arguments->values[0]);
    Comparison all;
    all.type = held.node->type;
    all.widen = narrow ? &widen : NULL;
    all.a = PyArray_BYTES(held.data);
    found = share_comparison(count_part, &all, count);
    Py_DECREF(held.data);
    if (node->type == E_INT32) *(int32_t *)PyArray_DATA(out) = (int32_t)found;
    else *(int64_t *)PyArray_DATA(out) = found;
    return wrap(out, node);
}

const NamedPath comparing_paths[] = {
    {"allclose", quick_allclose, false},
    {"isclose", quick_isclose, false},
    {"array_equal", quick_array_equal, false},
    {"count_nonzero", quick_count_nonzero, false},
    {NULL, NULL, false},
};
