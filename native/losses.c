/* Errors of floating results against references, and the kinds of loss, in one pass: `_errors` of
 * supremum/lens/_losses.py computes the same in NumPy's calls, and says what each number is. */
#include <math.h>
#include "args.h"
#include "loops/loops.h"
#include "memory.h"
#include "parts.h"

/* The arrays: a result, widened, and two references; of sums, each operand with its reference. */
enum { WIDE, ALONE, REFERENCE, FIRST, SECOND = FIRST + 2, ARRAYS = SECOND + 2 };
typedef struct {
    const double *arrays[ARRAYS];
    npy_intp steps[ARRAYS];               /* 0 for operands of one element */
    double unit, limit, normal, smallest; /* of the format of the result */
    int sums, vanishing; /* whether there are operands, and whether zeros made of normal numbers have vanished */
} Given;
typedef struct {
    double largest[2], within[2], ulps; /* introduced and inherited */
    npy_intp missing, infinite, overflow, nan, underflow, absorption, cancellation, rounding;
} Errors;

static inline double larger(double x, double y) { return x > y ? x : y; }
static inline double smaller(double x, double y) { return x < y ? x : y; }
#define NEARLY (1 - 0x1p-50)
/* Return a relative error. Equal infinities and NaN have none. */
static inline double error_of(double x, double exact) {
    double found = fabs(x - exact) / fabs(exact);
    return x == exact || (isnan(x) && isnan(exact)) ? 0 : isnan(found) ? INFINITY : found;
}

/* Measure one element. */
static NOINLINE void measure(const Given *given, npy_intp i, Errors *found) {
    double x = given->arrays[WIDE][i], alone = given->arrays[ALONE][i], exact = given->arrays[REFERENCE][i];
    double errors[] = {error_of(x, alone), error_of(x, exact)}, size = fabs(alone), s[ARRAYS - FIRST];
    bool missing = isnan(x), within = (isfinite(x) || !isfinite(exact)) && (size >= given->normal || alone == 0) &&
                                      (fabs(exact) >= given->normal || exact == 0);
    bool beyond = isfinite(alone) && (size > given->limit || isinf(x) || (missing && size >= given->limit));
    bool far = x != alone && alone != 0 && fabs(x - alone) > given->unit * size && fabs(x) < given->normal;
    for (int k = 0; k < 2; k++) found->largest[k] = larger(errors[k], found->largest[k]);
    for (int k = 0; within && k < 2; k++) found->within[k] = larger(errors[k], found->within[k]);
    found->missing += missing;
    found->infinite += isinf(x) != 0;
    found->overflow += beyond;
    found->nan += missing && !beyond;
    found->underflow += far && (size < given->normal || (given->vanishing && x == 0));
    found->rounding += errors[0] != 0;
    if (!given->sums) return;
    for (int k = 0; k < ARRAYS - FIRST; k++) s[k] = given->arrays[FIRST + k][i * given->steps[FIRST + k]];
    found->absorption += x != alone && ((x == s[0] && s[2] != 0) || (fabs(x) == fabs(s[2]) && s[0] != 0));
    found->cancellation += larger(fabs(s[1]), fabs(s[3])) / fabs(exact) >= 8 && errors[1] > 4 * given->unit &&
                           errors[1] > 4 * larger(error_of(s[0], s[1]), error_of(s[2], s[3]));
}

/* Return an error in units of the last place, if it is larger than `found` and one of the largest relative ones. */
static inline double in_ulps(const Given *given, npy_intp i, double largest, double found) {
    double x = given->arrays[WIDE][i], alone = given->arrays[ALONE][i], place = alone;
    *(uint64_t *)&place &= 0x7FF0000000000000; /* a power of two */
    place = larger(place * (2 * given->unit), given->smallest);
    bool less = fabs(x - alone) <= found * place || error_of(x, alone) < largest / 2;
    return less ? found : larger(fabs(x - alone) / place, found);
}

/* Measure all elements. Those within the range whose errors are no larger than those before are only counted, unless a
 * sum absorbed an operand or cancelled; products are compared in place of quotients. */
static void measure_all(const Given *given, npy_intp count, Errors *found) {
    const double *const *all = given->arrays, most = given->sums ? 4 * given->unit : INFINITY;
    for (npy_intp i = 0; i < count; i++) {
        double x = all[WIDE][i], size = fabs(x), alone = fabs(all[ALONE][i]), exact = fabs(all[REFERENCE][i]);
        double error = fabs(x - all[ALONE][i]), inherited = fabs(x - all[REFERENCE][i]);
        if (size <= given->limit && alone <= given->limit && exact <= given->limit &&
            (smaller(size, smaller(alone, exact)) >= given->normal || (error == 0 && inherited == 0)) &&
            error <= found->within[0] * NEARLY * alone &&
            inherited <= smaller(found->within[1], most) * NEARLY * exact &&
            !(given->sums && error > 0 &&
              (x == all[FIRST][i * given->steps[FIRST]] || size == fabs(all[SECOND][i * given->steps[SECOND]]))))
            found->rounding += error > 0;
        else measure(given, i, found);
    }
    for (int k = 0; k < 2; k++) found->largest[k] = larger(found->within[k], found->largest[k]);
    if (larger(found->largest[0], found->largest[1]) <= given->unit) /* all errors are of rounding */
        memcpy(found->within, found->largest, sizeof found->within);
    found->ulps = found->largest[0] == INFINITY ? INFINITY : 0;
    for (npy_intp i = 0; i < count; i++) found->ulps = in_ulps(given, i, found->largest[0], found->ulps);
}

/* errors_of(unit, limit, normal, smallest, vanishing, arrays): the members of Errors; None of other arrays than
 * contiguous ones of float64. The operands of a sum are of the same size, or of one element. */
static PyObject *errors_of(PyObject *Py_UNUSED(module), PyObject *args) {
    PyObject *arrays;
    Given given;
    Errors found = {0};
    npy_intp count = -1;
    if (!PyArg_ParseTuple(args, "ddddpO!:errors_of", &given.unit, &given.limit, &given.normal, &given.smallest,
                          &given.vanishing, &PyTuple_Type, &arrays))
        return NULL;
    given.sums = PyTuple_GET_SIZE(arrays) == ARRAYS;
    for (int k = 0; k < (given.sums ? ARRAYS : FIRST); k++) {
        PyArrayObject *x = k < PyTuple_GET_SIZE(arrays) ? (PyArrayObject *)PyTuple_GET_ITEM(arrays, k) : NULL;
        if (x == NULL || !PyArray_Check(x) || !PyArray_ISCARRAY_RO(x) || PyArray_TYPE(x) != NPY_DOUBLE) Py_RETURN_NONE;
        if (k == WIDE) count = PyArray_SIZE(x);
        given.arrays[k] = PyArray_DATA(x);
        given.steps[k] = PyArray_SIZE(x) == count;
        if (!given.steps[k] && (k < FIRST || PyArray_SIZE(x) != 1)) Py_RETURN_NONE;
    }
    UNLOCKED_DO(count, measure_all(&given, count, &found));
    return Py_BuildValue("(dddddnnnnnnnn)", found.largest[0], found.largest[1], found.within[0], found.within[1],
                         found.ulps, found.missing, found.infinite, found.overflow, found.nan, found.underflow,
                         found.absorption, found.cancellation, found.rounding);
}

/* -- what shows later whether memory was written -- */

/* Whether no number is infinite or NaN, of a format with these bits of exponents in 8 bytes: where all are set, so is
 * the bit above when the lowest is added. */
#define IS_FINITE(level, target) \
    target static bool is_finite_##level(const char *from, npy_intp bytes, uint64_t exponents) { \
        uint64_t found = 0, word = 0, lowest = exponents & ~(exponents << 1); \
        for (npy_intp i = 0; i < bytes / 8; i++) { \
            memcpy(&word, from + i * 8, 8); \
            found |= (word & exponents) + lowest; \
        } \
        word = 0; \
        memcpy(&word, from + bytes / 8 * 8, (size_t)bytes % 8); \
        return ((found | ((word & exponents) + lowest)) & (exponents << 1) & ~exponents) == 0; \
    }
EVERY_LEVEL(IS_FINITE)
#define ENTRY(level, target) [level] = is_finite_##level,
static bool (*const is_finite_at[LEVELS])(const char *, npy_intp, uint64_t) = {EVERY_LEVEL(ENTRY)};

/* Return the bytes of an ndarray, of 64 KiB or more a hash, as `seen` of supremum/lens/_shadows.py does; None if they
 * do not follow each other. */
static PyObject *seen_in(PyArrayObject *x) {
    if (!PyArray_ISONESEGMENT(x)) Py_RETURN_NONE;
    PyObject *found = PyArray_ToString(x, NPY_ANYORDER);
    if (found != NULL && PyBytes_GET_SIZE(found) >= 1 << 16) Py_SETREF(found, PyLong_FromSsize_t(PyObject_Hash(found)));
    return found;
}

/* Whether the numbers of an ndarray, which is one segment, are finite, by the bits of the exponents in 8 bytes. */
static bool is_finite(PyArrayObject *x, uint64_t exponents) {
    bool found;
    npy_intp bytes = PyArray_NBYTES(x);
    const char *from = PyArray_BYTES(x);
    if (exponents == 0) return true;
    UNLOCKED_DO(bytes < 1 << 16 ? 0 : bytes, found = is_finite_at[loop_level](from, bytes, exponents));
    return found;
}

/* -- shadows of arrays, which Python has as weak references with these attributes -- */

enum { KEY, LOOKED, PARTS, SEEN, WHOLE, SLOTS };
static PyTypeObject *shadow_type; /* owned */
static Py_ssize_t slots[SLOTS];   /* where each is in a shadow */
#define SLOT(shadow, which) (*(PyObject **)((char *)(shadow) + slots[which]))

/* Find the slots of the type of shadows; false with an exception. */
static bool find_slots(PyObject *type) {
    static const char *const names[SLOTS] = {"key", "looked", "part", "seen", "whole"};
    for (int i = 0; i < SLOTS; i++) {
        PyObject *found = PyObject_GetAttrString(type, names[i]);
        if (found == NULL) return false;
        slots[i] = ((PyMemberDescrObject *)found)->d_member->offset;
        Py_DECREF(found);
    }
    Py_XSETREF(shadow_type, (PyTypeObject *)Py_NewRef(type));
    return true;
}

/* Return the first weak reference to an ndarray that is a shadow, from another one on, or NULL. */
static PyWeakReference *shadow_from(PyWeakReference *one) {
    while (one != NULL && !Py_IS_TYPE(one, shadow_type)) one = one->wr_next;
    return one;
}
#define SHADOW_OF(data) shadow_from(*(PyWeakReference **)PyObject_GET_WEAKREFS_LISTPTR((PyObject *)(data)))

/* Note that memory is handed out: keep what is seen now, where that was not needed before. */
static void note(PyArrayObject *data) {
    while (PyArray_BASE(data) != NULL && PyArray_Check(PyArray_BASE(data))) data = (PyArrayObject *)PyArray_BASE(data);
    Py_INCREF(data);
    PyWeakReference *one = SHADOW_OF(data);
    while (one != NULL) {
        Py_XSETREF(SLOT(one, LOOKED), Py_NewRef(Py_False));
        if (SLOT(one, SEEN) == Py_False) {
            PyObject *shadow = Py_NewRef((PyObject *)one), *now = seen_in(data);
            if (now == NULL) PyErr_Clear();
            Py_XSETREF(SLOT(shadow, SEEN), now == NULL ? Py_NewRef(Py_None) : now);
            Py_DECREF(shadow);
            one = SHADOW_OF(data); /* others may have changed */
        } else one = shadow_from(one->wr_next);
    }
    Py_DECREF(data);
}

/* -- calls that are not measured -- */

/* What is known of a lens, and of a line of the program; `Lens.__supremum_call__` says what each is. */
enum { SLOW, SITES, LIVE, SHADOW, FORGET, LATER, LAST, COUNTS, OPERAND, TRIM, LENS_PARTS };
enum { RESULTS, NODES, NAMED, RESULT, CALL, ROW, PLACES, CODE, FUNCTION };
enum { CALLS, BYTES, MOST_BYTES, SHOWN }; /* the counts of a lens, and whether it shows how many calls there were */
enum { NUMBER, EXPONENTS };               /* those of a row */
enum { DEPTH = 4, HELD };                 /* of a Later */
enum { LARGE = 4096, DEEPEST = 50, MOST_HELD = 1 << 22 };
#define NUMBERS(x) ((npy_int64 *)PyArray_DATA((PyArrayObject *)(x)))
#define PART(of, place) PyTuple_GET_ITEM(of, place)

/* Return what a call that is made later takes for an operand; NULL if it is not known, or written to since. */
static PyObject *part_of(PyObject *lens, PyArrayObject *data) {
    PyWeakReference *one = SHADOW_OF(data);
    /* Of those of a lens, one has a number as its key. */
    while (one != NULL &&
           (one->wr_callback != PART(lens, FORGET) || SLOT(one, KEY) == NULL || !PyLong_CheckExact(SLOT(one, KEY))))
        one = shadow_from(one->wr_next);
    if (one == NULL || SLOT(one, PARTS) == Py_None) return NULL;
    PyObject *shadow = Py_NewRef((PyObject *)one), *part = NULL;
    /* Memory to which the Array alone refers has no other user, if it was not handed out since. */
    bool same = SLOT(shadow, SEEN) == Py_False || (SLOT(shadow, LOOKED) == Py_True && Py_REFCNT(data) == 1);
    if (!same) {
        Py_XSETREF(SLOT(shadow, LOOKED), Py_NewRef(Py_True)); /* unless others get it meanwhile */
        PyObject *before = Py_NewRef(SLOT(shadow, SEEN)), *now = seen_in(data);
        same = now != NULL && PyObject_RichCompareBool(now, before, Py_EQ) == 1;
        Py_XDECREF(now);
        Py_DECREF(before);
    }
    if (same) part = Py_NewRef(SLOT(shadow, PARTS));
    Py_DECREF(shadow);
    if (part == NULL) PyErr_Clear(); /* what is called in Python then has to begin without one */
    return part;
}

/* Return the shadow of an ndarray whose reference is computed later, or NULL with an exception. */
static PyObject *new_shadow(PyObject *lens, PyArrayObject *data, PyObject *later) {
    PyObject *given = PyTuple_Pack(2, data, PART(lens, FORGET)), *key = PyLong_FromSsize_t((Py_ssize_t)data);
    PyObject *shadow = given == NULL || key == NULL ? NULL : shadow_type->tp_new(shadow_type, given, NULL);
    if (shadow != NULL) {
        SLOT(shadow, KEY) = Py_NewRef(key);
        SLOT(shadow, SEEN) = Py_NewRef(Py_False); /* the memory is as it was, see `note` */
        SLOT(shadow, WHOLE) = Py_NewRef(later);
        SLOT(shadow, PARTS) = Py_NewRef(later);
        SLOT(shadow, LOOKED) = Py_NewRef(Py_False);
        if (PyDict_SetItem(PART(lens, LIVE), key, shadow) < 0) Py_CLEAR(shadow);
    }
    Py_XDECREF(given);
    Py_XDECREF(key);
    return shadow;
}

/* Have the reference of a result computed later; false if Python does what is to be done. */
static bool keep(PyObject *lens, PyObject *site, PyObject *args, PyObject *kwargs, PyObject *result) {
    npy_int64 *row = NUMBERS(PART(site, RESULTS)), *counts = NUMBERS(PART(lens, COUNTS));
    PyObject *nodes = PART(site, NODES), *parts = NULL, *shadow = NULL, *later = NULL, *key, *x;
    PyArrayObject *data = IS_ARRAY(result) ? ((Array *)result)->data : NULL;
    Py_ssize_t count = PyTuple_GET_SIZE(args), depth = 0, held = 0, own = 0, place = 0;
    if (data == NULL || ((Array *)result)->node->object != PART(site, RESULT) || PyArray_BASE(data) != NULL ||
        !PyArray_IS_C_CONTIGUOUS(data) || SHADOW_OF(data) != NULL || PyTuple_GET_SIZE(nodes) != count ||
        (counts[SHOWN] && counts[CALLS] % 256 == 255))
        return false;
    if (counts[BYTES] > counts[MOST_BYTES]) {
        Py_XDECREF(x = PyObject_CallNoArgs(PART(lens, TRIM)));
        if (x == NULL) return false;
    }
    bool good = (parts = PyList_New(count)) != NULL && PyDict_GET_SIZE(kwargs) == PyDict_GET_SIZE(PART(site, NAMED));
    while (good && PyDict_Next(kwargs, &place, &key, &x))
        good = PyDict_GetItemWithError(PART(site, NAMED), key) == (PyObject *)Py_TYPE(x);
    bool large = PyArray_SIZE(data) > LARGE, places = PART(site, PLACES) == Py_True;
    for (Py_ssize_t i = 0; good && i < count; i++) {
        PyObject *part;
        x = PART(args, i);
        PyList_SET_ITEM(parts, i, Py_NewRef(x));
        if (!IS_ARRAY(x)) good = (PyObject *)Py_TYPE(x) == PART(nodes, i);
        if (!IS_ARRAY(x)) continue;
        const Node *node = ((Array *)x)->node;
        PyArrayObject *operand = ((Array *)x)->data;
        good =
            node->object == PART(nodes, i) && operand != data &&
            ((part = part_of(lens, operand)) != NULL || (part = PyObject_CallOneArg(PART(lens, OPERAND), x)) != NULL);
        if (!good) break;
        PyList_SetItem(parts, i, part);
        large = large || (PyArray_SIZE(operand) > LARGE && (node->kind == 'f' || node->kind == 'c'));
        places = places && (PyArray_SIZE(operand) == 1 || PyArray_SIZE(operand) == PyArray_SIZE(data));
        bool delayed = !IS_ARRAY(part);
        *(delayed ? &held : &own) +=
            delayed ? PyLong_AsSsize_t(PyList_GET_ITEM(part, HELD)) : PyArray_NBYTES(((Array *)part)->data);
        if (delayed) depth = Py_MAX(depth, PyLong_AsSsize_t(PyList_GET_ITEM(part, DEPTH)));
    }
    good = good && large && depth < DEEPEST && (held += own) <= MOST_HELD && is_finite(data, (uint64_t)row[EXPONENTS]);
    PyObject *known = good ? Py_BuildValue("OOOOnnnO", PART(site, CALL), parts, kwargs, Py_None, depth + 1, held,
                                           PyArray_SIZE(data), places ? Py_True : Py_False)
                           : NULL;
    good = known != NULL && (later = PyObject_CallOneArg(PART(lens, LATER), known)) != NULL &&
           (shadow = new_shadow(lens, data, later)) != NULL &&
           PyList_SetItem(PART(lens, LAST), 0, Py_NewRef(PART(site, ROW))) == 0;
    if (good) {
        counts[BYTES] += own + PyArray_NBYTES(data); /* what others hold is counted */
        counts[CALLS]++;
        row[NUMBER]++;
    }
    PyObject *owned[] = {parts, known, later, shadow};
    for (int i = 0; i < 4; i++) Py_XDECREF(owned[i]);
    return good;
}

/* Whether a frame is one of this package's. */
static bool is_own(PyFrameObject *frame) {
    PyObject *globals = PyFrame_GetGlobals(frame), *name = PyDict_GetItemWithError(globals, names.__name__);
    Py_ssize_t size;
    const char *text = name != NULL && PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, &size) : NULL;
    Py_DECREF(globals);
    return text != NULL && strncmp(text, "supremum", 8) == 0 && (size == 8 || text[8] == '.');
}

/* Return what is known of the line of the user's code at which a function is called, or NULL. */
static PyObject *site_of(PyObject *sites, PyObject *function) {
    PyObject *site = NULL, *key = NULL;
    PyFrameObject *frame = (PyFrameObject *)Py_XNewRef((PyObject *)PyEval_GetFrame());
    while (frame != NULL && is_own(frame)) Py_SETREF(frame, PyFrame_GetBack(frame));
    if (frame != NULL) {
        PyCodeObject *code = PyFrame_GetCode(frame);
        key = PyLong_FromSsize_t((Py_ssize_t)code + PyFrame_GetLasti(frame) + (Py_ssize_t)function);
        if (key == NULL || find_entry(sites, key, &site) < 0) PyErr_Clear();
        if (site != NULL && (PART(site, CODE) != (PyObject *)code || PART(site, FUNCTION) != function)) Py_CLEAR(site);
        Py_DECREF(code);
    }
    Py_XDECREF(frame);
    Py_XDECREF(key);
    return site;
}

/* Call a function for a lens. */
static PyObject *follow(PyObject *lens, PyObject *const *given, Py_ssize_t count) {
    PyObject *result = NULL, *all[] = {given[0], given[1], given[2], NULL, Py_True};
    PyObject *site = count != 3 ? NULL : site_of(PART(lens, SITES), given[0]);
    npy_int64 number = site == NULL ? 0 : NUMBERS(PART(site, RESULTS))[NUMBER];
    bool some = number % (number < 256 ? 16 : 64) == 0, done = false; /* some elements are measured */
    int known = 3;
    if ((number & (number - 1)) != 0 && (!some || PART(site, PLACES) == Py_True)) {
        all[3] = result = PyObject_Call(given[0], given[1], given[2]);
        bool kept = result != NULL && keep(lens, site, given[1], given[2], result);
        if (result != NULL && !kept) PyErr_Clear();
        done = result == NULL || (kept && !some);
        known += kept ? 2 : 1;
    }
    if (!done) Py_XSETREF(result, PyObject_Vectorcall(PART(lens, SLOW), all, known, NULL));
    Py_XDECREF(site);
    return result;
}
static PyMethodDef following = {"follow", FASTCALL(follow), PyDoc_STR("Call a function for a lens.")};

/* forget(live, died): drop the shadow of an array that died. */
static PyObject *forget(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count) {
    PyObject *found = NULL, *died = count == 2 ? args[1] : NULL, *key;
    if (died == NULL || !Py_IS_TYPE(died, shadow_type))
        return PyErr_Format(PyExc_TypeError, "forget: expected a shadow");
    key = SLOT(died, KEY);
    bool good =
        key == NULL || (find_entry(args[0], key, &found) >= 0 && (found != died || PyDict_DelItem(args[0], key) == 0));
    Py_XDECREF(found);
    return good ? Py_NewRef(Py_None) : NULL;
}

/* follower(...): what a lens has calls made by, of the parts of the lens. */
static PyObject *follower(PyObject *Py_UNUSED(module), PyObject *args) {
    if (PyTuple_GET_SIZE(args) != LENS_PARTS)
        return PyErr_Format(PyExc_TypeError, "follower: expected %d parts of a lens", LENS_PARTS);
    if (!find_slots(PART(args, SHADOW))) return NULL;
#ifdef Py_GIL_DISABLED /* other threads may write at any time */
    return Py_NewRef(PART(args, SLOW));
#endif
    hand_out = note;
    return PyCFunction_New(&following, args);
}

PyMethodDef loss_functions[] = {
    {"errors_of", errors_of, METH_VARARGS, PyDoc_STR("Measure a result.")},
    {"follower", follower, METH_VARARGS, PyDoc_STR("Return what calls functions for a lens.")},
    {"forget", FASTCALL(forget), PyDoc_STR("Drop the shadow of an array that died from a dict.")},
    {0},
};
