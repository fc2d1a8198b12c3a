"""Names and arguments of NumPy and JAX that do not exist here, each with what to write instead.

The table is read when a name is missed. `docs/from-numpy.md` shows it, and `tests/base/test_absent.py` runs its code.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from functools import cache
from typing import Any, Final

from supremum._base.errors import nearest, stack_level

#: The rows of each namespace: names, what to write, and a note, either of which may be missing. In the code, `xp` is this
#: package, `np` NumPy, and, for arguments, `f` the function.
TABLE: Final[dict[str, str]] = {
    "numpy": """
        False_ True_ | True |
        ScalarType sctypeDict typecodes | xp.__array_namespace_info__().dtypes() |
        array2string | xp.array_str(x) |
        asanyarray ascontiguousarray require | xp.asarray(x) | np.ascontiguousarray(x) sets the layout of a buffer
        asarray_chkfinite | xp.isfinite(x).all() | and xp.asarray(x)
        asfortranarray isfortran | np.asfortranarray(np.asarray(x)) | functions take arrays of any layout
        asmatrix matrix | xp.asarray([[1, 2], [3, 4]]) | matrices are arrays of two dimensions, and @ multiplies them
        bmat | xp.block([[M, M], [M, M]]) |
        base_repr | np.base_repr(int(n), 3) |
        binary_repr | np.binary_repr(int(n)) |
        broadcast | xp.broadcast_shapes(x.shape, y.shape) | or xp.broadcast_arrays(x, y)
        busday_count busday_offset busdaycalendar is_busday datetime64 datetime_as_string datetime_data timedelta64 isnat | \
            np.datetime64("2026-11-23") | dates are NumPy's: arrays are of numbers and bools
        bytes_ str_ strings char | np.strings.upper(["a", "b"]) | text is NumPy's: arrays are of numbers and bools
        byte | xp.int8 |
        ubyte | xp.uint8 |
        short | xp.int16 |
        ushort | xp.uint16 |
        intc | xp.int32 |
        uintc | xp.uint32 |
        long longlong intp | xp.int64 |
        ulong ulonglong uintp | xp.uint64 |
        half | xp.float16 |
        longdouble float128 | xp.float64 | there is no wider float
        clongdouble complex256 | xp.complex128 | there is no wider complex number
        common_type mintypecode | xp.result_type(x, y) |
        min_scalar_type | np.min_scalar_type(10) | the dtype of a result never depends on a value
        typename | xp.dtype("int8").name |
        copyto | z[...] = x |
        putmask | z[mask] = 0.0 |
        core | | it is private to NumPy
        ctypeslib f2py get_include | np.ctypeslib.as_ctypes(np.asarray(x)) |
        emath | xp.sqrt(x.astype("complex64")) | functions of real numbers have real results, or NaN
        errstate seterr geterr seterrcall geterrcall | | \
            leave it out: floating-point errors are silent; isfinite(x).all() finds them
        setbufsize getbufsize | | leave it out: there is no such buffer
        exceptions | np.exceptions.AxisError |
        fix | xp.trunc(x) |
        flatiter nditer nested_iters | [float(value) for value in x.ravel()] |
        format_float_positional format_float_scientific | np.format_float_positional(float(x[0])) |
        genfromtxt loadtxt fromregex | xp.asarray(np.loadtxt(path)) | NumPy reads text
        savetxt | np.savetxt(path, x) | NumPy writes text
        info | help(xp.sin) |
        little_endian | sys.byteorder == "little" |
        ma | xp.mean(x, where=mask) | a mask is an array of bools: x[mask], where=mask, nanmean and its kin
        may_share_memory shares_memory | np.shares_memory(np.asarray(x), np.asarray(y)) |
        memmap | xp.asarray(np.memmap(path, "uint8", "r")) |
        ndenumerate | np.ndenumerate(x) |
        ndindex | np.ndindex(x.shape) |
        poly1d polynomial | xp.polyval(xp.asarray([1.0, 0.0, 2.0]), x) | \
            coefficients are arrays: polyadd, polymul, polyfit, roots
        real_if_close | x.real |
        rec recarray record void | {"a": x, "b": y} | arrays are of numbers and bools; records are dicts of arrays, or pandas
        row_stack | xp.vstack([x, y]) |
        show_config show_runtime test | | run python -m supremum info, or python -m supremum check
        alltrue | xp.all(x) |
        sometrue | xp.any(x) |
        asscalar | x[0].item() |
        cumproduct | xp.cumprod(x) |
        in1d | xp.isin(x, y) |
        Inf Infinity infty PINF | xp.inf |
        NINF | -xp.inf |
        NaN NAN | xp.nan |
        mat | xp.asarray([[1, 2], [3, 4]]) |
        msort | xp.sort(x, axis=0) |
        product | xp.prod(x) |
        round_ | xp.round(x) |
        trapz | xp.trapezoid(x) |
    """,
    "random": """
        default_rng Generator RandomState seed get_state set_state SeedSequence BitGenerator MT19937 PCG64 PCG64DXSM Philox \
            SFC64 bit_generator get_bit_generator set_bit_generator mtrand | key = xp.random.key(0) | \
            pass it to a function, as in xp.random.normal(key, (3,)); the same key gives the same numbers, and \
            key, part = xp.random.split(key) makes another one
        rand random random_sample ranf sample | xp.random.uniform(key, (3,)) | with key = xp.random.key(0)
        randn standard_normal | xp.random.normal(key, (3,)) | with key = xp.random.key(0)
        random_integers | xp.random.randint(key, (3,), 0, 10) | with key = xp.random.key(0)
        shuffle | x = xp.random.permutation(key, x) | with key = xp.random.key(0)
        bytes | bytes(xp.random.bits(key, (3,), "uint8")) | with key = xp.random.key(0)
        power | xp.random.uniform(key, (3,)) ** (1 / 2.5) | with key = xp.random.key(0)
        standard_cauchy | xp.random.cauchy(key, (3,)) | with key = xp.random.key(0)
        standard_exponential | xp.random.exponential(key, (3,)) | with key = xp.random.key(0)
        standard_gamma | xp.random.gamma(key, 2.5, (3,)) | with key = xp.random.key(0)
        standard_t | xp.random.t(key, 5.0, (3,)) | with key = xp.random.key(0)
        weibull | xp.random.weibull_min(key, 1.0, 2.5, (3,)) | with key = xp.random.key(0)
        hypergeometric logseries negative_binomial noncentral_chisquare noncentral_f vonmises zipf | \
            xp.asarray(np.random.default_rng(0).vonmises(0, 1, 3)) | this distribution is NumPy's
        test | | run python -m supremum check
    """,
    "linalg": """
        test | | run python -m supremum check
    """,
    "fft": """
        test | | run python -m supremum check
    """,
    "Array": """
        base | np.asarray(x).base |
        ctypes | np.asarray(x).ctypes |
        data | np.asarray(x).data |
        dump | pickle.dump(x, file) |
        dumps | pickle.dumps(x) |
        fill | x[...] = 0 |
        flat | x.ravel() | x.at[...] and x[...] = values update elements
        flags | np.asarray(x).flags |
        getfield setfield | x.view("uint8") |
        itemset | x[0] = 2 |
        newbyteorder | np.asarray(x).byteswap() | arrays have the byte order of the processor
        partition | x = xp.partition(x, 1) |
        put | x[n] = 2 |
        resize | x = xp.resize(x, (2, 3)) |
        setflags | with xp.config.use(mutable=False): x + 1 | arrays are read-only where config.mutable is False
        strides | np.asarray(x).strides |
        tofile | np.asarray(x).tofile(path) |
        tostring | x.tobytes() |
    """,
    "argument": """
        out | z[...] = f(x) | the result is a new array
        where | xp.where(mask, f(x), z) |
        dtype | f(x).astype("float64") | or cast the operands
        casting subok signature extobj like | f(x) | leave it out
        order | f(x) | leave it out: the memory layout is not specified
        axes | xp.moveaxis(x, 0, -1) | move the axes of the operands
        keepdims | xp.expand_dims(f(x), axis=0) |
        kind | xp.sort(x, stable=True) | the argument stable chooses the algorithm
        correction | xp.nanvar(x, ddof=1) | it is called ddof
        size | xp.random.normal(key, shape=(3,)) | it is called shape, and the key comes first
        low | xp.random.randint(key, (3,), minval=0, maxval=9) | it is called minval, and high maxval
        high | xp.random.randint(key, (3,), minval=0, maxval=9) | it is called maxval, and low minval
        loc scale | 2.0 + 3.0 * xp.random.normal(key, (3,)) | scale and move the numbers
        ndmax | f(x) | leave it out
        a_min a_max | xp.clip(x, min=0, max=1) | they are called min and max
        override_repr legacy floatmode | f(precision=3) | leave it out
    """,
    "jax": """
        auto_pcast block_until_ready checkpoint checkpoint_policies clear_caches closure_convert core custom_gradient \
            custom_jvp custom_vjp debug debug_infs debug_nans default_backend default_device Device device_count device_get \
            device_put devices disable_jit ds effects_barrier ensure_compile_time_eval eval_shape experimental flatten_util \
            float0 host_count host_id host_ids install installed lax live_arrays local_device_count local_devices \
            make_array_from_callback make_array_from_process_local_data make_array_from_single_device_arrays make_jaxpr \
            make_mesh named_call named_scope NamedSharding numpy_rank_promotion ops P pmap print_environment_info \
            process_count process_index process_indices profiler pure_callback remat reshard set_mesh ShapeDtypeStruct Shard \
            shard_map sharding smap stages tree tree_util typeof vmap | \
            from supremum import jax | supremum.jax has JAX's names, and python -m supremum run SCRIPT uses it
        grad value_and_grad jacobian jacfwd jacrev hessian jvp vjp linearize | | \
            supremum does not differentiate; use JAX's, or write the derivative or a finite difference by hand
    """,
}  # fmt: skip


@cache
def rows(kind: str) -> dict[str, tuple[str, str]]:
    """Return the code and the note of each name of a namespace."""
    rows = {}
    for line in TABLE[kind].replace("\\\n", " ").strip().splitlines():
        names, code, note = (" ".join(part.split()) for part in line.split("|"))
        rows.update(dict.fromkeys(names.split(), (code, note)))
    return rows


def sentence(kind: str, name: str) -> str:
    """Return what to do in place of a name of a namespace, or of an argument; an empty string if the table does not say.

    Examples
    --------
    >>> sentence("numpy", "fix")
    'write supremum.trunc(x)'
    """
    code, note = rows(kind).get(name, ("", ""))
    text = "; ".join(part for part in (code and f"write {code}", note) if part)
    return re.sub(r"\b(xp|np)\.", lambda found: {"xp": "supremum.", "np": "numpy."}[found[1]], text)


def missing(module: str, name: str) -> Exception:
    """Return the error for a name that a namespace of this package does not have, with what to write instead.

    Parameters
    ----------
    module : str
        The name of the namespace: "supremum", "supremum.random".
    name : str
        The name that it does not have.
    """
    last = module.rpartition(".")[2]
    found = (sentence(kind, name) for kind in (("numpy", "jax") if last == "supremum" else (last,)))
    instead = next(filter(None, found), "")
    if not instead:
        return AttributeError(f"module {module!r} has no attribute {name!r}", name=name, obj=sys.modules.get(module))
    message = f"{module}.{name} does not exist: {instead}"
    # `from supremum import vmap` would hide the message of an AttributeError behind one of its own.
    caller = sys._getframe(stack_level() - 1).f_globals.get("__name__")
    importing = caller in ("importlib._bootstrap", "_frozen_importlib")
    return ImportError(message, name=module) if importing else AttributeError(message, name=name)


#: What Python says of a keyword that a function does not have, from 3.13 on with a suggestion behind it.
_UNKNOWN: Final = re.compile(r"(?:\w+\.)*(\w+)\(\) got an unexpected keyword argument '(\w+)'")


def unknown_argument(function: str, message: str, definition: Callable[..., Any]) -> str:
    """Return what to say of a call with a keyword that the function does not have, or an empty string for other errors."""
    found = _UNKNOWN.match(message)
    bare = function.rpartition(".")[2]
    if found is None or found[1] != bare:
        return ""
    parameters = [name for name in inspect.signature(definition).parameters if name not in ("self", "args", "kwargs")]
    instead = sentence("argument", found[2]).replace("f(", f"{bare}(").replace(f"{bare}(x)", f"{bare}(...)")
    return found[0] + (nearest(found[2], parameters) or f"; {instead or 'the arguments are ' + ', '.join(parameters)}")
