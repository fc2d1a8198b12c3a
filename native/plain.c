/* Plain: a function as one call on the buffers where the arguments are plain.
 *
 * Plain are Arrays of 1 to MOST_ELEMENTS elements, of strong nodes that C knows and the settings allow, and otherwise
 * ints, floats, None, strings and tuples of ints, by position or by the keywords of a list. The call gets the buffers
 * in place of the Arrays. Its results are wrapped as what their dtypes say. Where the call raises an exception or
 * returns NotImplemented, and for everything that is not plain, the Python definition is called.
 */
#include "args.h"
#include "cast.h"
#include "hooks.h"
#include "parts.h"
#include "paths.h"
#include "scalars.h"

PyTypeObject *PlainType;

/* So many elements that calls may add up the lengths of arrays, and multiply them by such numbers, without a check. */
enum { MOST_ARGUMENTS = 8, MOST_ELEMENTS = INT32_MAX };

struct Plain {
    PyObject_HEAD
    PyObject *call;     /* owned; from ndarrays to an ndarray, a scalar, or a tuple or list of those */
    PyObject *make;     /* owned; the class of tuples that several results become, or NULL */
    PyObject *keywords; /* owned; a tuple of the interned names that may be given */
    PyObject *kinds;    /* owned; a string of the kinds of nodes that are plain */
    int positional;     /* how many arguments may come by position at most */
    int arrays; /* how many arguments are Arrays, the first ones; 0 where the first one is a list or tuple of them, -1
                   where all by position are */
    int least;  /* the number of axes that they have at least */
    bool mixed; /* whether they may have different nodes; only the first one's kind is looked at */
    bool index; /* whether 64-bit integers are indices, which are of the default integer */
    PyObject
        *errors; /* owned; NumPy's error state while the call runs, or NULL where it raises no floating-point errors */
};

/* Whether an Array is plain: see above. */
static bool is_plain(const Plain *self, const State *state, PyObject *x) {
    if (!IS_ARRAY(x)) return false;
    const Array *array = (Array *)x;
    const Node *node = array->node;
    npy_intp size = PyArray_SIZE(array->data);
    return !node->weak && is_native(node->type) && allows(state, node) && keeps(state, node, S_NONE) &&
           is_of(array->data, node) && PyArray_NDIM(array->data) >= self->least && size > 0 && size <= MOST_ELEMENTS;
}

/* Whether an argument that is no Array can be passed on as it is. */
static bool is_plain_option(PyObject *x) {
    if (x == Py_None || PyLong_CheckExact(x) || PyFloat_CheckExact(x) || PyUnicode_CheckExact(x)) return true;
    if (!PyTuple_CheckExact(x)) return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(x); i++)
        if (!PyLong_CheckExact(PyTuple_GET_ITEM(x, i))) return false;
    return true;
}

/* Whether objects are Arrays that go with each other. */
static bool are_plain(const Plain *self, const State *state, PyObject *const *arrays, Py_ssize_t count) {
    for (Py_ssize_t i = 0; i < count; i++) {
        if (!is_plain(self, state, arrays[i])) return false;
        if (!self->mixed && ((Array *)arrays[i])->node != ((Array *)arrays[0])->node) return false;
    }
    return count > 0 && PyUnicode_FindChar(self->kinds, ((Array *)arrays[0])->node->kind, 0,
                                           PyUnicode_GET_LENGTH(self->kinds), 1) >= 0;
}

/* Return a list of the buffers of a list or tuple of Arrays; NULL, perhaps with an exception, where they are not
 * plain. May run Python. */
static PyObject *plain_sequence(const Plain *self, const State *state, PyObject *sequence) {
    PyObject *buffers = PyList_CheckExact(sequence) || PyTuple_CheckExact(sequence) ? PySequence_List(sequence) : NULL;
    if (buffers == NULL) return NULL;
    Py_ssize_t count = PyList_GET_SIZE(buffers);
    if (!are_plain(self, state, ((PyListObject *)buffers)->ob_item, count)) Py_CLEAR(buffers);
    for (Py_ssize_t i = 0; buffers != NULL && i < count; i++) {
        PyObject *array = PyList_GET_ITEM(buffers, i);
        PyList_SET_ITEM(buffers, i, (PyObject *)operand_of(array).data);
        Py_DECREF(array);
    }
    return buffers;
}

/* Put the arguments of the call into `given`, as new references: their number, or 0, perhaps with an exception, where
 * they are not plain. */
static Py_ssize_t plain_arguments(const Plain *self, const State *state, const Arguments *arguments, PyObject **given) {
    Py_ssize_t keywords = arguments->names == NULL ? 0 : PyTuple_GET_SIZE(arguments->names),
               total = arguments->count + keywords;
    Py_ssize_t arrays = self->arrays < 0 ? arguments->count : self->arrays, first = arrays == 0 ? 1 : arrays;
    if (arguments->count < first || arguments->count > self->positional || total > MOST_ARGUMENTS || !state->remember)
        return 0;
    if (arrays > 0 && !are_plain(self, state, arguments->values, arrays)) return 0;
    for (Py_ssize_t i = first; i < total; i++)
        if (!is_plain_option(arguments->values[i])) return 0;
    for (Py_ssize_t i = 0; i < keywords; i++) {
        Py_ssize_t place = 0, count = PyTuple_GET_SIZE(self->keywords);
        while (place < count && PyTuple_GET_ITEM(self->keywords, place) != PyTuple_GET_ITEM(arguments->names, i))
            place++;
        if (place == count) return 0;
    }
    if (arrays == 0 && (given[0] = plain_sequence(self, state, arguments->values[0])) == NULL) return 0;
    for (Py_ssize_t i = arrays == 0; i < total; i++)
        given[i] = i < arrays ? (PyObject *)operand_of(arguments->values[i]).data : Py_NewRef(arguments->values[i]);
    return total;
}

/* Return an integer as an array without axes; NULL where it is none of the node's. */
static PyObject *index_of(const Node *node, PyObject *value) {
    _Alignas(16) char place[16];
    if (!is_native(node->type) || store_scalar(node->type, value, S_INT, place) != 1) return NULL;
    PyArrayObject *out = new_data(node, 0, NULL, false);
    if (out != NULL) memcpy(PyArray_BYTES(out), place, type_size[node->type]);
    return wrap(out, node);
}

/* Return 64-bit integers as those of a node. */
static PyObject *indices_of(const Node *node, PyArrayObject *data) {
    Cast *cast = cast_between(E_INT64, node->type);
    if (cast == NULL || !PyArray_IS_C_CONTIGUOUS(data) || !PyArray_ISALIGNED(data))
        return PyArray_CastToType(data, (PyArray_Descr *)Py_NewRef((PyObject *)node->dtype), 0);
    PyArrayObject *out = new_data(node, PyArray_NDIM(data), PyArray_DIMS(data), false);
    if (out != NULL) cast(PyArray_BYTES(data), PyArray_BYTES(out), PyArray_SIZE(data));
    return (PyObject *)out;
}

/* Wrap one result; NULL without an exception where its dtype is none that the settings allow. */
static PyObject *wrapped_part(const Plain *self, const State *state, PyObject *part) {
    PyObject *data;
    const Node *integer = self->index ? state->defaults[S_INT] : NULL;
    if (integer != NULL && PyLong_CheckExact(part)) return index_of(integer, part);
    if (PyArray_CheckExact(part)) data = Py_NewRef(part);
    else if (PyArray_IsScalar(part, Generic)) data = PyArray_FromScalar(part, NULL);
    else return NULL;
    if (data == NULL) return NULL;
    const Node *node = node_of_dtype(PyArray_DESCR((PyArrayObject *)data));
    if (node != NULL && node->type == E_INT64 && integer != NULL && integer->type != E_INT64) {
        node = integer;
        Py_SETREF(data, indices_of(node, (PyArrayObject *)data));
        if (data == NULL) return NULL;
    }
    if (node != NULL && is_native(node->type) && allows(state, node)) return wrap((PyArrayObject *)data, node);
    Py_DECREF(data);
    return NULL;
}

static PyObject *wrapped_result(const Plain *self, const State *state, PyObject *result) {
    bool list = PyList_CheckExact(result);
    if (!list && !PyTuple_Check(result)) return wrapped_part(self, state, result);
    Py_ssize_t count = PySequence_Fast_GET_SIZE(result);
    PyObject *parts = list ? PyList_New(count) : PyTuple_New(count);
    for (Py_ssize_t i = 0; parts != NULL && i < count; i++) {
        PyObject *part = wrapped_part(self, state, PySequence_Fast_GET_ITEM(result, i));
        if (part == NULL) Py_CLEAR(parts);
        else if (list) PyList_SET_ITEM(parts, i, part);
        else PyTuple_SET_ITEM(parts, i, part);
    }
    if (parts == NULL || self->make == NULL) return parts;
    PyObject *arguments = PyTuple_Pack(1, parts), *made = NULL;
    if (arguments != NULL) made = PyTuple_Type.tp_new((PyTypeObject *)self->make, arguments, NULL);
    Py_XDECREF(arguments);
    Py_DECREF(parts);
    return made;
}

/* Return the result of the call; NULL without an exception where it is not plain. May run Python. */
PyObject *call_plain(const Plain *self, const Arguments *arguments) {
    PyObject *given[MOST_ARGUMENTS], *result = NULL, *found = NULL;
    State *state = current_state();
    if (state == NULL) return NULL;
    Py_INCREF(state);
    Py_ssize_t total = plain_arguments(self, state, arguments, given);
    Silence silence;
    bool silent = self->errors != NULL;
    if (total > 0 && (!silent || enter_errors(&silence, self->errors) == 0)) {
        result = PyObject_Vectorcall(self->call, given, arguments->count, arguments->names);
        if (silent && leave_silence(&silence) < 0) Py_CLEAR(result);
    }
    for (Py_ssize_t i = 0; i < total; i++) Py_DECREF(given[i]);
    if (result != NULL) {
        found = wrapped_result(self, state, result);
        Py_DECREF(result);
    }
    if (found == NULL) drop_error(); /* the definition says what was wrong */
    Py_DECREF(state);
    return found;
}

/* Return a tuple of the strings of another, interned, as the keywords in source code are. */
static PyObject *interned(PyObject *names) {
    Py_ssize_t count = PyTuple_GET_SIZE(names);
    PyObject *result = PyTuple_New(count);
    for (Py_ssize_t i = 0; result != NULL && i < count; i++) {
        PyObject *name = Py_NewRef(PyTuple_GET_ITEM(names, i));
        if (PyUnicode_CheckExact(name)) PyUnicode_InternInPlace(&name);
        PyTuple_SET_ITEM(result, i, name);
    }
    return result;
}

static PyObject *plain_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *keywords[] = {"call",  "arrays", "kinds",  "keywords",   "make", "least",
                               "mixed", "index",  "errors", "positional", NULL};
    PyObject *call, *kinds = NULL, *names = NULL, *make = Py_None, *errors = silent_state;
    int arrays = 1, least = 1, mixed = 0, index = 0, positional = MOST_ARGUMENTS;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|iUO!OippOi:Plain", keywords, &call, &arrays, &kinds,
                                     &PyTuple_Type, &names, &make, &least, &mixed, &index, &errors, &positional))
        return NULL;
    bool makes = make == Py_None || (PyType_Check(make) && PyType_IsSubtype((PyTypeObject *)make, &PyTuple_Type));
    if (!PyCallable_Check(call) || !makes)
        return PyErr_Format(PyExc_TypeError, "Plain: expected a callable and a class of tuples, got %R and %R", call,
                            make);
    if (arrays < -1 || arrays > MOST_ARGUMENTS)
        return PyErr_Format(PyExc_ValueError, "Plain: arrays is from -1 to %d, got %d", MOST_ARGUMENTS, arrays);
    Plain *self = (Plain *)type->tp_alloc(type, 0);
    if (self == NULL) return NULL;
    self->call = Py_NewRef(call);
    self->make = make == Py_None ? NULL : Py_NewRef(make);
    self->kinds = kinds == NULL ? PyUnicode_FromString("biufc") : Py_NewRef(kinds);
    self->keywords = names == NULL ? PyTuple_New(0) : interned(names);
    self->arrays = arrays;
    self->positional = positional;
    self->least = least;
    self->mixed = mixed;
    self->index = index;
    self->errors = errors == Py_None ? NULL : Py_XNewRef(errors);
    if (self->kinds == NULL || self->keywords == NULL) Py_CLEAR(self);
    return (PyObject *)self;
}

/* Calls own no reference to the parts of a Plain, which its function has; so the garbage collector may not clear them.
 */
#define PLAIN_USED(X) X(call) X(make) X(errors)
#define PLAIN_OTHERS(X) X(kinds) X(keywords)
COLLECTED(plain, Plain, NONE, PLAIN_USED, PLAIN_OTHERS, )

static PyType_Slot plain_slots[] = {{Py_tp_new, plain_new}, COLLECTED_SLOTS(plain), {0, NULL}};
PyType_Spec plain_spec = {"supremum._native.Plain", sizeof(Plain), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                          plain_slots};
