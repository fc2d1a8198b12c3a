/* Runs of programs: see program.c.
 *
 * A run that comes upon an Array whose elements do not lie as its steps expect, or with another dtype or shape than
 * when the program was recorded, ends: the result is NotImplemented, or the number of the slot if a call returned
 * elements in another order than C's, and the caller calls the functions one after the other.
 */
#include "args.h"
#include "pool.h"
#include "program.h"

/* What a run owns. */
typedef struct {
    Program *program;
    char *arena;
    PyObject **arrays;   /* by slot, or NULL */
    int loose;           /* the slot whose elements do not lie as steps expect, or -1 */
    const Step *refused; /* that ended the run, as its function raises an error */
} Frame;

/* -- slots of a run -- */

/* Copy the elements of an Array into memory; false, without an exception, where there is none or they are not
 * contiguous. */
static bool copy_elements(PyObject *array, char *to, npy_intp bytes) {
    if (array == NULL) return false;
    PyArrayObject *data = ((Array *)array)->data;
    bool good = PyArray_IS_C_CONTIGUOUS(data) && aligned_native((Array *)array) && PyArray_NBYTES(data) == bytes;
    if (good) memcpy(to, PyArray_BYTES(data), bytes);
    return good;
}

/* Make an Array of elements. */
static PyObject *array_of(const Slot *slot, const char *elements) {
    PyArrayObject *data = new_data(slot->node, slot->ndim, slot->shape, false);
    if (data == NULL) return NULL;
    memcpy(PyArray_BYTES(data), elements, slot->bytes);
    return wrap(data, slot->node);
}

/* Whether an object is an Array of the shape and node of a slot. */
static bool fits(const Slot *slot, PyObject *x) {
    if (!IS_ARRAY(x) || ((Array *)x)->node != slot->node || !is_of(((Array *)x)->data, slot->node)) return false;
    PyArrayObject *data = ((Array *)x)->data;
    return PyArray_NDIM(data) == slot->ndim && PyArray_CompareLists(PyArray_DIMS(data), slot->shape, slot->ndim);
}

/* Give a slot an Array, which is taken over; false, perhaps without an exception. May run Python. */
static bool set_slot(Frame *frame, int number, PyObject *array) {
    const Slot *slot = &frame->program->slots[number];
    bool good = !slot->placed || copy_elements(array, frame->arena + slot->offset, slot->bytes);
    if (slot->kept) Py_XSETREF(frame->arrays[number], array);
    else Py_DECREF(array);
    if (!good) frame->loose = number;
    return good;
}

/* Return the Array of a slot, a new reference. */
static PyObject *get_slot(const Frame *frame, int number) {
    const Slot *slot = &frame->program->slots[number];
    if (frame->arrays[number] != NULL) return Py_NewRef(frame->arrays[number]);
    return array_of(slot, frame->arena + slot->offset);
}

/* Copy the elements of a slot. May run Python. */
static bool read_elements(const Frame *frame, int number, char *to) {
    const Slot *slot = &frame->program->slots[number];
    if (!slot->placed) return copy_elements(frame->arrays[number], to, slot->bytes);
    if (to != frame->arena + slot->offset) memcpy(to, frame->arena + slot->offset, slot->bytes); /* else it is there */
    return true;
}

/* -- steps -- */

/* Give slots the Arrays of a result, in order; false, perhaps without an exception. May run Python. */
static bool take_results(Frame *frame, const Step *step, PyObject *result, int *taken) {
    if (PyTuple_Check(result) || PyList_Check(result)) {
        PyObject *items = PySequence_Tuple(result); /* a list may change */
        bool good = items != NULL;
        for (Py_ssize_t i = 0; good && i < PyTuple_GET_SIZE(items); i++)
            good = take_results(frame, step, PyTuple_GET_ITEM(items, i), taken);
        Py_XDECREF(items);
        return good;
    }
    if (!IS_ARRAY(result)) return true;
    if (*taken == step->out_count) return false;
    int number = step->outs[(*taken)++];
    return fits(&frame->program->slots[number], result) && set_slot(frame, number, Py_NewRef(result));
}

/* Call the function of a step; false, perhaps without an exception. May run Python. */
static bool run_call(Frame *frame, const Step *step) {
    enum { FEW = 8 };
    PyObject *on_stack[FEW + 1], **args = on_stack;
    Py_ssize_t count = PyTuple_GET_SIZE(step->args), named = step->names == NULL ? 0 : PyTuple_GET_SIZE(step->names);
    if (count > FEW && (args = zeroed(count, sizeof(PyObject *))) == NULL) return false;
    args++; /* the callee may use what is before the arguments */
    if (args == on_stack + 1) args[-1] = NULL;
    for (Py_ssize_t i = 0; i < count; i++) args[i] = PyTuple_GET_ITEM(step->args, i);
    int made = 0;
    for (; made < step->place_count; made++) {
        int number = step->places[2 * made + 1];
        PyObject *array = get_slot(frame, number);
        if (array == NULL) break;
        /* One Array for all calls: NumPy computes x @ x.T otherwise than with two arrays. */
        if (frame->arrays[number] == NULL) frame->arrays[number] = Py_NewRef(array);
        args[step->places[2 * made]] = array;
    }
    PyObject *result = NULL;
    if (made == step->place_count)
        result = PyObject_Vectorcall(step->function, args, (size_t)(count - named) | PY_VECTORCALL_ARGUMENTS_OFFSET,
                                     step->names);
    for (int i = 0; i < made; i++) Py_DECREF(args[step->places[2 * i]]);
    if (args - 1 != on_stack) PyMem_Free(args - 1);
    if (result == NULL) return false;
    int taken = 0;
    bool good = take_results(frame, step, result, &taken);
    Py_DECREF(result);
    return good && taken == step->out_count;
}

/* Move elements; false where a position is one that the function refuses. */
static inline bool move(const Step *step, char *arena) {
    npy_intp itemsize = step->itemsize, start = 0;
    for (int i = 0; i < step->position_count; i++) {
        const Position *position = &step->positions[i];
        int64_t index;
        position->cast(arena + position->at, (char *)&index, 1);
        if (index < 0) index += position->length;
        if (index < 0 || index > position->most) {
            if (position->beyond != CLIP) return position->beyond == DROP;
            index = index < 0 ? 0 : position->most;
        }
        start += index * position->step;
    }
    for (int i = 0; i < step->run_count; i++) {
        const Run *run = &step->runs[i];
        const char *from = arena + run->from + (step->writes ? 0 : start);
        char *to = arena + run->to + (step->writes ? start : 0);
        if (run->step == itemsize && run->apart == itemsize) memmove(to, from, run->count * itemsize);
        else
            for (npy_intp j = 0; j < run->count; j++) memcpy(to + j * run->apart, from + j * run->step, itemsize);
    }
    return true;
}

static inline void select_elements(const Step *step, char *arena) {
    const char *test = arena + step->at[0], *x = arena + step->at[1], *y = arena + step->at[2];
    char *to = arena + step->at[3];
    npy_intp of_test = step->steps[0], of_x = step->steps[1], of_y = step->steps[2];
#define SELECT_OF(size) \
    case size: \
        for (npy_intp i = 0; i < step->count; i++) \
            memcpy(to + i * size, test[i * of_test] ? x + i * of_x : y + i * of_y, size); \
        break
    switch (step->steps[3]) {
        SELECT_OF(1);
        SELECT_OF(2);
        SELECT_OF(4);
        SELECT_OF(8);
        SELECT_OF(16);
    }
}

/* Run a step that is no call; false where its function has to be called. Needs no lock. */
static inline bool run_loop(const Step *step, char *arena) {
    char *pointers[3] = {arena + step->at[0], arena + step->at[1], arena + step->at[2]};
    if (step->kind == SELECT) {
        select_elements(step, arena);
    } else if (step->kind == LOOP) {
        npy_intp count = step->count;
        step->plan->loop(pointers, &count, step->steps, step->plan->auxiliary);
    } else if (step->kind == MOVE) {
        return move(step, arena);
    } else if (step->kind == BLOCKS) {
        Source sources[2];
        for (int i = 0; i < step->operands; i++) sources[i] = (Source){pointers[i], step->steps[i], step->types[i]};
        compute_blocks(step->plan, sources, step->conversions, step->operands, pointers[step->operands], step->count);
    } else if (step->kind == NEST) {
        char *starts[3] = {pointers[0], pointers[step->operands - 1], pointers[step->operands]};
        share_nest(step->plan, step->nest, starts, step->count);
    }
    return true;
}

/* Run steps; false, perhaps without an exception. May run Python where the program has calls. */
static inline bool run_steps(Frame *frame, int first, int last) {
    for (const Step *step = &frame->program->steps[first], *end = &frame->program->steps[last]; step < end; step++) {
        if (step->kind != CALL) {
            if (!run_loop(step, frame->arena)) {
                frame->refused = step;
                return false;
            }
            if (frame->program->calls > 0) Py_CLEAR(frame->arrays[step->outs[0]]); /* of the step before */
        } else if (!run_call(frame, step)) return false;
        for (int i = 0; i < step->drop_count; i++) Py_CLEAR(frame->arrays[step->drops[i]]);
    }
    return true;
}

/* -- loops -- */

/* A loop: how far it has come, and its columns. */
typedef struct {
    Frame frame;
    npy_intp length, done; /* `length` is -1 where a condition ends it */
    bool reverse, ended;
    PyArrayObject **columns, **results; /* owned arrays of owned ndarrays, C-contiguous, which are its own */
    int result_count;
} Loop;

/* Give the slots of columns their elements. May run Python where calls read them. */
static inline bool set_columns(Loop *loop, npy_intp position) {
    const Program *self = loop->frame.program;
    for (int i = 0; i < self->columns; i++) {
        int number = self->inputs[self->input_count - self->columns + i];
        const Slot *slot = &self->slots[number];
        const char *elements = PyArray_BYTES(loop->columns[i]) + position * slot->bytes;
        if (slot->placed) memcpy(loop->frame.arena + slot->offset, elements, slot->bytes);
        if (!slot->kept) continue;
        PyObject *array = array_of(slot, elements);
        if (array == NULL) return false;
        Py_XSETREF(loop->frame.arrays[number], array);
    }
    return true;
}

/* Store results that are not carried, and carry the others. May run Python where the program has calls. */
static inline bool take_step(Loop *loop, npy_intp position) {
    const Program *self = loop->frame.program;
    for (int i = 0; i < loop->result_count; i++) {
        int number = self->outputs[self->carried + i];
        char *to = PyArray_BYTES(loop->results[i]) + position * self->slots[number].bytes;
        if (!read_elements(&loop->frame, number, to)) return false;
    }
    for (int i = 0; i < self->carried; i++) {
        int from = self->outputs[i], into = self->inputs[self->input_count - self->columns - self->carried + i];
        const Slot *slot = &self->slots[into];
        if (from == into) continue;
        if (slot->kept) {
            PyObject *array = get_slot(&loop->frame, from);
            if (array == NULL) return false;
            Py_XSETREF(loop->frame.arrays[into], array);
        }
        if (slot->placed && !read_elements(&loop->frame, from, loop->frame.arena + slot->offset)) return false;
    }
    return true;
}

/* Run at most so many steps of a loop; false, perhaps without an exception. */
static bool run_some(Loop *loop, npy_intp most) {
    const Program *self = loop->frame.program;
    for (npy_intp i = 0; i < most && !loop->ended; i++) {
        if (self->test >= 0) {
            if (!run_steps(&loop->frame, 0, self->split)) return false;
            if (loop->frame.arena[self->slots[self->test].offset] == 0) loop->ended = true;
            if (loop->ended) break;
        } else if (loop->done == loop->length) {
            loop->ended = true;
            break;
        }
        npy_intp position = loop->reverse ? loop->length - 1 - loop->done : loop->done;
        if (!set_columns(loop, position) || !run_steps(&loop->frame, self->split, self->step_count) ||
            !take_step(loop, position))
            return false;
        loop->done++;
    }
    return true;
}

/* Run a loop to its end; signals are looked at, and other threads run, every few milliseconds. May run Python. */
static bool run_whole(Loop *loop) {
    enum { SOME = 1 << 17 };
    const double slice = 0.005;
    const Program *self = loop->frame.program;
    npy_intp most = SOME / (self->work + 64 * (npy_intp)self->calls + 1) + 1;
    bool good = true;
    while (good && !loop->ended) {
        double end = monotonic_seconds() + slice;
        if (!self->locked) {
            Py_BEGIN_ALLOW_THREADS
            do {
                good = run_some(loop, most);
            } while (good && !loop->ended && monotonic_seconds() < end);
            Py_END_ALLOW_THREADS
        } else {
            do {
                good = run_some(loop, most);
            } while (good && !loop->ended && monotonic_seconds() < end);
            Py_BEGIN_ALLOW_THREADS
            Py_END_ALLOW_THREADS
        }
        good = good && PyErr_CheckSignals() == 0;
    }
    return good;
}

/* -- a run -- */

static bool begin_frame(Frame *frame, Program *self) {
    frame->program = self;
    frame->arena = PyMem_RawMalloc((size_t)self->arena + (size_t)self->scalar_count * SCALAR + 2 * ALIGNMENT);
    frame->arrays = frame->arena == NULL ? (void *)PyErr_NoMemory() : zeroed(self->slot_count, sizeof(PyObject *));
    return frame->arrays != NULL;
}

static void end_frame(Frame *frame, char *memory) {
    if (frame->arrays != NULL)
        for (int i = 0; i < frame->program->slot_count; i++) Py_XDECREF(frame->arrays[i]);
    PyMem_Free(frame->arrays);
    PyMem_RawFree(memory);
}

/* Give slots the operands of a run; false, perhaps without an exception. Columns are copied, so that they are its own.
 * May run Python. */
static bool set_inputs(Loop *loop, PyObject *operands) {
    Program *self = loop->frame.program;
    if (PyTuple_GET_SIZE(operands) != self->input_count) {
        PyErr_Format(PyExc_TypeError, "Program: expected %d operands, got %zd", self->input_count,
                     PyTuple_GET_SIZE(operands));
        return false;
    }
    for (int i = 0; i < self->input_count; i++) {
        PyObject *x = PyTuple_GET_ITEM(operands, i);
        int column = i - (self->input_count - self->columns);
        const Slot *slot = &self->slots[self->inputs[i]];
        if (column < 0) {
            bool good = fits(slot, x) && set_slot(&loop->frame, self->inputs[i], Py_NewRef(x));
            loop->frame.loose = -1; /* other operands may lie otherwise */
            if (!good) return false;
            continue;
        }
        if (!IS_ARRAY(x) || ((Array *)x)->node != slot->node) return false;
        PyArrayObject *data = (PyArrayObject *)Py_NewRef((PyObject *)((Array *)x)->data);
        bool contiguous = PyArray_IS_C_CONTIGUOUS(data) || slot->size == 1;
        loop->columns[column] = contiguous ? (PyArrayObject *)PyArray_NewCopy(data, NPY_CORDER) : NULL;
        Py_DECREF(data);
        if (loop->columns[column] == NULL || !is_of(loop->columns[column], slot->node) ||
            PyArray_NBYTES(loop->columns[column]) != size_product(slot->bytes, loop->length))
            return false;
    }
    return true;
}

/* Make the ndarrays of results that are not carried. */
static bool make_results(Loop *loop) {
    const Program *self = loop->frame.program;
    npy_intp shape[NPY_MAXDIMS + 1] = {loop->length};
    for (int i = 0; i < loop->result_count; i++) {
        const Slot *slot = &self->slots[self->outputs[self->carried + i]];
        if (slot->ndim == NPY_MAXDIMS) {
            PyErr_SetString(PyExc_ValueError, "scan: the results have too many axes");
            return false;
        }
        memcpy(shape + 1, slot->shape, slot->ndim * sizeof(npy_intp));
        loop->results[i] = new_data(slot->node, slot->ndim + 1, shape, false);
        if (loop->results[i] == NULL) return false;
    }
    return true;
}

/* Return the carries, and the results that are not carried, as a list. */
static PyObject *results_of(Loop *loop, bool once) {
    const Program *self = loop->frame.program;
    PyObject *found = PyList_New(self->output_count);
    for (int i = 0; found != NULL && i < self->output_count; i++) {
        PyObject *x;
        if (once) x = get_slot(&loop->frame, self->outputs[i]);
        else if (i < self->carried)
            x = get_slot(&loop->frame, self->inputs[self->input_count - self->columns - self->carried + i]);
        else {
            x = wrap(loop->results[i - self->carried], self->slots[self->outputs[i]].node); /* which takes it over */
            loop->results[i - self->carried] = NULL;
        }
        if (x == NULL) Py_CLEAR(found);
        else PyList_SET_ITEM(found, i, x);
    }
    return found;
}

/* Run the program: once, without a length; or as a loop of so many steps; or as long as its condition holds. */
PyObject *run_program(PyObject *object, PyObject *const *args, Py_ssize_t count) {
    Program *self = (Program *)object;
    if (count < 1 || count > 3 || !PyTuple_Check(args[0]))
        return PyErr_Format(PyExc_TypeError, "Program: expected a tuple of operands, got %zd arguments", count);
    if (self->cleared) return Py_NewRef(Py_NotImplemented);
    PyObject *operands = args[0], *given = count > 1 ? args[1] : Py_None;
    int reverse = count > 2 ? PyObject_IsTrue(args[2]) : 0;
    bool once = given == Py_None && self->test < 0;
    Loop loop = {.length = -1, .reverse = reverse == 1, .frame.loose = -1};
    if (given != Py_None) loop.length = PyNumber_AsSsize_t(given, PyExc_OverflowError);
    if (PyErr_Occurred()) return NULL;
    if ((given != Py_None && (loop.length < 0 || self->test >= 0)) || (once && self->carried + self->columns > 0))
        return PyErr_Format(PyExc_ValueError, "Program: a loop has a length or a condition, got %R", given);
    loop.result_count = once ? 0 : self->output_count - self->carried;
    if (self->test >= 0 && loop.result_count > 0)
        return PyErr_Format(PyExc_ValueError, "Program: a loop with a condition carries all of its results");
    Py_INCREF(self); /* which the collector may clear otherwise, if calls run Python */
    PyObject *result = NULL;
    bool good = begin_frame(&loop.frame, self);
    char *memory = loop.frame.arena;
    loop.columns = good ? zeroed(self->columns, sizeof(PyArrayObject *)) : NULL;
    loop.results = good ? zeroed(loop.result_count, sizeof(PyArrayObject *)) : NULL;
    good = loop.columns != NULL && loop.results != NULL;
    if (good) {
        loop.frame.arena += (ALIGNMENT - (uintptr_t)memory % ALIGNMENT) % ALIGNMENT;
        memcpy(loop.frame.arena + self->arena, self->scalars == NULL ? "" : self->scalars,
               (size_t)self->scalar_count * SCALAR);
        good = set_inputs(&loop, operands) && make_results(&loop) &&
               (once ? run_steps(&loop.frame, 0, self->step_count) : run_whole(&loop));
    }
    if (loop.frame.refused != NULL && !PyErr_Occurred()) run_call(&loop.frame, loop.frame.refused);
    if (good) result = results_of(&loop, once);
    else if (!PyErr_Occurred())
        result = loop.frame.loose < 0 ? Py_NewRef(Py_NotImplemented) : PyLong_FromLong(loop.frame.loose);
    for (int i = 0; loop.columns != NULL && i < self->columns; i++) Py_XDECREF(loop.columns[i]);
    for (int i = 0; loop.results != NULL && i < loop.result_count; i++) Py_XDECREF(loop.results[i]);
    PyMem_Free(loop.columns);
    PyMem_Free(loop.results);
    end_frame(&loop.frame, memory);
    Py_DECREF(self);
    return result;
}
