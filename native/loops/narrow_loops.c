/* Loops of narrow dtypes, as ufuncs: each ufunc has one loop, of one function and one dtype, and is made when it is
 * first needed.
 *
 * A loop runs a kernel on the codes (narrow_kernels.c), or looks up what bytes become, or widens blocks that stay in
 * the first-level cache, has NumPy's loop of a wider dtype compute them, and rounds the results.
 */
#include "narrow_kernels.h"

#include <float.h>
#include <math.h>

enum { SOME = 1024, WIDE_BYTES = 4 * SOME }; /* elements of a block, and the bytes of their widest form */

/* What NumPy's loop of float32 is wrong for: results that take the place of others. */
typedef void Repair(const float *a, const float *b, float *out, npy_intp count);

typedef struct Loop {
    PyObject *ufunc; /* owned; lives as long as the process */
    char *name;      /* owned, likewise */
    Type type;
    int operands;
    int size, out_size;    /* of an element */
    Kernels kernels, then; /* of codes; `then` has the minimum of the maximum and the third operand */
    const Layout *layout;
    uint8_t *table;                  /* or what the 256 bytes become: owned */
    UfuncLoop wide;                  /* or NumPy's loop, */
    int wide_size;                   /* whose elements have so many bytes */
    bool truth;                      /* whether its results are truth values */
    bool quiet;                      /* whether it must not get signalling NaN */
    Repair *const *repair;           /* by level */
    PyUFuncGenericFunction function; /* what the ufunc has */
    void *data;                      /* that the function gets: the loop */
    char of_half[4];                 /* the types of the operands and the result, of float16, */
    int types[4];                    /* and of the others */
    struct Loop *next;
} Loop;

/* -- blocks -- */

static inline void gather(const char *from, npy_intp step, char *to, npy_intp count, int size) {
    if (size == 1)
        for (npy_intp i = 0; i < count; i++) to[i] = from[i * step];
    else
        for (npy_intp i = 0; i < count; i++) ((uint16_t *)to)[i] = *(const uint16_t *)(from + i * step);
}
static inline void scatter(const char *from, char *to, npy_intp step, npy_intp count, int size) {
    if (size == 1)
        for (npy_intp i = 0; i < count; i++) to[i * step] = from[i];
    else
        for (npy_intp i = 0; i < count; i++) *(uint16_t *)(to + i * step) = ((const uint16_t *)from)[i];
}

/* Where blocks are gathered, and where they are widened; `repeated` operands are one element, and stay once they are
 * `ready`. */
typedef struct {
    _Alignas(64) char codes[4][2 * SOME], wide[3][WIDE_BYTES];
    bool repeated[3], ready[3];
} Scratch;
/* Compute contiguous elements. */
typedef void Block(const Loop *loop, const char *const *in, char *out, npy_intp count, Scratch *scratch);

/* Run a loop block by block: what is not contiguous is gathered, and one element repeated. Where results are read
 * again, as in a reduction, a block is one element. */
static inline void run(char **args, const npy_intp *dimensions, const npy_intp *steps, const Loop *loop, Block *block,
                       bool whole) {
    npy_intp count = dimensions[0], some = SOME;
    const int operands = loop->operands, size = loop->size, out_size = loop->out_size;
    char *out = args[operands];
    npy_intp out_step = steps[operands];
    if (count <= 0) return;
    bool plain = out_step == out_size;
    for (int i = 0; i < operands; i++) {
        if (steps[i] != size) plain = false;
        /* Elements of another size are not the same ones; where they begin at one address, the loop is ahead of its
         * results or behind. */
        bool apart =
            size == out_size || args[i] != out ? unordered(args[i], steps[i], out, out_step, count, size) : count == 1;
        if (!apart || (out_step == 0 && count > 1)) some = 1;
    }
    if (some == 1 && count > 1) plain = false;
    const char *in[3] = {args[0], operands >= 2 ? args[1] : args[0], operands == 3 ? args[2] : args[0]};
    Scratch scratch;
    for (int i = 0; i < 3; i++) scratch.ready[i] = scratch.repeated[i] = false;
    if (plain && (whole || count <= SOME)) {
        block(loop, in, out, count, &scratch);
        return;
    }
    for (npy_intp done = 0; done < count; done += some) {
        npy_intp now = count - done < some ? count - done : some;
        for (int i = 0; i < operands; i++) {
            const char *from = args[i] + done * steps[i];
            in[i] = steps[i] == size ? from : scratch.codes[i];
            if (steps[i] == size || scratch.repeated[i]) continue;
            gather(from, steps[i], scratch.codes[i], now, size);
            scratch.repeated[i] = steps[i] == 0 && some > 1;
        }
        if (operands == 1) in[1] = in[0];
        char *to = out + done * out_step;
        block(loop, in, out_step == out_size ? to : scratch.codes[3], now, &scratch);
        if (out_step != out_size) scatter(scratch.codes[3], to, out_step, now, out_size);
    }
}

static void block_of_codes(const Loop *loop, const char *const *in, char *out, npy_intp count,
                           Scratch *Py_UNUSED(scratch)) {
    loop->kernels.levels[loop_level](in[0], in[1], out, count, loop->layout);
}
static void block_of_clip(const Loop *loop, const char *const *in, char *out, npy_intp count,
                          Scratch *Py_UNUSED(scratch)) {
    _Alignas(16) char scratch[2 * SOME];
    loop->kernels.levels[loop_level](in[0], in[1], scratch, count, loop->layout);
    loop->then.levels[loop_level](scratch, in[2], out, count, loop->layout);
}
static void block_of_bytes(const Loop *loop, const char *const *in, char *out, npy_intp count,
                           Scratch *Py_UNUSED(scratch)) {
    const uint8_t *x = (const uint8_t *)in[0], *table = loop->table;
    uint8_t *to = (uint8_t *)out;
    npy_intp i = 0;
    for (; i + 4 <= count; i += 4) { /* reads before writes, which a compiler must not exchange */
        uint8_t a = table[x[i]], b = table[x[i + 1]], c = table[x[i + 2]], d = table[x[i + 3]];
        to[i] = a;
        to[i + 1] = b;
        to[i + 2] = c;
        to[i + 3] = d;
    }
    for (; i < count; i++) to[i] = table[x[i]];
}
#define QUIETEN(level, target) \
    target static void quieten_##level(uint32_t *x, npy_intp count) { \
        for (npy_intp i = 0; i < count; i++) x[i] |= (x[i] & 0x7FFFFFFFu) > 0x7F800000u ? 0x00400000u : 0; \
    }
#define QUIETEN_ENTRY(level, target) [level] = quieten_##level,
EVERY_LEVEL(QUIETEN)
static void (*const quieten[LEVELS])(uint32_t *x, npy_intp count) = {EVERY_LEVEL(QUIETEN_ENTRY)};
static void block_of_wide(const Loop *loop, const char *const *in, char *out, npy_intp count, Scratch *scratch) {
    char *a = scratch->wide[0], *b = scratch->wide[1], *to = loop->truth ? out : scratch->wide[2];
    for (int i = 0; i < loop->operands; i++) {
        if (scratch->ready[i]) continue;
        widening_of(loop->type)(in[i], scratch->wide[i], count);
        if (loop->quiet) quieten[loop_level]((uint32_t *)scratch->wide[i], count);
        scratch->ready[i] = scratch->repeated[i];
    }
    npy_intp wide = loop->wide_size, result = loop->truth ? 1 : wide;
    char *args[3] = {a, loop->operands == 2 ? b : to, to};
    npy_intp steps[3] = {wide, loop->operands == 2 ? wide : result, result};
    loop->wide.function(args, &count, steps, loop->wide.data);
    if (loop->repair != NULL) loop->repair[loop_level]((const float *)a, (const float *)b, (float *)to, count);
    if (!loop->truth) narrowing_of(loop->type)(to, out, count);
}

static void run_codes(char **args, const npy_intp *dimensions, const npy_intp *steps, void *data) {
    run(args, dimensions, steps, data, block_of_codes, true);
}
static void run_clip(char **args, const npy_intp *dimensions, const npy_intp *steps, void *data) {
    run(args, dimensions, steps, data, block_of_clip, false);
}
static void run_bytes(char **args, const npy_intp *dimensions, const npy_intp *steps, void *data) {
    run(args, dimensions, steps, data, block_of_bytes, true);
}
static void run_wide(char **args, const npy_intp *dimensions, const npy_intp *steps, void *data) {
    run(args, dimensions, steps, data, block_of_wide, false);
}

/* -- results that differ from NumPy's -- */

/* The floor of the quotient is a signed zero or infinity if an operand is infinite, not NumPy's -1 or NaN. */
#define REPAIR_FLOOR_DIVIDE(level, target) \
    target static void repair_floor_divide_##level(const float *a, const float *b, float *out, npy_intp count) { \
        for (npy_intp i = 0; i < count; i++) \
            if (!(fabsf(a[i]) <= FLT_MAX && fabsf(b[i]) <= FLT_MAX) && (isinf(a[i]) || isinf(b[i]))) \
                out[i] = floorf(a[i] / b[i]); \
    }
EVERY_LEVEL(REPAIR_FLOOR_DIVIDE)
#define FLOOR_DIVIDE_ENTRY(level, target) [level] = repair_floor_divide_##level,
static Repair *const repair_floor_divide[LEVELS] = {EVERY_LEVEL(FLOOR_DIVIDE_ENTRY)};
/* Functions that treat signalling NaN otherwise than quiet ones, or not everywhere alike. */
static const char *const sensitive[] = {"fmax", "fmin", "hypot", "pow", "float_power", NULL};

/* -- ufuncs -- */

static Loop *loops; /* all that were made; they live as long as the process */

/* Find the loop of a ufunc from a wide type to itself or to truth values. */
static bool find_wide(Loop *loop, const PyUFuncObject *ufunc) {
    Type wide = is_narrow_integer(loop->type) ? E_INT8 : E_FLOAT32;
    if (ufunc->nin != loop->operands) return false;
    loop->wide_size = type_size[wide];
    if (find_ufunc_loop(ufunc, wide, wide, &loop->wide)) return true;
    return loop->truth = find_ufunc_loop(ufunc, wide, E_BOOL, &loop->wide);
}

/* Decide how a function is computed; 1, or 0 where there is no loop, or -1 with an exception. */
static int decide(Loop *loop, PyObject *wide, PyObject *table) {
    loop->size = loop->out_size = (int)size_of_narrow(loop->type);
    if (loop->operands == 3) {
        if (strcmp(loop->name, "clip") || !find_kernels("maximum", loop->type, &loop->kernels) ||
            !find_kernels("minimum", loop->type, &loop->then))
            return 0;
        loop->layout = layout_of(loop->type);
        loop->function = run_clip;
    } else if (find_kernels(loop->name, loop->type, &loop->kernels) && loop->kernels.operands == loop->operands) {
        loop->layout = layout_of(loop->type);
        loop->truth = loop->kernels.truth;
        loop->function = run_codes;
    } else if (table != Py_None) {
        PyArrayObject *data = (PyArrayObject *)table;
        if (!PyArray_Check(table) || PyArray_SIZE(data) != 256 || PyArray_ITEMSIZE(data) != 1 ||
            !PyArray_IS_C_CONTIGUOUS(data)) {
            PyErr_SetString(PyExc_TypeError, "narrow_ufunc: expected a table of 256 bytes");
            return -1;
        }
        loop->table = PyMem_Malloc(256);
        if (loop->table == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        memcpy(loop->table, PyArray_BYTES(data), 256);
        loop->truth = PyArray_DESCR(data)->type_num == NPY_BOOL;
        loop->function = run_bytes;
    } else if (wide != Py_None && PyObject_TypeCheck(wide, &PyUFunc_Type) && find_wide(loop, (PyUFuncObject *)wide)) {
        if (strcmp(loop->name, "floor_divide") == 0 && loop->wide_size == 4) loop->repair = repair_floor_divide;
        for (int i = 0; sensitive[i] != NULL; i++)
            loop->quiet = loop->quiet || (strcmp(loop->name, sensitive[i]) == 0 && loop->wide_size == 4);
        loop->function = run_wide;
    } else return 0;
    if (loop->truth) loop->out_size = 1;
    return 1;
}

/* Make the ufunc; false with an exception. */
static bool make_ufunc(Loop *loop) {
    int number = number_of_narrow(loop->type);
    bool half = loop->type == E_FLOAT16; /* a type of NumPy's own is in the tables that a ufunc is made of */
    for (int i = 0; i < loop->operands; i++) loop->types[i] = number;
    loop->types[loop->operands] = loop->truth ? NPY_BOOL : number;
    for (int i = 0; half && i <= loop->operands; i++) loop->of_half[i] = (char)loop->types[i];
    loop->data = loop;
    loop->ufunc = PyUFunc_FromFuncAndData(&loop->function, &loop->data, loop->of_half, half, loop->operands, 1,
                                          PyUFunc_None, loop->name, "A function of one narrow dtype.", 0);
    if (loop->ufunc == NULL) return false;
    return half ||
           PyUFunc_RegisterLoopForType((PyUFuncObject *)loop->ufunc, number, loop->function, loop->types, loop) == 0;
}

static void discard(Loop *loop) {
    PyMem_Free(loop->name);
    PyMem_Free(loop->table);
    PyMem_Free(loop);
}

bool narrow_loop(PyObject *ufunc, Type type, UfuncLoop *found) {
    for (Loop *loop = LOAD(loops); loop != NULL; loop = loop->next)
        if (loop->ufunc == ufunc && loop->type == type) {
            *found = (UfuncLoop){loop->function, loop};
            return true;
        }
    return false;
}

static Loop *find_loop(const char *name, Type type, int operands) {
    for (Loop *loop = LOAD(loops); loop != NULL; loop = loop->next)
        if (loop->type == type && loop->operands == operands && strcmp(loop->name, name) == 0) return loop;
    return NULL;
}

static PyObject *narrow_ufunc(PyObject *Py_UNUSED(module), PyObject *args) {
    const char *name;
    PyArray_Descr *dtype;
    PyObject *wide, *table;
    int operands;
    if (!PyArg_ParseTuple(args, "sO!iOO:narrow_ufunc", &name, &PyArrayDescr_Type, &dtype, &operands, &wide, &table))
        return NULL;
    Type type = type_of_dtype(dtype);
    if (type < E_NARROW || operands < 1 || operands > 3) Py_RETURN_NONE;
    Loop *before = find_loop(name, type, operands);
    if (before != NULL) return Py_NewRef(before->ufunc);
    Loop *loop = PyMem_Calloc(1, sizeof *loop);
    if (loop == NULL) return PyErr_NoMemory();
    loop->name = PyMem_Malloc(strlen(name) + 1);
    if (loop->name == NULL) {
        discard(loop);
        return PyErr_NoMemory();
    }
    strcpy(loop->name, name);
    loop->type = type;
    loop->operands = operands;
    int found = decide(loop, wide, table);
    if (found == 1 && !make_ufunc(loop)) {
        Py_XDECREF(loop->ufunc);
        found = -1;
    }
    if (found != 1) {
        discard(loop);
        if (found < 0) return NULL;
        Py_RETURN_NONE;
    }
    LOCK();
    before = find_loop(name, type, operands); /* another thread may have made it meanwhile */
    if (before == NULL) {
        loop->next = loops;
        PUBLISH(loops, loop);
    }
    UNLOCK();
    if (before == NULL) return Py_NewRef(loop->ufunc);
    Py_DECREF(loop->ufunc);
    discard(loop);
    return Py_NewRef(before->ufunc);
}

static PyMethodDef functions[] = {
    {"narrow_ufunc", narrow_ufunc, METH_VARARGS,
     PyDoc_STR("narrow_ufunc(name, dtype, operands, wide, table)\n--\n\n"
               "Return the ufunc of a function's loop for one narrow dtype, or None. Where C has no kernel of its own, "
               "results of bytes are looked\n"
               "up in `table`, 256 elements by their codes, if it is not None; else `wide` computes, a ufunc with a "
               "loop of float32 (of int8).")},
    {NULL, NULL, 0, NULL},
};

int add_narrow_loops(PyObject *module) { return PyModule_AddFunctions(module, functions); }
