/* Conversions between contiguous narrow elements and float32 (int8), and the types of ml_dtypes. */
#include "narrow.h"

#define DEFINE(name, level, target, in_type, out_type, function) \
    target static void name##_##level(const char *from, char *to, npy_intp count) { \
        const in_type *in = (const in_type *)from; \
        out_type *out = (out_type *)to; \
        INDEPENDENT \
        for (npy_intp i = 0; i < count; i++) out[i] = function(in[i]); \
    }
#define OF_FLOAT(level, target, name, storage) \
    DEFINE(widen_block_##name, level, target, uint##storage##_t, float, widen_##name) \
    DEFINE(narrow_block_##name, level, target, float, uint##storage##_t, narrow_##name)
#define OF_INTEGER(level, target, name) \
    DEFINE(widen_block_##name, level, target, uint8_t, int8_t, widen_##name) \
    DEFINE(narrow_block_##name, level, target, int8_t, uint8_t, narrow_##name)

typedef struct { const char *name; uint8_t size; Cast *widen[LEVELS], *narrow[LEVELS]; } Format;
#define WIDEN(level, target, name) [level] = widen_block_##name##_##level,
#define NARROW(level, target, name) [level] = narrow_block_##name##_##level,
#define FORMAT(name, NAME, size) [E_##NAME - E_NARROW] = {#name, size, {EVERY_LEVEL_OF(WIDEN, name)}, {EVERY_LEVEL_OF(NARROW, name)}},

#define DEFINE_FLOAT(name, NAME, storage, width, fraction, bias, has) EVERY_LEVEL_OF(OF_FLOAT, name, storage)
#define DEFINE_INTEGER(name, NAME, bits, has_sign) EVERY_LEVEL_OF(OF_INTEGER, name)
#define FORMAT_OF_FLOAT(name, NAME, storage, width, fraction, bias, has) FORMAT(name, NAME, storage / 8)
#define FORMAT_OF_INTEGER(name, NAME, bits, has_sign) FORMAT(name, NAME, 1)

NARROW_FLOATS(DEFINE_FLOAT)
NARROW_INTEGERS(DEFINE_INTEGER)
static const Format formats[E_TYPES - E_NARROW] = {NARROW_FLOATS(FORMAT_OF_FLOAT) NARROW_INTEGERS(FORMAT_OF_INTEGER)};

Cast *widening_of(Type type) { return formats[type - E_NARROW].widen[loop_level]; }
Cast *narrowing_of(Type type) { return formats[type - E_NARROW].narrow[loop_level]; }

/* -- types ------------------------------------------------------------------------------------------------------------------------ */

enum { NUMBERS_OF_TYPES = 64 };
static uint8_t by_number[NUMBERS_OF_TYPES]; /* the Type of a type number of another package, counted from NPY_USERDEF; 0: none */
static int numbers[E_TYPES - E_NARROW];     /* the other way round; NPY_NOTYPE where there is none */

Type narrow_type(int number) {
    if (number == NPY_HALF) return E_FLOAT16;
    int place = number - NPY_USERDEF;
    return place >= 0 && place < NUMBERS_OF_TYPES && by_number[place] ? (Type)by_number[place] : E_FOREIGN;
}
int number_of_narrow(Type type) { return numbers[type - E_NARROW]; }
npy_intp size_of_narrow(Type type) { return formats[type - E_NARROW].size; }

int add_narrow(PyObject *Py_UNUSED(module)) {
    PyObject *package = PyImport_ImportModule("ml_dtypes");
    if (package == NULL) return -1;
    for (int i = 0; i < E_TYPES - E_NARROW; i++) {
        PyObject *scalar = i + E_NARROW == E_FLOAT16 ? NULL : PyObject_GetAttrString(package, formats[i].name);
        PyArray_Descr *dtype = NULL;
        numbers[i] = i + E_NARROW == E_FLOAT16 ? NPY_HALF : NPY_NOTYPE;
        if (scalar == NULL) PyErr_Clear(); /* older versions lack some */
        else if (PyArray_DescrConverter(scalar, &dtype) != NPY_SUCCEED) { Py_DECREF(scalar); Py_DECREF(package); return -1; }
        else if (dtype->type_num >= NPY_USERDEF && dtype->type_num < NPY_USERDEF + NUMBERS_OF_TYPES) {
            numbers[i] = dtype->type_num;
            by_number[dtype->type_num - NPY_USERDEF] = (uint8_t)(i + E_NARROW);
        }
        Py_XDECREF((PyObject *)dtype);
        Py_XDECREF(scalar);
    }
    Py_DECREF(package);
    return 0;
}
