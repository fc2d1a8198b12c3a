/* Chain: elementwise calls on large arrays of one shape, computed block by block.
 *
 * Call by call, each operation would read its operands from memory and write its result there. A chain computes a block
 * of all of them, whose values in between stay in the cache, and goes on to the next block; threads share the blocks.
 * Blocks are multiples of what loops compute at once, so that the bits are those of call by call, for any number of
 * threads. Links of sums, differences, products and quotients of floats hand on their results in registers.
 *
 * Arrays that do not lie as it expects are given to its `fallback`, which calls the functions.
 */
#include "args.h"
#include "loops/loops.h"
#include "parts.h"
#include "run.h"
#include "scalars.h"
#include "threads.h"

PyTypeObject *ChainType;

/* Bytes: of a block of the widest elements, of which operands, results and scratch blocks fit the first cache; of an
 * element; between scratch blocks, which else would share lines of the cache; of such a line, which vectors should not
 * cross. */
enum { BLOCK = 4096, WIDEST = 16, GAP = 192, LINE = 64, SCRATCH_BYTES = BLOCK + GAP };

/* A value: an input or a result of the chain, one in between, or a number. */
typedef struct {
    enum { INPUT, OUTPUT, SCRATCH, NUMBER } kind;
    const Node *node; /* NULL of a number */
    bool single;      /* whether it is one element */
    int place;        /* among the inputs, the outputs, the scratch blocks, or the numbers */
} Value;

/* What is done in registers, and with which value. */
typedef struct {
    int code, value;
} Action;

typedef struct {
    Plan *plan; /* owned */
    int operands, values[2], out;
    Type types[2];
    Conversion conversions[2];
    int action_count;
    Action actions[3];
    bool joined; /* whether the result stays in registers for the next link */
} Link;

typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    PyObject *fallback; /* owned */
    int ndim, value_count, link_count, input_count, output_count, scratch_count;
    npy_intp shape[NPY_MAXDIMS], size;
    Value *values; /* owned, like the following */
    Link *links;
    int *inputs, *outputs; /* values */
    char (*numbers)[WIDEST];
    int number_count;
    npy_intp block; /* elements */
    bool whole;     /* whether all links are computed together, without blocks */
} Chain;

/* A call: its inputs and outputs, and scratch blocks of each thread. */
typedef struct {
    const Chain *chain;
    PyArrayObject *const *buffers;
    char *scratch;
} ChainCall;

/* -- running -- */

static npy_intp scratch_bytes(const Chain *self) {
    npy_intp bytes = 3 * self->link_count * (npy_intp)sizeof(Instruction);
    return self->scratch_count * (npy_intp)SCRATCH_BYTES + (bytes + LINE - 1) / LINE * LINE;
}

/* Find where a value's elements begin, from so many on, and how many bytes they are apart. */
static char *find_value(const ChainCall *work, int number, char *scratch, npy_intp done, npy_intp *apart) {
    const Value *value = &work->chain->values[number];
    *apart = value->single ? 0 : PyDataType_ELSIZE(value->node->dtype);
    if (value->kind == SCRATCH) return scratch + value->place * SCRATCH_BYTES;
    if (value->kind == NUMBER) return (char *)work->chain->numbers[value->place];
    int place = value->place + (value->kind == INPUT ? 0 : work->chain->input_count);
    return PyArray_BYTES(work->buffers[place]) + done * *apart;
}

/* Compute blocks from the first up to the last one. */
static void compute_part(void *context, int thread, npy_intp first, npy_intp last) {
    const ChainCall *work = context;
    const Chain *self = work->chain;
    char *scratch = work->scratch + thread * scratch_bytes(self);
    Instruction *program = (Instruction *)(scratch + self->scratch_count * SCRATCH_BYTES);
    int length = 0; /* of the program in registers */
    npy_intp end = last * self->block < self->size ? last * self->block : self->size, now;
    for (npy_intp done = first * self->block; done < end; done += now) {
        now = self->whole || end - done < self->block ? end - done : self->block;
        for (const Link *link = self->links, *rest = link + self->link_count; link < rest; link++) {
            for (int i = 0; i < link->action_count; i++, length++) {
                int value = link->actions[i].value;
                program[length].code = link->actions[i].code;
                program[length].place = find_value(work, value, scratch, done, &program[length].apart);
                if (self->whole && self->values[value].kind == SCRATCH) program[length].apart = 0;
            }
            if (link->joined) continue;
            if (HAS_VECTORS && length > 0) {
                compute_in_registers(link->plan->type, program, length, now);
                length = 0;
                continue;
            }
            Source sources[2];
            npy_intp apart;
            for (int i = 0; i < link->operands; i++) {
                const char *start = find_value(work, link->values[i], scratch, done, &apart);
                sources[i] = (Source){start, apart, link->types[i]};
            }
            char *out = find_value(work, link->out, scratch, done, &apart);
            compute_blocks(link->plan, sources, link->conversions, link->operands, out, now);
        }
    }
}

/* Whether an object is an Array that the chain computes with. */
static bool is_plain(const Chain *self, const Value *value, PyObject *x) {
    if (!IS_ARRAY(x) || ((Array *)x)->node != value->node) return false;
    PyArrayObject *data = ((Array *)x)->data;
    if (!PyArray_IS_C_CONTIGUOUS(data) || !aligned_native((Array *)x)) return false;
    if (value->single) return PyArray_SIZE(data) == 1;
    return PyArray_NDIM(data) == self->ndim && PyArray_CompareLists(PyArray_DIMS(data), self->shape, self->ndim);
}

/* Compute into new results; takes a reference to each buffer meanwhile, which other threads may set to another dtype
 * but not free. */
static PyObject *compute(const Chain *self, PyObject *const *arrays) {
    npy_intp blocks = self->size / self->block + (self->size % self->block != 0);
    npy_intp weight = self->block * self->link_count;
    int threads = threads_for(blocks, weight);
    PyArrayObject **buffers =
        PyMem_Calloc((size_t)(self->input_count + self->output_count) + 1, sizeof(PyArrayObject *));
    char *memory = PyMem_RawMalloc((size_t)threads * (size_t)scratch_bytes(self) + LINE);
    bool good = buffers != NULL && memory != NULL;
    if (!good) PyErr_NoMemory();
    for (int i = 0; good && i < self->input_count; i++) buffers[i] = operand_of(arrays[i]).data;
    for (int i = 0; good && i < self->output_count; i++) {
        buffers[self->input_count + i] = new_data(self->values[self->outputs[i]].node, self->ndim, self->shape, false);
        good = buffers[self->input_count + i] != NULL;
    }
    if (good) {
        char *scratch = (char *)(((uintptr_t)memory + LINE - 1) & ~(uintptr_t)(LINE - 1));
        ChainCall work = {self, buffers, scratch};
        Py_BEGIN_ALLOW_THREADS
        share_among(threads, compute_part, &work, blocks, weight);
        Py_END_ALLOW_THREADS
    }
    PyObject *results = good ? PyList_New(self->output_count) : NULL;
    for (int i = 0; results != NULL && i < self->output_count; i++) {
        PyObject *x = wrap(buffers[self->input_count + i], self->values[self->outputs[i]].node); /* takes it over */
        buffers[self->input_count + i] = NULL;
        if (x == NULL) Py_CLEAR(results);
        else PyList_SET_ITEM(results, i, x);
    }
    for (int i = 0; buffers != NULL && i < self->input_count + self->output_count; i++) Py_XDECREF(buffers[i]);
    PyMem_Free(buffers);
    PyMem_RawFree(memory);
    return results;
}

/* Call the chain. May run Python. */
static PyObject *call_chain(PyObject *object, PyObject *const *args, size_t flags, PyObject *keywords) {
    Chain *self = (Chain *)object;
    bool plain = keywords == NULL && PyVectorcall_NARGS(flags) == self->input_count;
    for (int i = 0; plain && i < self->input_count; i++)
        plain = is_plain(self, &self->values[self->inputs[i]], args[i]);
    if (plain) return compute(self, args);
    PyObject *fallback = Py_NewRef(self->fallback);
    PyObject *result = PyObject_Vectorcall(fallback, args, flags, keywords);
    Py_DECREF(fallback);
    return result;
}

/* -- making -- */

/* Read a number of a value; -1 with an exception. */
static int read_value(const Chain *self, PyObject *x) {
    npy_intp value = PyNumber_AsSsize_t(x, PyExc_OverflowError);
    if (value >= 0 && value < self->value_count) return (int)value;
    if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "Chain: there is no value %zd", value);
    return -1;
}

/* Add a number among the operands of a plan; its value, or -1, without an exception where C does not convert it. */
static int add_number(Chain *self, const Plan *plan, PyObject *number) {
    Scalar kind = scalar_kind(number);
    _Alignas(16) char element[WIDEST] = {0};
    int written = kind == S_NONE ? 0 : write_scalar(plan, number, kind, element);
    if (written <= 0) return -1;
    memcpy(self->numbers[self->number_count], element, WIDEST);
    self->values[self->value_count] = (Value){NUMBER, NULL, true, self->number_count++};
    return self->value_count++;
}

/* Read (plan, operands, value of the result), in which a number is in a tuple. */
static bool read_link(Chain *self, Link *link, PyObject *row) {
    PyObject *plan, *operands;
    int out;
    if (!PyArg_ParseTuple(row, "O!O!i:Chain", PlanType, &plan, &PyTuple_Type, &operands, &out)) return false;
    link->plan = (Plan *)Py_NewRef(plan);
    link->operands = (int)PyTuple_GET_SIZE(operands);
    link->out = out;
    bool good = link->plan->loop != NULL && link->operands > 0 && link->operands < 3 && out >= 0 &&
                out < self->value_count && (self->values[out].kind == OUTPUT || self->values[out].kind == SCRATCH) &&
                !self->values[out].single && self->values[out].node == link->plan->node;
    for (int i = 0; good && i < link->operands; i++) {
        PyObject *operand = PyTuple_GET_ITEM(operands, i);
        bool number = PyTuple_Check(operand) && PyTuple_GET_SIZE(operand) == 1;
        link->values[i] =
            number ? add_number(self, link->plan, PyTuple_GET_ITEM(operand, 0)) : read_value(self, operand);
        if (link->values[i] < 0) good = false;
        else link->types[i] = number ? link->plan->type : self->values[link->values[i]].node->type;
        if (!good || link->types[i] == link->plan->type) continue;
        good = find_operand_conversion(link->types[i], link->plan->type, &link->conversions[i]);
    }
    if (!good && !PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "Chain: %R is no part of a chain", row);
    return good;
}

/* Return the code of a link's arithmetic, or 0. */
static int code_of(const Link *link) {
    static const int codes[] = {
        [A_SUM] = PLUS, [A_DIFFERENCE] = MINUS, [A_PRODUCT] = TIMES, [A_QUOTIENT] = OVER, [A_GREATEST] = 0};
    Type type = link->plan->type;
    bool floats =
        (type == E_FLOAT32 || type == E_FLOAT64) && link->types[0] == type && link->types[link->operands - 1] == type;
    return HAS_VECTORS && floats ? codes[link->plan->what] : 0;
}

/* Whether links have to store their result: it is not only what the next one computes with, if that is joined to it. */
static bool is_stored(const Chain *self, const Link *link) {
    for (const Link *next = link + 1; next < self->links + self->link_count; next++) {
        int uses = (next->values[0] == link->out) + (next->values[next->operands - 1] == link->out);
        if (uses > 0 && (next > link + 1 || !link->joined || (uses == 2 && code_of(next) != TIMES))) return true;
    }
    return self->values[link->out].kind == OUTPUT;
}

/* Find out which links are computed together, and how. */
static void join_links(Chain *self) {
    int held = -1; /* the value in registers */
    self->whole = true;
    for (Link *link = self->links, *end = link + self->link_count; link < end; link++) {
        int code = code_of(link), x = link->values[0], y = link->values[link->operands - 1];
        Action *next = link->actions;
        link->joined = code != 0 && link + 1 < end && code_of(link + 1) != 0 && link[1].plan->type == link->plan->type;
        self->whole = self->whole && code != 0 && (link->joined || link + 1 == end);
        if (code == 0) continue;
        bool swapped = x != held && (y == held || self->values[x].single);
        int other = swapped ? x : y;
        if (x != held && y != held) {
            held = swapped ? y : x;
            *next++ = (Action){TAKE + (self->values[held].single ? OF_NUMBER : 0), held};
        }
        if (other == held && code == TIMES) code = SQUARED;
        else code += (swapped && (code == MINUS || code == OVER)) + (self->values[other].single ? OF_NUMBER : 0);
        *next++ = (Action){code, other};
        if (is_stored(self, link)) *next++ = (Action){PUT, link->out};
        link->action_count = (int)(next - link->actions);
        held = link->joined ? link->out : -1;
    }
}

/* Read (node, whether it is one element, scratch block or -1); the kinds of others follow from the inputs and outputs.
 */
static bool read_chain_value(Chain *self, Value *value, PyObject *row) {
    PyObject *node;
    int single;
    if (!PyArg_ParseTuple(row, "Opi:Chain", &node, &single, &value->place)) return false;
    value->node = node_of(node);
    if (value->node == NULL) return false;
    value->single = single != 0;
    value->kind = value->place < 0 ? INPUT : SCRATCH;
    npy_intp itemsize = PyDataType_ELSIZE(value->node->dtype);
    if (value->node->type == E_FOREIGN || itemsize > WIDEST || value->place >= 1 << 16) {
        PyErr_Format(PyExc_ValueError, "Chain: %R is no value", row);
        return false;
    }
    if (value->place >= self->scratch_count) self->scratch_count = value->place + 1;
    if (self->block > BLOCK / itemsize) self->block = BLOCK / itemsize;
    return true;
}

static bool read_ends(Chain *self, PyObject *numbers, int kind, int **found, int *count) {
    *count = (int)PyTuple_GET_SIZE(numbers);
    *found = zeroed(*count, sizeof(int));
    if (*found == NULL) return false;
    for (int i = 0; i < *count; i++) {
        int value = read_value(self, PyTuple_GET_ITEM(numbers, i));
        if (value < 0) return false;
        (*found)[i] = value;
        self->values[value].kind = kind == INPUT ? INPUT : OUTPUT;
        self->values[value].place = i;
    }
    return true;
}

static bool read_chain(Chain *self, PyObject *shape, PyObject *values, PyObject *links, PyObject *inputs,
                       PyObject *outputs) {
    npy_intp most = PyTuple_GET_SIZE(values) + 2 * PyTuple_GET_SIZE(links) + 1;
    self->values = zeroed(most, sizeof(Value));
    self->links = zeroed(PyTuple_GET_SIZE(links), sizeof(Link));
    self->numbers = zeroed(2 * PyTuple_GET_SIZE(links), sizeof *self->numbers);
    if (self->values == NULL || self->links == NULL || self->numbers == NULL) return false;
    self->ndim = read_shape(shape, 0, self->shape);
    if (self->ndim < 0) {
        PyErr_Format(PyExc_ValueError, "Chain: %R is no shape", shape);
        return false;
    }
    self->size = 1;
    self->block = BLOCK;
    for (int i = 0; i < self->ndim; i++) self->size = size_product(self->size, self->shape[i]);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(values); i++)
        if (!read_chain_value(self, &self->values[self->value_count++], PyTuple_GET_ITEM(values, i))) return false;
    if (!read_ends(self, inputs, INPUT, &self->inputs, &self->input_count) ||
        !read_ends(self, outputs, OUTPUT, &self->outputs, &self->output_count))
        return false;
    for (int i = 0; i < self->value_count; i++)
        if (self->values[i].place < 0) { /* it has no memory */
            PyErr_Format(PyExc_ValueError, "Chain: value %d is no input, and no result of a link", i);
            return false;
        }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(links); i++)
        if (!read_link(self, &self->links[self->link_count++], PyTuple_GET_ITEM(links, i))) return false;
    join_links(self);
    return true;
}

static PyObject *chain_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *keywords[] = {"shape", "values", "links", "inputs", "outputs", "fallback", NULL};
    PyObject *shape, *values, *links, *inputs, *outputs, *fallback;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!O!O!O!O!O:Chain", keywords, &PyTuple_Type, &shape, &PyTuple_Type,
                                     &values, &PyTuple_Type, &links, &PyTuple_Type, &inputs, &PyTuple_Type, &outputs,
                                     &fallback))
        return NULL;
    Chain *self = (Chain *)type->tp_alloc(type, 0);
    if (self == NULL) return NULL;
    self->vectorcall = call_chain;
    self->fallback = Py_NewRef(fallback);
    if (!read_chain(self, shape, values, links, inputs, outputs)) Py_CLEAR(self);
    return (PyObject *)self;
}

static void free_chain(Chain *self) {
    for (int i = 0; i < self->link_count; i++) Py_XDECREF(self->links[i].plan);
    PyMem_Free(self->values);
    PyMem_Free(self->links);
    PyMem_Free(self->inputs);
    PyMem_Free(self->outputs);
    PyMem_Free(self->numbers);
}

/* The collector may not clear it: only what calls own could be used after that. */
#define CHAIN_MEMBERS(X) X(fallback)
COLLECTED(chain, Chain, NONE, CHAIN_MEMBERS, NONE, free_chain(self))

static PyMemberDef chain_members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Chain, vectorcall), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};
static PyType_Slot chain_slots[] = {
    {Py_tp_doc, (void *)PyDoc_STR("Chain(shape, values, links, inputs, outputs, fallback)\n--\n\n"
                                  "Elementwise calls on arrays of one shape, computed block by block.")},
    {Py_tp_new, chain_new},
    {Py_tp_call, PyVectorcall_Call},
    COLLECTED_SLOTS(chain),
    {Py_tp_members, chain_members},
    {0, NULL},
};
PyType_Spec chain_spec = {"supremum._native.Chain", sizeof(Chain), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL, chain_slots};
