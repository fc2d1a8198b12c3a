"""Names and arguments of NumPy, JAX and PyTorch that do not exist here, each with what to write instead.

The table is read when a name is missed. `docs/from-numpy.md` and `docs/from-torch.md` show it; `tests/base/test_absent.py`
runs its code.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Final

from supremum._base.errors import nearest, stack_level

#: The rows of each namespace: names, what to write, and a note, either of which may be missing; of functions that draw random
#: numbers, the note has NumPy's parameters. In the code, `xp` is this
#: package, `np` NumPy, {name} the name, and, for arguments, `f` the function.
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
        integers random_integers | xp.random.randint(key, (3,), 0, 10) | with key = xp.random.key(0)
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
    "sampler": """
        beta | xp.random.beta(key, a, b, size) | a, b, size
        binomial | xp.random.binomial(key, n, p, size) | n, p, size
        chisquare | xp.random.chisquare(key, df, size) | df, size
        choice | xp.random.choice(key, a, size, replace, p) | a, size, replace, p
        dirichlet | xp.random.dirichlet(key, alpha, size) | alpha, size
        exponential | scale * xp.random.exponential(key, size) | scale, size
        f | xp.random.f(key, dfnum, dfden, size) | dfnum, dfden, size
        gamma | scale * xp.random.gamma(key, shape, size) | shape, scale, size
        geometric | xp.random.geometric(key, p, size) | p, size
        gumbel laplace logistic normal | loc + scale * xp.random.{name}(key, size) | loc, scale, size
        lognormal | xp.exp(mean) * xp.random.lognormal(key, sigma, size) | mean, sigma, size
        multinomial | xp.random.multinomial(key, n, pvals) | n, pvals
        multivariate_normal | xp.random.multivariate_normal(key, mean, cov, size) | mean, cov, size
        pareto | xp.random.pareto(key, a, size) - 1 | a, size
        permutation | xp.random.permutation(key, x) | x
        poisson | xp.random.poisson(key, lam, size) | lam, size
        randint | xp.random.randint(key, size, low, high) | low, high, size
        rayleigh | xp.random.rayleigh(key, scale, size) | scale, size
        triangular | xp.random.triangular(key, left, mode, right, size) | left, mode, right, size
        uniform | xp.random.uniform(key, size, minval=low, maxval=high) | low, high, size
        wald | scale * xp.random.wald(key, mean / scale, size) | mean, scale, size
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
    "list": """
        append | x = xp.append(x, 2.0) | arrays have a fixed length
        extend | x = xp.concat([x, y]) | arrays have a fixed length
        insert | x = xp.insert(x, 1, 2.0) | arrays have a fixed length
        pop remove | x = xp.delete(x, 1) | arrays have a fixed length
        reverse | xp.flip(x) |
        len length | len(x) | or x.shape, x.size
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
        dim | f(x, axis=0) | it is called axis
        keepdim | f(x, keepdims=True) | it is called keepdims
        unbiased | f(x, ddof=1) | it is called ddof
        requires_grad pin_memory non_blocking memory_format generator | f(x) | leave it out
    """,
    "dtype": """
        bf16 | xp.bfloat16 |
        fp16 | xp.float16 |
        fp32 | xp.float32 |
        fp64 | xp.float64 |
        fp8 float8 e4m3fn float8_e4m3_fn | xp.float8_e4m3fn | or float8_e5m2, of a wider range and fewer digits
        fp4 float4 float4_e2m1fn_x2 | xp.float4_e2m1fn | one number for each element
        cfloat | xp.complex64 |
        chalf | xp.complex64 | functions compute in no narrower complex dtype
    """,
    "torch": """
        tensor as_tensor scalar_tensor from_numpy FloatTensor LongTensor | xp.asarray([1.0, 2.0]) |
        Tensor is_tensor | isinstance(x, xp.Array) |
        cat | xp.concat([x, y]) |
        chunk tensor_split | xp.array_split(x, 3) |
        unbind | xp.unstack(M) |
        narrow index_select | x[0:2] |
        clone detach | x.copy() |
        clamp | xp.clip(x, min=0, max=1) |
        clamp_min | xp.clip(x, min=0) |
        clamp_max | xp.clip(x, max=1) |
        unsqueeze | xp.expand_dims(x, axis=0) |
        flatten | x.flatten() |
        numel | x.size |
        permute | xp.permute_dims(M, (1, 0)) |
        movedim | xp.moveaxis(M, 0, 1) |
        swapdims | xp.swapaxes(M, 0, 1) |
        t | M.T |
        adjoint | M.mT.conj() |
        mm bmm mv | M @ M |
        addmm addmv addbmm baddbmm | M + M @ M |
        mul div sub | x * y | operators promote as the functions do
        neg | -x |
        eq | x == y |
        ne | x != y |
        lt | x < y |
        le | x <= y |
        gt | x > y |
        ge | x >= y |
        rsqrt | 1 / xp.sqrt(x) |
        lerp | x + 0.5 * (y - x) |
        sgn | xp.sign(x) |
        frac | x - xp.trunc(x) |
        lgamma | xp.scipy.special.gammaln(x) |
        igamma | xp.scipy.special.gammainc(x, y) |
        igammac | xp.scipy.special.gammaincc(x, y) |
        dropout | xp.where(xp.random.bernoulli(key, 0.9, x.shape), x / 0.9, 0.0) | with key = xp.random.key(0)
        embedding | M[xp.asarray([0, 1])] |
        rand rand_like | xp.random.uniform(key, (3,)) | with key = xp.random.key(0)
        randn randn_like | xp.random.normal(key, (3,)) | with key = xp.random.key(0)
        randint randint_like | xp.random.randint(key, (3,), 0, 10) | with key = xp.random.key(0)
        randperm | xp.random.permutation(key, 5) | with key = xp.random.key(0)
        multinomial | xp.random.choice(key, 3, (2,), p=x / x.sum()) | with key = xp.random.key(0)
        manual_seed seed initial_seed get_rng_state set_rng_state default_generator | key = xp.random.key(0) | \
            pass it to a function, as in xp.random.normal(key, (3,))
        no_grad enable_grad inference_mode set_grad_enabled is_grad_enabled autograd | | \
            leave it out: arrays do not record what they are computed from
        compile | | leave it out: functions run as they are
        cuda cpu mps xpu device get_device set_default_device get_default_device amp autocast | | \
            leave it out: arrays are in the memory of the CPU
        topk | xp.jax.lax.top_k(x, 2) |
        kthvalue | xp.sort(x)[1] |
        gather | xp.take_along_axis(M, xp.asarray([[0], [1]]), axis=1) |
        scatter index_put index_copy index_fill | x.at[n].set(2.0) |
        scatter_add index_add | x.at[n].add(2.0) |
        masked_fill | xp.where(mask, 0.0, x) |
        masked_select | x[mask] |
        repeat_interleave | xp.repeat(x, 2) |
        bucketize | xp.searchsorted(x, y) |
        histc | xp.histogram(x, bins=3) |
        aminmax | xp.min(x), xp.max(x) |
        std_mean | xp.std(x, ddof=1), xp.mean(x) |
        var_mean | xp.var(x, ddof=1), xp.mean(x) |
        dist | xp.linalg.norm(x - y) |
        inverse | xp.linalg.inv(M) |
        pinverse | xp.linalg.pinv(M) |
        logdet | xp.linalg.slogdet(M)[1] |
        matrix_exp | xp.scipy.linalg.expm(M) |
        cummax cummin logcumsumexp | xp.maximum.accumulate(x) | or minimum, or logaddexp
        is_complex | xp.iscomplexobj(x) |
        is_floating_point | xp.isdtype(x.dtype, "real floating") |
        get_default_dtype set_default_dtype set_default_tensor_type | xp.ones(3).dtype | config.x64 = "on" makes it float64
        set_num_threads get_num_threads | xp.config.threads |
        float | xp.float32 |
        int | xp.int32 |
        range | xp.arange(5) |
        bartlett_window | xp.bartlett(5) |
        blackman_window | xp.blackman(5) |
        hamming_window | xp.hamming(5) |
        hann_window | xp.hanning(5) |
        kaiser_window | xp.kaiser(5, 14.0) |
        optim utils | | networks are functions here: see supremum.nn, and python -m supremum run for programs of JAX
    """,
    "Tensor": """
        cpu cuda xpu detach contiguous pin_memory retain_grad requires_grad_ | | \
            leave it out: arrays are in the memory of the CPU, and do not record what they are computed from
        backward grad grad_fn requires_grad | | \
            arrays do not record what they are computed from
        to type_as | x.astype(y.dtype) |
        numpy | np.asarray(x) |
        float | x.astype("float32") |
        double | x.astype("float64") |
        half | x.astype("float16") |
        bfloat16 | x.astype("bfloat16") |
        bool | x.astype("bool") |
        char | x.astype("int8") |
        short | x.astype("int16") |
        int | x.astype("int32") |
        long | x.astype("int64") |
        cfloat | x.astype("complex64") |
        cdouble | x.astype("complex128") |
        unsqueeze | xp.expand_dims(x, axis=0) |
        permute | xp.permute_dims(M, (1, 0)) |
        movedim | xp.moveaxis(M, 0, 1) |
        moveaxis | xp.moveaxis(M, 0, 1) |
        swapdims | x.swapaxes(0, 0) |
        expand expand_as broadcast_to | xp.broadcast_to(x, (2, 3)) |
        view_as reshape_as | x.reshape(y.shape) |
        tile | xp.tile(x, 2) |
        repeat_interleave | xp.repeat(x, 2) |
        numel nelement | x.size |
        element_size | x.itemsize |
        dim ndimension | x.ndim |
        stride is_contiguous | np.asarray(x).strides |
        data_ptr | x.unsafe_buffer_pointer() |
        is_floating_point | xp.isdtype(x.dtype, "real floating") |
        is_complex | xp.iscomplexobj(x) |
        t | M.T |
        H mH adjoint | M.mT.conj() |
        mm bmm mv matmul | M @ M |
        chunk split tensor_split | xp.array_split(x, 3) |
        unbind | xp.unstack(x) |
        narrow select index_select | x[0:2] |
        gather take_along_dim | xp.take_along_axis(x, xp.asarray([0]), axis=0) |
        scatter_ index_put_ index_copy_ | x[n] = 2 |
        scatter_add_ index_add_ | x = x.at[n].add(2.0) |
        masked_fill | xp.where(mask, 0.0, x) |
        masked_fill_ | x[mask] = 0 |
        masked_select | x[mask] |
        zero_ | x[...] = 0 |
        fill_ | x[...] = 2 |
        copy_ | x[...] = y |
        add | x + y |
        add_ | x += y |
        sub | x - y |
        sub_ | x -= y |
        mul | x * y |
        mul_ | x = x * y |
        div | x / y |
        div_ | x /= y |
        neg | -x |
        eq | x == y |
        ne | x != y |
        lt | x < y |
        le | x <= y |
        gt | x > y |
        ge | x >= y |
        clamp clamp_ | x.clip(min=0, max=1) |
        abs acos acosh asin asinh atan atanh ceil cos cosh exp exp2 expm1 floor isfinite isinf isnan log log10 log1p log2 \
            median reciprocal sign sin sinh sqrt square tan tanh trunc unique | xp.{name}(x) |
        atan2 maximum minimum outer | xp.{name}(x, y) |
        flip | xp.flip(x) |
        roll | xp.roll(x, 1) |
        rsqrt | 1 / xp.sqrt(x) |
        sigmoid relu softmax log_softmax logsumexp | xp.nn.{name}(x) |
        erf erfc erfinv digamma | xp.scipy.special.{name}(x) |
        norm | xp.linalg.norm(x) |
        det cholesky inverse | xp.linalg.inv(M) | and its kin in xp.linalg
        topk | xp.jax.lax.top_k(x, 2) |
        new_tensor | xp.asarray([1.0], dtype=x.dtype) |
        new_zeros new_empty | xp.zeros(3, dtype=x.dtype) |
        new_ones | xp.ones(3, dtype=x.dtype) |
        new_full | xp.full(3, 2, dtype=x.dtype) |
    """,
    "jax": """
        auto_pcast block_until_ready checkpoint checkpoint_policies clear_caches closure_convert core custom_gradient \
            custom_jvp custom_vjp debug debug_infs debug_nans default_backend default_device Device device_count device_get \
            device_put devices disable_jit ds effects_barrier ensure_compile_time_eval eval_shape experimental flatten_util \
            float0 host_count host_id host_ids install installed lax live_arrays local_device_count local_devices \
            make_array_from_callback make_array_from_process_local_data make_array_from_single_device_arrays make_jaxpr \
            make_mesh named_call named_scope NamedSharding numpy_rank_promotion ops P pmap print_environment_info \
            process_count process_index process_indices profiler pure_callback remat reshard set_mesh ShapeDtypeStruct Shard \
            shard_map sharding smap stages tree tree_util typeof vmap grad value_and_grad jacobian jacfwd jacrev hessian jvp \
            vjp linearize linear_transpose threefry_partitionable | \
            from supremum import jax | supremum.jax has JAX's names, and python -m supremum run SCRIPT uses it
    """,
}  # fmt: skip


@cache
def rows(kind: str) -> dict[str, tuple[str, str]]:
    """Return the code and the note of each name of a namespace."""
    rows: dict[str, tuple[str, str]] = {}
    for line in TABLE[kind].replace("\\\n", " ").strip().splitlines():
        names, code, note = (" ".join(part.split()) for part in line.split("|"))
        rows.update((name, (code.replace("{name}", name), note)) for name in names.split())
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
    if kind == "sampler" and code:
        text = f"np.random.{name}({note}) is {code}, with key = xp.random.key(0)"
    return re.sub(r"\b(xp|np)\.", lambda found: {"xp": "supremum.", "np": "numpy."}[found[1]], text)


def first_sentence(kinds: Iterable[str], name: str) -> str:
    """Return the sentence of the first namespace that has a row for a name; an empty string if none has."""
    return next(filter(None, (sentence(kind, name) for kind in kinds)), "")


def missing(module: str, name: str, elsewhere: str = "") -> Exception:
    """Return the error for a name that a namespace of this package does not have, with what to write instead.

    Parameters
    ----------
    module : str
        The name of the namespace: "supremum", "supremum.random".
    name : str
        The name that it does not have.
    elsewhere : str
        The namespace that has it.
    """
    last = module.rpartition(".")[2]
    kinds = ("numpy", "jax", "torch", "dtype") if last == "supremum" else (last,)
    instead = first_sentence(kinds, name) or (elsewhere and f"write {elsewhere}.{name}")
    if not instead:
        return AttributeError(f"module {module!r} has no attribute {name!r}", name=name, obj=sys.modules.get(module))
    message = f"{module}.{name} does not exist: {instead}"
    # `from supremum import vmap` would hide the message of an AttributeError behind one of its own.
    caller = sys._getframe(stack_level() - 1).f_globals.get("__name__")
    importing = caller in ("importlib._bootstrap", "_frozen_importlib")
    return ImportError(message, name=module) if importing else AttributeError(message, name=name)


#: Advice in messages that is none where the arguments are NumPy's.
_MISLEADING: Final = ("use supremum.asarray", "lengths are one tuple", "the arguments are ")


def of_numpys_sampler(message: str, function: str) -> str:
    """Return the message for a call of a function that draws random numbers, with what NumPy's call of its name is here."""
    head, _, advice = message.partition("; ")
    instead = sentence("sampler", function)
    return f"{head}; {instead}" if instead and (not advice or advice.startswith(_MISLEADING)) else message


def parameters_of(definition: Callable[..., Any]) -> str:
    """Return the parameters of a function with their defaults, for a message."""
    signature = inspect.signature(definition)
    bare = [each.replace(annotation=each.empty) for each in signature.parameters.values()]
    return str(signature.replace(parameters=bare, return_annotation=signature.empty))[1:-1]


#: What Python says of a keyword that a function does not have, from 3.13 on with a suggestion behind it.
_UNKNOWN: Final = re.compile(r"(?:\w+\.)*(\w+)\(\) got an unexpected keyword argument '(\w+)'")


def unknown_argument(function: str, message: str, definition: Callable[..., Any]) -> str:
    """Return what to say of a call with a keyword that the function does not have, or an empty string for other errors."""
    found = _UNKNOWN.match(message)
    bare = function.rpartition(".")[2]
    if found is None or found[1] != bare:
        return ""
    parameters = [name for name in inspect.signature(definition).parameters if name not in ("self", "args", "kwargs")]
    call = sentence("argument", found[2]).replace("f(x", f"{bare}(...").replace("f(", f"{bare}(")
    return found[0] + (nearest(found[2], parameters) or f"; {call or 'the arguments are ' + ', '.join(parameters)}")
