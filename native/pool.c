/* The pool: memory of large results that died, for the next large result.
 *
 * The operating system hands out memory page by page, each filled with zeros when it is first written to, which takes
 * longer than most operations. So the memory of large ndarrays that the engine makes is kept for a while when they die:
 * up to a bound (`config.pool`), and for IDLE seconds, or until SOON other uses of the pool needed other memory. That
 * is looked at when the pool is used, and by threads that have nothing else to do. The operating system may take back
 * the pages of blocks that are kept for longer than OFFERED seconds (MADV_FREE).
 *
 * An ndarray owns its block as it owns any memory: its flag says so, and its memory handler is `handler`, which NumPy
 * calls to free or to resize it. NumPy's own handler is left alone. A block begins a page after its header, and on
 * Linux, where it is large, at a large page.
 */
#include "pool.h"

#include "locks.h"

#include <time.h>

#ifndef _WIN32
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#if !defined(MAP_ANONYMOUS) && defined(MAP_ANON)
#define MAP_ANONYMOUS MAP_ANON
#endif
#endif

#if defined(__SANITIZE_ADDRESS__)
#define POISONS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISONS 1
#endif
#endif
#ifdef POISONS
#include <sanitizer/asan_interface.h>
#define POISON(place, bytes) ASAN_POISON_MEMORY_REGION(place, bytes)
#define UNPOISON(place, bytes) ASAN_UNPOISON_MEMORY_REGION(place, bytes)
#else
#define POISON(place, bytes) ((void)(place), (void)(bytes))
#define UNPOISON(place, bytes) ((void)(place), (void)(bytes))
#endif

enum {
    LARGE_PAGE = 1 << 21, /* bytes of a large page, of most systems */
    ANY_PAGE = 1 << 16,   /* bytes of a page where the system does not say: a multiple of all in use */
    OFFERED = 1,          /* seconds after which the operating system may take the pages of kept memory */
    SOON = 64,            /* uses of the pool after which it is returned where other memory is needed */
    NEAR = 256,           /* kept blocks that are looked at, the newest ones */
};

/* What lies before the memory of a block. */
typedef struct Block {
    size_t size; /* of the memory after the header */
    long long freed;
    unsigned long uses; /* of the pool, when it was freed */
    bool offered;       /* whether the operating system may take its pages */
    struct Block *newer, *older;
} Block;

static struct {
    Mutex mutex;
    Block *newest, *oldest; /* which are kept */
    size_t limit, held;     /* bytes */
    unsigned long uses;
} pool = {.mutex = NEW_MUTEX};

static PyObject *handler_capsule; /* owned; of `handler` */

static size_t page_size = ANY_PAGE; /* the system's, which the module sets before there are blocks */

static char *start_of(Block *block) { return (char *)block + page_size; }
static Block *block_of(void *start) { return (Block *)((char *)start - page_size); }

/* -- where a block lies; all sizes are powers of two or multiples of a page -- */

/* Round bytes up, so that results of nearly one size have blocks of one size; 0 where there is no such memory. */
static size_t rounded_up(size_t bytes, size_t page) {
    size_t step = page;
    if (bytes > (size_t)TOO_LARGE / 2) return 0;
    while (step < bytes / 16) step *= 2;
    return (bytes + step - 1) & ~(step - 1);
}

/* Return what the start of a block of a size is a multiple of. Other systems than Linux have no large pages that they
 * could be made to use. */
static size_t alignment_of(size_t size, size_t page) {
#ifdef __linux__
    if (size >= LARGE_PAGE && page < LARGE_PAGE) return LARGE_PAGE;
#endif
    (void)size;
    return page;
}

/* Return how many bytes to map for a block, its header and its alignment. */
static size_t bytes_to_map(size_t size, size_t page) {
    size_t alignment = alignment_of(size, page);
    return size + page + (alignment > page ? alignment : 0);
}

/* Return how many of the bytes that were mapped at an address lie before the header. */
static size_t bytes_before(uintptr_t address, size_t size, size_t page) {
    uintptr_t alignment = alignment_of(size, page);
    return (size_t)(((address + page + alignment - 1) & ~(alignment - 1)) - page - address);
}

/* -- the operating system -- */

static size_t system_page(void) {
#ifdef _WIN32
    SYSTEM_INFO system;
    GetSystemInfo(&system);
    long found = (long)system.dwPageSize;
#else
    long found = sysconf(_SC_PAGESIZE);
#endif
    bool good = found >= (long)sizeof(Block) && found <= LARGE_PAGE && (found & (found - 1)) == 0;
    return good ? (size_t)found : ANY_PAGE;
}

static long long passed; /* seconds that a test says have passed; under the lock */

double monotonic_seconds(void) {
#ifdef _WIN32
    return (double)GetTickCount64() / 1e3;
#else
    struct timespec now;
#ifdef CLOCK_MONOTONIC_COARSE
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
#else
    clock_gettime(CLOCK_MONOTONIC, &now);
#endif
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
#endif
}

static long long seconds(void) { return (long long)monotonic_seconds() + passed; }

/* Get a block of a size, which is a multiple of a page, for so many bytes; or NULL. */
static Block *map_block(size_t size, size_t bytes) {
    Block *block = NULL;
    (void)bytes; /* of systems with large pages */
#ifdef _WIN32
    block = VirtualAlloc(NULL, bytes_to_map(size, page_size), MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
#elif defined(MAP_ANONYMOUS)
    size_t mapped = bytes_to_map(size, page_size);
    char *all = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) return NULL;
    size_t before = bytes_before((uintptr_t)all, size, page_size), after = mapped - before - page_size - size;
    if (before > 0) munmap(all, before); /* what is around the block is returned */
    if (after > 0) munmap(all + mapped - after, after);
    block = (Block *)(all + before);
#ifdef MADV_HUGEPAGE
    if (size >= LARGE_PAGE) /* beyond these bytes, no large page is filled in part */
        madvise(start_of(block), bytes & ~(size_t)(LARGE_PAGE - 1), MADV_HUGEPAGE);
#endif
#else
    block = malloc(bytes_to_map(size, page_size));
#endif
    if (block != NULL) *block = (Block){.size = size};
    return block;
}

static void unmap_block(Block *block) {
    UNPOISON(start_of(block), block->size);
#ifdef _WIN32
    VirtualFree(block, 0, MEM_RELEASE);
#elif defined(MAP_ANONYMOUS)
    munmap(block, block->size + page_size);
#else
    free(block);
#endif
}

/* Let the operating system take the pages of a kept block when it needs them. To write to them again takes longer. */
static void offer_pages(Block *block) {
    block->offered = true;
#ifdef MADV_FREE
    madvise(start_of(block), block->size, MADV_FREE);
#endif
}

/* -- kept blocks; under the lock -- */

static void unlink_block(Block *block) {
    *(block->newer != NULL ? &block->newer->older : &pool.newest) = block->older;
    *(block->older != NULL ? &block->older->newer : &pool.oldest) = block->newer;
    pool.held -= block->size;
}

static size_t drop_oldest(void) {
    Block *block = pool.oldest;
    size_t size = block->size;
    unlink_block(block);
    unmap_block(block);
    return size;
}

static void drop_idle(long long now) {
    while (pool.oldest != NULL && now - pool.oldest->freed > IDLE) drop_oldest();
    for (Block *block = pool.oldest; block != NULL && now - block->freed > OFFERED && !block->offered;
         block = block->newer)
        offer_pages(block);
}

static void drop_to(size_t limit) {
    while (pool.held > limit) drop_oldest();
}

/* Return a kept block that has the bytes and not many more, or NULL. */
static Block *fitting(size_t size) {
    Block *best = NULL, *block = pool.newest;
    for (int i = 0; i < NEAR && block != NULL && (best == NULL || best->size != size); i++, block = block->older)
        if (block->size >= size && block->size - size <= size / 4 && (best == NULL || block->size < best->size))
            best = block;
    return best;
}

/* -- taking and giving -- */

/* Return memory of so many bytes at least, or NULL. Users who turned the pool off get none, unless they `must`. */
static void *take(size_t bytes, bool must) {
    size_t size = rounded_up(bytes > 0 ? bytes : 1, page_size), dropped = 0;
    if (size == 0) return NULL;
    lock_mutex(&pool.mutex);
    if (pool.limit == 0 && !must) {
        unlock_mutex(&pool.mutex);
        return NULL;
    }
    pool.uses++;
    drop_idle(seconds());
    Block *block = fitting(size);
    if (block != NULL) unlink_block(block);
    else
        while (dropped < size && pool.oldest != NULL && pool.uses - pool.oldest->uses > SOON) dropped += drop_oldest();
    unlock_mutex(&pool.mutex);
    if (block == NULL) block = map_block(size, bytes);
    if (block == NULL && empty_pool()) block = map_block(size, bytes);
    if (block == NULL) return NULL;
    UNPOISON(start_of(block), block->size);
    return start_of(block);
}

static void give(void *start) {
    Block *block = block_of(start);
    lock_mutex(&pool.mutex);
    bool kept = block->size <= pool.limit;
    if (kept) {
        block->freed = seconds();
        block->uses = ++pool.uses;
        drop_idle(block->freed);
        drop_to(pool.limit - block->size);
        block->newer = NULL;
        block->older = pool.newest;
        *(pool.newest != NULL ? &pool.newest->newer : &pool.oldest) = block;
        pool.newest = block;
        pool.held += block->size;
        block->offered = false;
        POISON(start, block->size);
    }
    unlock_mutex(&pool.mutex);
    if (!kept) unmap_block(block);
}

void trim_pool(void) {
    lock_mutex(&pool.mutex);
    drop_idle(seconds());
    unlock_mutex(&pool.mutex);
}

bool empty_pool(void) {
    lock_mutex(&pool.mutex);
    bool some = pool.oldest != NULL;
    drop_to(0);
    unlock_mutex(&pool.mutex);
    return some;
}

void lock_pool(void) { lock_mutex(&pool.mutex); }
void unlock_pool(void) { unlock_mutex(&pool.mutex); }
void renew_pool(void) { pool.mutex = (Mutex)NEW_MUTEX; }

/* -- NumPy's memory handler -- */

static void *handler_malloc(void *Py_UNUSED(context), size_t size) { return take(size, true); }

static void *handler_calloc(void *Py_UNUSED(context), size_t count, size_t size) {
    npy_intp bytes = size_product((npy_intp)count, (npy_intp)size);
    void *start = take((size_t)bytes, true);
    return start == NULL ? NULL : memset(start, 0, (size_t)bytes);
}

static void *handler_realloc(void *Py_UNUSED(context), void *start, size_t size) {
    if (start == NULL) return take(size, true);
    Block *block = block_of(start);
    if (size <= block->size && size > block->size / 2) return start;
    void *other = take(size, true);
    if (other == NULL) return NULL;
    memcpy(other, start, size < block->size ? size : block->size);
    give(start);
    return other;
}

static void handler_free(void *Py_UNUSED(context), void *start, size_t Py_UNUSED(size)) {
    if (start != NULL) give(start);
}

static PyDataMem_Handler handler = {
    "supremum_pool", 1, {NULL, handler_malloc, handler_calloc, handler_realloc, handler_free}};

PyArrayObject *new_pooled(PyArray_Descr *dtype, int ndim, const npy_intp *shape, const npy_intp *strides,
                          bool fortran) {
    npy_intp bytes = bytes_of_shape(ndim, shape, PyDataType_ELSIZE(dtype));
    if (bytes == TOO_LARGE) return NULL;
    void *start = take((size_t)bytes, false);
    if (start == NULL) return NULL;
    int order = fortran && ndim > 1 ? NPY_ARRAY_F_CONTIGUOUS : NPY_ARRAY_C_CONTIGUOUS;
    Py_INCREF(dtype); /* which NumPy takes over, in failure too */
    PyArrayObject *out =
        (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type, dtype, ndim, (npy_intp *)shape, (npy_intp *)strides, start,
                                              order | NPY_ARRAY_ALIGNED | NPY_ARRAY_WRITEABLE, NULL);
    if (out == NULL) {
        give(start);
        return NULL;
    }
    PyArrayObject_fields *fields = (PyArrayObject_fields *)out;
    fields->flags |= NPY_ARRAY_OWNDATA;
    fields->mem_handler = Py_NewRef(handler_capsule);
    PyTraceMalloc_Track(TRACE_DOMAIN, (uintptr_t)start, (size_t)bytes); /* where it fails, one is not counted */
    return out;
}

bool pool_is_returned_to(void) {
    PyArray_Descr *dtype = PyArray_DescrFromType(NPY_INT8);
    npy_intp shape[] = {1};
    pool.limit = (size_t)TOO_LARGE;
    PyArrayObject *out = dtype == NULL ? NULL : new_pooled(dtype, 1, shape, NULL, false);
    char *start = out == NULL ? NULL : PyArray_BYTES(out);
    bool good = out != NULL && PyArray_CHKFLAGS(out, NPY_ARRAY_OWNDATA | NPY_ARRAY_CARRAY) && pool.newest == NULL;
    Py_XDECREF((PyObject *)dtype);
    Py_XDECREF((PyObject *)out);
    good = good && pool.newest != NULL && start_of(pool.newest) == start;
    pool.limit = 0;
    drop_to(0);
    return good;
}

/* -- functions of the module -- */

static PyObject *set_pool_function(PyObject *Py_UNUSED(module), PyObject *limit) {
    size_t bytes = PyLong_AsSize_t(limit);
    if (bytes == (size_t)-1 && PyErr_Occurred()) return NULL;
    lock_mutex(&pool.mutex);
    pool.limit = bytes;
    drop_to(bytes);
    unlock_mutex(&pool.mutex);
    Py_RETURN_NONE;
}

static PyObject *pool_held_function(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored)) {
    lock_mutex(&pool.mutex);
    size_t held = pool.held;
    unlock_mutex(&pool.mutex);
    return PyLong_FromSize_t(held);
}

static PyObject *pool_clock_function(PyObject *Py_UNUSED(module), PyObject *later) {
    long long given = PyLong_AsLongLong(later);
    if (given == -1 && PyErr_Occurred()) return NULL;
    lock_mutex(&pool.mutex);
    passed = given;
    unlock_mutex(&pool.mutex);
    Py_RETURN_NONE;
}

static PyObject *pool_layout_function(PyObject *Py_UNUSED(module), PyObject *args) {
    Py_ssize_t bytes, page;
    unsigned long long address;
    if (!PyArg_ParseTuple(args, "nnK:pool_layout", &bytes, &page, &address)) return NULL;
    if (bytes < 1 || page < 1 || (page & (page - 1)) != 0)
        return PyErr_Format(PyExc_ValueError, "pool_layout: there are no %zd bytes or no pages of %zd", bytes, page);
    size_t size = rounded_up((size_t)bytes, (size_t)page), mapped = bytes_to_map(size, (size_t)page),
           before = bytes_before((uintptr_t)address, size, (size_t)page);
    return Py_BuildValue("nnn", (Py_ssize_t)size, (Py_ssize_t)mapped, (Py_ssize_t)before);
}

PyMethodDef pool_functions[] = {
    {"set_pool", set_pool_function, METH_O,
     PyDoc_STR("set_pool(bytes)\n--\n\nSet how much memory of deleted results may be kept.")},
    {"pool_held", pool_held_function, METH_NOARGS,
     PyDoc_STR("pool_held()\n--\n\nReturn the bytes of memory that are kept.")},
    {"pool_clock", pool_clock_function, METH_O,
     PyDoc_STR("pool_clock(seconds)\n--\n\nSet the clock by which memory is idle forward, for tests.")},
    {"pool_layout", pool_layout_function, METH_VARARGS,
     PyDoc_STR(
         "pool_layout(bytes, page, address)\n--\n\nReturn the size of a block on a system with pages of so many "
         "bytes, how much is mapped for it, and how much of that, from an address on, lies before its header; for "
         "tests.")},
    {NULL, NULL, 0, NULL},
};

int pool_ready(void) {
    page_size = system_page();
    handler_capsule = PyCapsule_New(&handler, "mem_handler", NULL);
    return handler_capsule == NULL ? -1 : 0;
}
