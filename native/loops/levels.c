/* The level of the loops in use. */
#include "loops.h"

int loop_level;

static PyObject *set_level(PyObject *Py_UNUSED(module), PyObject *argument) {
    long wanted = PyLong_AsLong(argument), before = loop_level;
    if (wanted == -1 && PyErr_Occurred()) return NULL;
    if (wanted < 0 || wanted > processor_level())
        return PyErr_Format(PyExc_ValueError, "set_level: this processor has no level %ld", wanted);
    loop_level = (int)wanted;
    return PyLong_FromLong(before);
}

static PyMethodDef functions[] = {
    {"set_level", set_level, METH_O,
     PyDoc_STR("Set the level of instructions: 0, 1 (AVX2) or 2 (AVX-512); return the one before.")},
    {NULL, NULL, 0, NULL},
};

int add_levels(PyObject *module) {
    loop_level = processor_level();
    return PyModule_AddFunctions(module, functions);
}
