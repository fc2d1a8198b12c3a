/* What the callables share that have a Python definition behind them: see function.c, boundary.c and direct.c. */
#ifndef SUPREMUM_CALLABLE_H
#define SUPREMUM_CALLABLE_H
#include "engine.h"

/* Make a callable of a type whose struct begins with Callable. May run Python. */
Callable *new_callable(PyTypeObject *type, PyObject *function, vectorcallfunc call);
/* Ask the Python definition. May run Python. */
PyObject *ask_definition(PyObject *self, PyObject *const *args, size_t flags, PyObject *keywords);

int callable_traverse(PyObject *object, visitproc visit, void *arg);
int callable_clear(PyObject *object);
void callable_dealloc(PyObject *object);
PyObject *callable_repr(PyObject *object);
PyObject *bind_callable(PyObject *self, PyObject *object, PyObject *type);
extern PyMethodDef callable_methods[];
extern PyGetSetDef callable_getset[];
extern PyMemberDef callable_members[];

#define SHARED_SLOTS(getset) \
    {Py_tp_call, PyVectorcall_Call}, {Py_tp_clear, callable_clear}, {Py_tp_repr, callable_repr}, {Py_tp_methods, callable_methods}, \
    {Py_tp_getset, getset}, {Py_tp_members, callable_members}
#define CALLABLE_SLOTS(getset) SHARED_SLOTS(getset), {Py_tp_dealloc, callable_dealloc}, {Py_tp_traverse, callable_traverse}
enum { CALLABLE_FLAGS = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL };

#endif
