/* Runs of programs: see program.c.
 *
 * A run that comes upon an Array whose elements do not lie as its steps expect, or with another dtype or shape than
 * when the program was recorded, ends: the result is NotImplemented, or the number of the slot if a call returned
 * elements in another order than C's, and the caller calls the functions one after the other.
 */
#include "args.h"
#include "pool.h"
#include "program.h"

typedef struct Session Session;

/* A run of a program: where its values are, and how it runs. */
typedef struct {
    Session *session;
    const Program *program;
    char *arena;
    PyObject **arrays; /* by slot, or NULL; behind them are those of programs that are steps */
    npy_intp length;   /* of a loop, or -1 */
    bool reverse;
    char **columns; /* their elements, and behind them those of results that are not carried */
} Frame;

/* What runs of a program and of those that are its steps share. */
struct Session {
    int loose;               /* the slot whose elements do not lie as steps expect, or -1 */
    const Step *refused;     /* that ended the run, as its function raises an error */
    Frame refusing;          /* in which it did */
    npy_intp left;           /* elements to compute before the time is looked at */
    double end;              /* when signals are looked at */
    PyThreadState *released; /* of this thread, while it does not have the lock */
};

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
    if (!good) frame->session->loose = number;
    return good;
}

/* Return the Array of a slot, a new reference. */
static PyObject *get_slot(const Frame *frame, int number) {
    const Slot *slot = &frame->program->slots[number];
    if (frame->arrays[number] != NULL) return Py_NewRef(frame->arrays[number]);
    return array_of(slot, frame->arena + slot->offset);
}

/* Return the Array of a slot, a new reference; it is one for all calls, as NumPy computes x @ x.T otherwise than with
 * two. Of a slot that no call reads, which a step that became one may read, none is kept: it would not be renewed. */
static PyObject *keep_slot(const Frame *frame, int number) {
    PyObject *array = get_slot(frame, number);
    if (array != NULL && frame->program->slots[number].kept) Py_XSETREF(frame->arrays[number], Py_NewRef(array));
    return array;
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

/* Session the function of a step; false, perhaps without an exception. May run Python. */
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
        PyObject *array = keep_slot(frame, step->places[2 * made + 1]);
        if (array == NULL) break;
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

/* Find by how many bytes a window is moved; CLIP, or what becomes of it where a position is out of range. */
static inline int start_of(const Step *step, const char *arena, npy_intp window, npy_intp *start) {
    *start = 0;
    for (int i = 0; i < step->position_count; i++) {
        const Position *position = &step->positions[i];
        int64_t index;
        position->cast(arena + position->at + window * position->next, (char *)&index, 1);
        if (index < 0) index += position->length;
        if (index < 0 || index > position->most) {
            if (position->beyond != CLIP) return position->beyond;
            index = index < 0 ? 0 : position->most;
        }
        *start += index * position->step;
    }
    return CLIP;
}

/* Move elements; false where a position is one that the function refuses. */
static inline bool move(const Step *step, char *arena) {
    npy_intp itemsize = step->itemsize, start = 0, window = -1;
    int beyond = CLIP;
    for (int i = 0; i < step->run_count; i++) {
        const Run *run = &step->runs[i];
        if (run->window != window) beyond = start_of(step, arena, window = run->window, &start);
        if (beyond == REFUSE) return false;
        if (beyond == DROP) continue;
        const char *from = arena + run->from + (step->writes ? 0 : start);
        char *to = arena + run->to + (step->writes ? start : 0);
        if (run->step == itemsize && run->apart == itemsize) memmove(to, from, run->count * itemsize);
        else
            for (npy_intp j = 0; j < run->count; j++) memcpy(to + j * run->apart, from + j * run->step, itemsize);
    }
    return true;
}

/* Find the places of extremes in rows. */
static void find_extremes(const Step *step, const char *from, char *to) {
    const npy_intp *sizes = step->sizes, *steps = sizes + 7;
    for (npy_intp i = 0, place; i < sizes[1]; i++, from += steps[0], to += steps[4]) {
        step->extreme((void *)from, sizes[2], &place, NULL);
        if (step->itemsize == sizeof(int32_t)) *(int32_t *)to = (int32_t)place;
        else *(int64_t *)to = place;
    }
}

/* Run a step that is no call; false where its function has to be called. Needs no lock. */
static inline bool run_loop(const Step *step, char *arena) {
    char *pointers[3] = {arena + step->at[0], arena + step->at[1], arena + step->at[2]};
    if (step->kind == SELECT) {
        const npy_intp *steps = step->steps;
        Choice mask = {pointers[0], steps[0]}, x = {pointers[1], steps[1]}, y = {pointers[2], steps[2]};
        choose_elements(&(Choosing){arena + step->at[3], mask, x, y, steps[3]}, 0, 0, step->count);
    } else if (step->kind == LOOP) {
        npy_intp count = step->count;
        step->plan->loop(pointers, &count, step->steps, step->plan->auxiliary);
    } else if (step->kind == MOVE) {
        return move(step, arena);
    } else if (step->kind == PRODUCT) {
        step->plan->loop(pointers, step->sizes, step->sizes + 4, step->plan->auxiliary);
    } else if (step->kind == PLACE) {
        find_extremes(step, pointers[0], pointers[1]);
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

static bool run_inner(Frame *outer, const Step *step);

/* Run steps; false, perhaps without an exception. May run Python where the program has calls. */
static inline bool run_steps(Frame *frame, int first, int last) {
    for (const Step *step = &frame->program->steps[first], *end = &frame->program->steps[last]; step < end; step++) {
        if (step->kind == CALL) {
            if (!run_call(frame, step)) return false;
        } else if (step->kind == INNER) {
            if (!run_inner(frame, step)) return false;
        } else {
            if (!run_loop(step, frame->arena)) {
                frame->session->refused = step;
                frame->session->refusing = *frame;
                return false;
            }
            if (frame->program->calls > 0) Py_CLEAR(frame->arrays[step->outs[0]]); /* of the step before */
        }
        for (int i = 0; i < step->drop_count; i++) Py_CLEAR(frame->arrays[step->drops[i]]);
    }
    return true;
}

/* -- loops -- */

/* Where a loop's carry is: the number of an input. */
static inline int carry_of(const Program *self, int i) {
    return self->inputs[self->input_count - self->columns - self->carried + i];
}

/* Give the slots of columns their elements. May run Python where calls read them. */
static inline bool set_columns(Frame *frame, npy_intp position) {
    const Program *self = frame->program;
    for (int i = 0; i < self->columns; i++) {
        int number = self->inputs[self->input_count - self->columns + i];
        const Slot *slot = &self->slots[number];
        const char *elements = frame->columns[i] + position * slot->bytes;
        if (slot->placed) memcpy(frame->arena + slot->offset, elements, slot->bytes);
        if (!slot->kept) continue;
        PyObject *array = array_of(slot, elements);
        if (array == NULL) return false;
        Py_XSETREF(frame->arrays[number], array);
    }
    return true;
}

/* Store results that are not carried, and carry the others. May run Python where the program has calls. */
static inline bool take_step(Frame *frame, npy_intp position) {
    const Program *self = frame->program;
    for (int i = self->carried; i < self->output_count; i++) {
        int number = self->outputs[i];
        char *to = frame->columns[self->columns + i - self->carried] + position * self->slots[number].bytes;
        if (!read_elements(frame, number, to)) return false;
    }
    for (int i = 0; i < self->carried; i++) {
        int from = self->outputs[i], into = carry_of(self, i);
        const Slot *slot = &self->slots[into];
        if (from == into) continue;
        if (slot->kept) {
            PyObject *array = get_slot(frame, from);
            if (array == NULL) return false;
            Py_XSETREF(frame->arrays[into], array);
        }
        if (slot->placed && !read_elements(frame, from, frame->arena + slot->offset)) return false;
    }
    return true;
}

/* Look at the time, and every few milliseconds at signals, while other threads run; programs that need no lock release
 * it when they have run for some time. False with an exception. */
static bool look_around(const Frame *frame) {
    enum { SOME = 1 << 17 };
    const double slice = 0.005;
    Session *session = frame->session;
    session->left = SOME;
    if (monotonic_seconds() < session->end) return true;
    PyThreadState *state = session->released == NULL ? PyEval_SaveThread() : session->released;
    PyEval_RestoreThread(state);
    session->released = NULL;
    if (PyErr_CheckSignals() < 0) return false;
    if (!frame->program->locked) session->released = PyEval_SaveThread();
    session->end = monotonic_seconds() + slice;
    return true;
}

/* Run a program in a frame: its steps, or a loop; false, perhaps without an exception. May run Python. */
static bool run_frame(Frame *frame) {
    const Program *self = frame->program;
    bool locked = frame->session->released == NULL, good = true;
    if (frame->length < 0 && self->test < 0) return run_steps(frame, 0, self->step_count);
    for (npy_intp done = 0; good && done != frame->length; done++) {
        npy_intp position = frame->reverse ? frame->length - 1 - done : done;
        good = run_steps(frame, 0, self->split);
        if (good && self->test >= 0 && frame->arena[self->slots[self->test].offset] == 0) break;
        good = good && set_columns(frame, position) && run_steps(frame, self->split, self->step_count) &&
               take_step(frame, position);
        frame->session->left -= self->work;
        if (frame->session->left < 0) good = good && look_around(frame);
    }
    if (locked && frame->session->released != NULL) {
        PyEval_RestoreThread(frame->session->released);
        frame->session->released = NULL;
    }
    return good;
}

/* Give a frame its scalars, and places for pointers. */
static void begin_frame(Frame *frame) {
    const Program *self = frame->program;
    char *rest = frame->arena + self->arena;
    if (self->scalar_count > 0) memcpy(rest, self->scalars, self->scalar_count * (size_t)SCALAR);
    frame->columns = (char **)(rest + self->scalar_count * (size_t)SCALAR);
}

/* Run a program that is a step; false, perhaps without an exception. May run Python where it has calls. */
static bool run_inner(Frame *outer, const Step *step) {
    const Slot *slots = outer->program->slots;
    const int *place = step->places;
    Py_ssize_t last = PyTuple_GET_SIZE(step->inner) - 1, chosen = 0;
    if (last > 0) {
        chosen = *(npy_int32 *)(outer->arena + slots[place[1]].offset);
        chosen = chosen < 0 ? 0 : chosen > last ? last : chosen;
        place += 2;
        for (Py_ssize_t k = 0; k < chosen; k++) place += 2 * ((Program *)PyTuple_GET_ITEM(step->inner, k))->input_count;
    }
    const Program *self = (Program *)PyTuple_GET_ITEM(step->inner, chosen);
    PyObject **arrays = outer->arrays + outer->program->slot_count;
    Frame frame = {outer->session, self, outer->arena + step->at[0], arrays, step->length, step->reverse != 0, NULL};
    begin_frame(&frame);
    bool once = step->length < 0 && self->test < 0, good = true;
    for (int i = 0; good && i < self->input_count; i++, place += 2) {
        const Slot *into = &self->slots[self->inputs[i]];
        int column = i - (self->input_count - self->columns);
        if (column >= 0) frame.columns[column] = outer->arena + slots[place[1]].offset;
        else if (into->kept) good = (frame.arrays[self->inputs[i]] = keep_slot(outer, place[1])) != NULL;
        if (good && column < 0 && into->placed) good = read_elements(outer, place[1], frame.arena + into->offset);
    }
    for (int i = self->carried; i < self->output_count; i++)
        frame.columns[self->columns + i - self->carried] = outer->arena + slots[step->outs[i]].offset;
    good = good && run_frame(&frame);
    for (int i = 0; good && i < step->out_count; i++) {
        if (outer->program->calls > 0) Py_CLEAR(outer->arrays[step->outs[i]]);
        if (once || i < self->carried)
            good = read_elements(&frame, once ? self->outputs[i] : carry_of(self, i),
                                 outer->arena + slots[step->outs[i]].offset);
    }
    bool loose = !good && self->locked && frame.session->refused == NULL && !PyErr_Occurred();
    for (int i = 0; (good || loose) && self->locked && i < self->all_slots; i++) Py_CLEAR(frame.arrays[i]);
    if (!loose) return good;
    frame.session->loose = -1;
    ((Step *)step)->kind = CALL; /* from now on: its function takes arrays as they lie */
    return run_call(outer, step);
}

/* -- a run -- */

/* What a run that was called owns. */
typedef struct {
    Session session;
    Frame frame;
    char *memory;
    PyArrayObject **rows; /* of columns and of results: owned ndarrays, C-contiguous, which are its own */
    int row_count;
} Loop;

static bool begin_loop(Loop *loop) {
    const Program *self = loop->frame.program;
    loop->memory = PyMem_RawMalloc((size_t)self->bytes + ALIGNMENT);
    loop->frame.arrays = loop->memory == NULL ? (void *)PyErr_NoMemory() : zeroed(self->all_slots, sizeof(PyObject *));
    loop->rows = loop->frame.arrays == NULL ? NULL : zeroed(loop->row_count, sizeof(PyArrayObject *));
    if (loop->rows == NULL) return false;
    loop->frame.session = &loop->session;
    loop->frame.arena = loop->memory + (ALIGNMENT - (uintptr_t)loop->memory % ALIGNMENT) % ALIGNMENT;
    begin_frame(&loop->frame);
    return true;
}

static void end_loop(Loop *loop) {
    for (int i = 0; loop->frame.arrays != NULL && i < loop->frame.program->all_slots; i++)
        Py_XDECREF(loop->frame.arrays[i]);
    for (int i = 0; loop->rows != NULL && i < loop->row_count; i++) Py_XDECREF(loop->rows[i]);
    PyMem_Free(loop->frame.arrays);
    PyMem_Free(loop->rows);
    PyMem_RawFree(loop->memory);
}

/* Give slots the operands of a run; false, perhaps without an exception. Columns are copied, so that they are its own.
 * May run Python. */
static bool set_inputs(Loop *loop, PyObject *operands) {
    const Program *self = loop->frame.program;
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
            loop->session.loose = -1; /* other operands may lie otherwise */
            if (!good) return false;
            continue;
        }
        if (!IS_ARRAY(x) || ((Array *)x)->node != slot->node) return false;
        PyArrayObject *data = (PyArrayObject *)Py_NewRef((PyObject *)((Array *)x)->data);
        bool contiguous = PyArray_IS_C_CONTIGUOUS(data) || slot->size == 1;
        PyArrayObject *copy = contiguous ? (PyArrayObject *)PyArray_NewCopy(data, NPY_CORDER) : NULL;
        Py_DECREF(data);
        loop->rows[column] = copy;
        if (copy == NULL || !is_of(copy, slot->node) ||
            PyArray_NBYTES(copy) != size_product(slot->bytes, loop->frame.length))
            return false;
        loop->frame.columns[column] = PyArray_BYTES(copy);
    }
    return true;
}

/* Make the ndarrays of results that are not carried. */
static bool make_results(Loop *loop) {
    const Program *self = loop->frame.program;
    npy_intp shape[NPY_MAXDIMS + 1] = {loop->frame.length};
    for (int i = self->columns; i < loop->row_count; i++) {
        const Slot *slot = &self->slots[self->outputs[self->carried + i - self->columns]];
        if (slot->ndim == NPY_MAXDIMS) {
            PyErr_SetString(PyExc_ValueError, "scan: the results have too many axes");
            return false;
        }
        memcpy(shape + 1, slot->shape, slot->ndim * sizeof(npy_intp));
        loop->rows[i] = new_data(slot->node, slot->ndim + 1, shape, false);
        if (loop->rows[i] == NULL) return false;
        loop->frame.columns[i] = PyArray_BYTES(loop->rows[i]);
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
        else if (i < self->carried) x = get_slot(&loop->frame, carry_of(self, i));
        else {
            PyArrayObject **data = &loop->rows[self->columns + i - self->carried];
            x = wrap(*data, self->slots[self->outputs[i]].node); /* which takes it over */
            *data = NULL;
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
    Loop loop = {.session.loose = -1, .frame.program = self, .frame.length = -1, .frame.reverse = reverse == 1};
    if (given != Py_None) loop.frame.length = PyNumber_AsSsize_t(given, PyExc_OverflowError);
    if (PyErr_Occurred()) return NULL;
    if ((given != Py_None && (loop.frame.length < 0 || self->test >= 0)) || (once && self->carried + self->columns > 0))
        return PyErr_Format(PyExc_ValueError, "Program: a loop has a length or a condition, got %R", given);
    loop.row_count = once ? 0 : self->columns + self->output_count - self->carried;
    if (self->test >= 0 && loop.row_count > self->columns)
        return PyErr_Format(PyExc_ValueError, "Program: a loop with a condition carries all of its results");
    Py_INCREF(self); /* which the collector may clear otherwise, if calls run Python */
    PyObject *result = NULL;
    bool good = begin_loop(&loop) && set_inputs(&loop, operands) && make_results(&loop) && run_frame(&loop.frame);
    if (loop.session.refused != NULL && !PyErr_Occurred()) run_call(&loop.session.refusing, loop.session.refused);
    if (good) result = results_of(&loop, once);
    else if (!PyErr_Occurred())
        result = loop.session.loose < 0 ? Py_NewRef(Py_NotImplemented) : PyLong_FromLong(loop.session.loose);
    end_loop(&loop);
    Py_DECREF(self);
    return result;
}
