"""The table of JAX's names that are not defined in a module of this package: module, kind, names.

A kind is one of the following; `_modules` makes the names of it.

* A sentence, why a name cannot work: functions that raise NotImplementedError when they are called. A name with ``()`` is a
  class, which raises when an instance is made.
* ``.module``, or a whole name with dots: the names are those of a module, of this package or another; ``new=old`` renames.
* `LIKE`: modules of JAX; names that are nowhere else in the table are theirs.
* `CLASS`: classes without behaviour, for `isinstance` and as base classes.
* `CONTEXT`: classes of contexts without effect.
* `FIRST`, `NOTHING`, `TRUE`: functions that return their first argument, None or True.
* `DICT`, `LIST`: empty registries.
* `PRIMITIVE`: operations of JAX's compiler.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

COMPILER: Final = "it needs a compiler of programs, which supremum does not have"
DEVICES: Final = "it needs several devices, and supremum has one, the CPU"
DERIVATIVES: Final = "it needs derivatives, and supremum does not differentiate"
TRACING: Final = "it needs tracing, and supremum calls functions with real arrays"
MISSING: Final = "it is missing in supremum"
ACCELERATOR: Final = "it needs an accelerator"

LIKE: Final = "names of"
CLASS: Final = "class"
CONTEXT: Final = "context"
FIRST: Final = "first argument"
NOTHING: Final = "None"
TRUE: Final = "True"
DICT: Final = "{}"
LIST: Final = "[]"
PRIMITIVE: Final = "primitive"

_PRIMITIVES: Final = """
    abs_p acos_p acosh_p add_jaxvals_p add_p after_all_p all_gather_p all_to_all_p and_p approx_top_k_p argmax_p argmin_p
    asin_p asinh_p atan2_p atan_p atanh_p axis_index_p bessel_i0e_p bessel_i1e_p bitcast_convert_type_p broadcast_in_dim_p
    call_p cbrt_p ceil_p cholesky_p clamp_p closed_call_p clz_p complex_p concatenate_p cond_p conj_p conv_general_dilated_p
    convert_element_type_p copy_p cos_p cosh_p create_token_p cumlogsumexp_p cummax_p cummin_p cumprod_p cumsum_p
    custom_jvp_call_p custom_lin_p custom_vjp_call_p device_put_p digamma_p div_p dot_general_p dynamic_slice_p
    dynamic_update_slice_p eig_p eigh_p empty2_p eq_p eq_to_p erf_inv_p erf_p erfc_p exp2_p exp_p expm1_p fft_p floor_p
    gather_p ge_p get_p gt_p hessenberg_p householder_product_p igamma_grad_a_p igamma_p igammac_p imag_p integer_pow_p
    iota_p is_finite_p jit_p le_p le_to_p lgamma_p linear_solve_p log1p_p log_p logistic_p lt_p lt_to_p lu_p max_p min_p
    mul_p name_p ne_p neg_p nextafter_p not_p or_p pad_p pmax_p pmin_p polygamma_p population_count_p pow_p ppermute_p psum_p
    qr_p ragged_all_to_all_p random_bits_p random_fold_in_p random_gamma_p random_seed_p random_split_p real_p reduce_and_p
    reduce_max_p reduce_min_p reduce_or_p reduce_p reduce_precision_p reduce_prod_p reduce_sum_p reduce_window_max_p
    reduce_window_min_p reduce_window_p reduce_window_sum_p reduce_xor_p regularized_incomplete_beta_p rem_p remat_p
    reshape_p rev_p rng_bit_generator_p rng_uniform_p round_p rsqrt_p scan_p scatter_add_p scatter_max_p scatter_min_p
    scatter_mul_p scatter_p schur_p select_and_gather_add_p select_and_scatter_add_p select_and_scatter_p select_n_p
    sharding_constraint_p shift_left_p shift_right_arithmetic_p shift_right_logical_p sign_p sin_p sinh_p slice_p sort_p
    sqrt_p square_p squeeze_p stop_gradient_p sub_p svd_p swap_p tan_p tanh_p threefry2x32_p top_k_p transpose_p
    triangular_solve_p tridiagonal_p tridiagonal_solve_p while_p xor_p zeta_p
"""

#: Further names of the modules that are files of this package.
FILES: Final[dict[str, dict[str, str]]] = {
    "jax": {
        "._api": """
            Device debug_infs debug_nans default_backend disable_jit device_count device_get device_put
            devices host_count host_id host_ids jit live_arrays local_device_count local_devices named_call named_scope
            numpy_rank_promotion print_environment_info process_count process_index process_indices pure_callback
            threefry_partitionable typeof
        """,
        "._checkpointing": "checkpoint checkpoint_policies remat",
        "._derivatives": "closure_convert custom_gradient custom_jvp custom_vjp",
        "._gradients": "grad hessian jacfwd jacobian jacrev jvp linear_transpose linearize value_and_grad vjp",
        "._install": "install installed",
        "._mesh": """
            make_array_from_callback make_array_from_process_local_data make_array_from_single_device_arrays make_mesh pmap
            reshard set_mesh shard_map smap
        """,
        "._abstract": "eval_shape",
        "._values": "ShapeDtypeStruct ds float0",
        "._vmap": "vmap",
        "supremum._array.sharding": "NamedSharding P=PartitionSpec Shard",
        CONTEXT: """
            allow_f16_reductions array_garbage_collection_guard check_tracer_leaks checking_leaks debug_key_reuse
            default_device default_matmul_precision default_prng_impl enable_checks enable_custom_prng
            ensure_compile_time_eval explain_cache_misses jax2tf_associative_scan_reductions legacy_prng_key log_compiles
            no_execution no_tracing remove_size_one_mesh_axis_from_type softmax_custom_jvp thread_guard
            transfer_guard transfer_guard_device_to_device transfer_guard_device_to_host transfer_guard_host_to_device
        """,
        FIRST: "auto_pcast block_until_ready",
        NOTHING: "clear_caches effects_barrier",
        DEVICES: "copy_to_host_async",
        TRACING: "fwd_and_bwd make_user_context",
        "._programs": "make_jaxpr",
        MISSING: "new_ref empty_ref free_ref freeze Ref()",
    },
    "jax.lax": {
        FIRST: "optimization_barrier with_sharding_constraint",
        NOTHING: "dce_sink",
        DEVICES: "pcast psend precv ragged_all_to_all",
    },
    "jax.debug": {DEVICES: "inspect_array_sharding visualize_array_sharding visualize_sharding"},
    "jax.custom_batching": {TRACING: "sequential_vmap_rule"},
}
#: The modules of JAX's insides that have the names of the modules of their names.
_SAME: Final = """
    custom_derivatives errors flatten_util interpreters.ad interpreters.batching interpreters.mlir
    interpreters.partial_eval random typing
"""


def _packages(name: str) -> Iterator[str]:
    """Yield the packages that a module is in, `jax` left out."""
    while "." in (name := name.rpartition(".")[0]):
        yield name


#: The modules that are made of their names alone.
MADE: Final[dict[str, dict[str, str]]] = {
    "jax.ad_checkpoint": {
        "._checkpointing": "Offloadable Recompute Saveable checkpoint checkpoint_name checkpoint_policies remat",
        "._residuals": "print_saved_residuals",
    },
    "jax.api_util": {
        "._inside": "argnums_partial debug_info flatten_axes flatten_fun flatten_fun_nokwargs safe_map",
        "._api": "shaped_abstractify=typeof",
        COMPILER: "donation_vector rebase_donate_argnums",
    },
    "jax.core": {
        "._inside": """
            Atom ParamDict Trace Value call_impl concrete_or_error find_top_trace
            get_opaque_trace_state mapped_aval no_effects primal_dtype_to_tangent_dtype pytype_aval_mappings
            set_current_trace take_current_trace unmapped_aval
        """,
        "builtins": "max_dim=max min_dim=min",
        CLASS: "AbstractToken DebugInfo DropVar Effect TraceTag",
        "._api": "get_aval=typeof",
        "._values": "valid_jaxtype=is_value",
        "._batching": "Tracer",
        "supremum._array.sharding": "AbstractValue ShapedArray",
        CONTEXT: "ensure_compile_time_eval eval_context",
        "._programs": "eval_jaxpr",
    },
    "jax.custom_derivatives": {
        "._derivatives": "closure_convert custom_gradient custom_jvp custom_vjp",
        ".lax": "custom_linear_solve custom_root",
        "._custom_rules": "CustomVJPPrimal SymbolicZero custom_vjp_primal_tree_values zero_from_primal",
        PRIMITIVE: "custom_jvp_call_p custom_vjp_call_p remat_opt_p",
        DERIVATIVES: "linear_call",
    },
    "jax.distributed": {DEVICES: "initialize is_initialized shutdown"},
    "jax.dtypes": {
        "supremum": "TypePromotionError bfloat16 iinfo",
        "supremum.dtypes": "extended issubdtype prng_key result_type",
        "._values": "canonicalize_dtype finfo float0 itemsize_bits scalar_type_of",
        "._inside": "supports_inf to_complex_dtype to_inexact_dtype",
    },
    "jax.dlpack": {"supremum": "from_dlpack"},
    "jax.example_libraries.optimizers": {
        MISSING: """
            JoinPoint() Optimizer() OptimizerState() adagrad adam adamax clip_grads constant exponential_decay
            inverse_time_decay l2_norm make_schedule momentum nesterov optimizer pack_optimizer_state piecewise_constant
            polynomial_decay rmsprop rmsprop_momentum sgd sm3 unpack_optimizer_state
        """
    },
    "jax.example_libraries.stax": {
        MISSING: """
            AvgPool BatchNorm Conv Conv1DTranspose ConvTranspose Dense Dropout Elu Exp FanInConcat FanInSum FanOut Flatten Gelu
            GeneralConv GeneralConvTranspose Identity LeakyRelu LogSoftmax MaxPool Relu Selu Sigmoid Softmax Softplus SumPool
            Tanh elementwise parallel serial shape_dependent
        """
    },
    "jax.experimental": {
        "supremum": "enable_x64",
        "._api": "disable_x64 io_callback",
        TRACING: "EArray() cur_qdd primal_tangent_dtype",
    },
    "jax.experimental.array_serialization.serialization": {
        MISSING: "GlobalAsyncCheckpointManager() GlobalAsyncCheckpointManagerBase() get_tensorstore_spec"
    },
    "jax.experimental.checkify": {
        MISSING: """
            checkify check check_error debug_check init_error Error() ErrorCategory() JaxRuntimeError() all_checks
            automatic_checks div_checks float_checks index_checks nan_checks user_checks
        """
    },
    "jax.experimental.compilation_cache.compilation_cache": {NOTHING: "reset_cache set_cache_dir"},
    "jax.experimental.hijax": {
        CLASS: """
            AbstractRef AvalMutableQDD AvalQDD HiPrimitive HiType MutableHiType TransformedRef VJPHiPrimitive aval_method
            aval_property
        """,
        LIKE: "jax.core jax.interpreters.ad",
        "._inside": "control_flow_allowed_effects=effects",
        NOTHING: "register_hitype",
    },
    "jax.experimental.jet": {DERIVATIVES: "jet"},
    "jax.experimental.key_reuse": {},
    "jax.experimental.layout": {CLASS: "Format Layout", FIRST: "with_layout_constraint"},
    "jax.experimental.mesh_utils": {"._mesh": "create_device_mesh create_hybrid_device_mesh=create_device_mesh"},
    "jax.experimental.multihost_utils": {
        "._mesh": "process_allgather broadcast_one_to_all",
        NOTHING: "assert_equal sync_global_devices",
        DEVICES: "reached_preemption_sync_point",
    },
    "jax.experimental.ode": {"._ode": "odeint"},
    "jax.experimental.pallas": {
        ACCELERATOR: "pallas_call BlockSpec() GridSpec() load store program_id num_programs ds when loop debug_print"
    },
    "jax.experimental.pjit": {"._api": "pjit=jit", ".lax": "with_sharding_constraint"},
    "jax.experimental.shard_map": {"._mesh": "shard_map"},
    "jax.experimental.sparse": {
        MISSING: """
            BCOO() BCSR() COO() CSC() CSR() JAXSparse() bcoo_broadcast_in_dim bcoo_concatenate bcoo_dot_general bcoo_extract
            bcoo_fromdense bcoo_multiply_dense bcoo_multiply_sparse bcoo_reduce_sum bcoo_reshape bcoo_sort_indices
            bcoo_sum_duplicates bcoo_todense bcoo_transpose bcsr_dot_general bcsr_fromdense bcsr_todense empty eye random_bcoo
            sparsify todense
        """
    },
    "jax.experimental.sparse.linalg": {MISSING: "lobpcg_standard spsolve"},
    "jax.export": {COMPILER: "export deserialize default_export_platform symbolic_shape symbolic_args_specs Exported()"},
    "jax.extend.backend": {
        "._inside": "backends get_backend get_default_device",
        NOTHING: "clear_backends clear_in_memory_compilation_cache register_backend_cache",
        COMPILER: "backend_xla_version get_compile_options register_backend_factory",
    },
    "jax.extend.core": {
        LIKE: "jax.core",
        "._inside": "Primitive array_types",
        ".errors": "InconclusiveDimensionOperation JaxprTypeError",
        "._programs": "ClosedJaxpr Jaxpr JaxprEqn Literal Var jaxpr_as_fun",
        CLASS: "Token",
        TRACING: """
            CallPrimitive() Effects() check_jaxpr gensym
            jaxprs_in_params new_jaxpr_eqn subjaxprs
        """,
    },
    "jax.extend.core.primitives": {PRIMITIVE: _PRIMITIVES},
    "jax.extend.ffi": {LIKE: "jax.ffi"},
    "jax.extend.ifrt_programs": {COMPILER: "ifrt_programs"},
    "jax.extend.linear_util": {
        "._inside": """
            StoreException WrappedFun merge_linear_aux transformation transformation2 transformation_with_aux
            transformation_with_aux2 wrap_init
        """,
        FIRST: "cache",
    },
    "jax.extend.mlir": {COMPILER: "deserialize_portable_artifact hlo_to_stablehlo serialize_portable_artifact"},
    "jax.extend.random": {MISSING: "define_prng_impl random_seed seed_with_impl threefry_2x32", PRIMITIVE: "threefry2x32_p"},
    "jax.extend.sharding": {DEVICES: "GSPMDSharding()"},
    "jax.extend.source_info_util": {
        "._api": "extend_name_stack=named_scope transform_name_stack=named_scope",
        CLASS: "NameStack SourceInfo",
        NOTHING: "current current_name_stack new_name_stack new_source_info register_exclusion reset_name_stack",
        TRACING: "set_name_stack() summarize user_context()",
    },
    "jax.ffi": {
        COMPILER: "ffi_call ffi_lowering register_ffi_target pycapsule include_dir register_ffi_type register_ffi_type_id"
    },
    "jax.flatten_util": {"._values": "ravel_pytree"},
    "jax.interpreters.ad": {
        "._inside": "UndefinedPrimal Zero instantiate_zeros is_undefined_primal primitive_jvps primitive_transposes",
        "supremum": "add_jaxvals=add",
        CLASS: "JVPTrace",
        "._dual": "JVPTracer=Dual",
        NOTHING: "defbilinear defjvp defjvp2 deflinear deflinear2",
        PRIMITIVE: "add_jaxvals_p",
        DERIVATIVES: "add_tangents get_primitive_transpose jvp linearize zeros_like_aval",
    },
    "jax.interpreters.batching": {
        DICT: "axis_primitive_batchers fancy_primitive_batchers primitive_batchers",
        NOTHING: "defbroadcasting defreducer defvectorized register_vmappable unregister_vmappable",
        TRACING: "bdim_at_front broadcast",
    },
    "jax.interpreters.mlir": {
        NOTHING: "register_constant_handler register_lowering lower_fun",
        CLASS: "LoweringParameters LoweringResult LoweringRuleContext ModuleContext TokenSet",
        DICT: "ir_type_handlers",
        COMPILER: """
            aval_to_ir_type aval_to_ir_types core_call_lowering dense_int_array dense_int_elements dtype_to_ir_type
            emit_python_callback flatten_ir_types flatten_ir_values i32_attr i64_attr ir_attribute ir_constant ir_constants
            jaxpr_subcomp lower_jaxpr_to_fun lower_jaxpr_to_module make_ir_context merge_mlir_modules module_to_bytecode
            module_to_string shape_tensor token_type unflatten_ir_values_like_types
        """,
    },
    "jax.interpreters.partial_eval": {
        "._inside": "PartialVal trace_to_jaxpr_nounits",
        CLASS: "DynamicJaxprTracer JaxprTracer Val",
        DICT: "custom_partial_eval_rules dce_rules partial_eval_jaxpr_custom_rules",
        TRACING: "dce_jaxpr dce_jaxpr_call_rule dce_jaxpr_closed_call_rule dce_jaxpr_consts trace_to_jaxpr_dynamic",
    },
    "jax.interpreters.pxla": {DICT: "global_result_handlers", COMPILER: "create_compile_options"},
    "jax.interpreters.xla": {
        CLASS: "Backend",
        "._inside": "canonicalize_dtype_handlers",
        COMPILER: "apply_primitive",
    },
    "jax.lib": {COMPILER: "xla_bridge xla_client xla_extension pytree"},
    "jax.monitoring": {
        NOTHING: """
            clear_event_listeners record_event record_event_duration_secs record_event_time_span record_scalar
            register_event_duration_secs_listener register_event_listener register_event_time_span_listener
            register_scalar_listener unregister_event_duration_listener unregister_event_listener
            unregister_event_time_span_listener unregister_scalar_listener
        """
    },
    "jax.profiler": {
        CONTEXT: "StepTraceAnnotation TraceAnnotation trace",
        FIRST: "annotate_function",
        NOTHING: "start_trace stop_trace",
        COMPILER: "ProfileData() ProfileOptions() device_memory_profile save_device_memory_profile start_server stop_server",
    },
    "jax.ref": {MISSING: "new_ref empty_ref free_ref freeze get set swap addupdate Ref() AbstractRef()"},
    "jax.sharding": {
        "supremum._array.sharding": """
            AbstractDevice AbstractMesh AxisType ManualAxisType Mesh NamedSharding P=PartitionSpec PartitionSpec Shard Sharding
        """,
        "._mesh": """
            SingleDeviceSharding auto_axes explicit_axes get_abstract_mesh get_mesh
            make_single_device_sharding=SingleDeviceSharding reshard set_mesh
        """,
        "contextlib": "use_abstract_mesh=nullcontext",
    },
    "jax.stages": {COMPILER: "Compiled() Lowered() Traced() Wrapped() ArgInfo() Lowering() CompilerOptions()"},
    "jax.test_util": {"._checking": "check_grads check_jvp check_vjp"},
    "jax.tree": {
        ".tree_util": """
            all=tree_all broadcast=tree_broadcast flatten=tree_flatten flatten_with_path=tree_flatten_with_path
            leaves=tree_leaves leaves_with_path=tree_leaves_with_path map=tree_map map_with_path=tree_map_with_path
            reduce=tree_reduce reduce_associative=tree_reduce_associative structure=tree_structure transpose=tree_transpose
            unflatten=tree_unflatten
        """,
        "._tree": "static",
    },
    "jax.typing": {"supremum._core.typing": "ArrayLike DTypeLike"},
    # JAX's insides, as far as libraries import them.
    "jax._src.api_util": {LIKE: "jax.api_util", "._inside": "infer_argnums_and_argnames"},
    "jax._src.array": {"._inside": "ArrayImpl=Array"},
    "jax._src.checkify": {LIKE: "jax.experimental.checkify", MISSING: "JaxException() Out()"},
    "jax._src.compiler": {COMPILER: "backend_compile backend_compile_and_load compile_or_get_cached"},
    "jax._src.config": {"._inside": "config"},
    "jax._src.core": {
        LIKE: "jax.core jax.extend.core jax.errors",
        TRUE: "trace_state_clean",
        "._api": "typeof",
        TRACING: "physical_aval",
    },
    "jax._src.dispatch": {NOTHING: "wait_for_tokens", COMPILER: "apply_primitive"},
    "jax._src.distributed": {"._inside": "global_state"},
    "jax._src.dtypes": {LIKE: "jax.dtypes", CLASS: "ExtendedDType", "._inside": "DType"},
    "jax._src.earray": {CLASS: "EArray"},
    "jax._src.interpreters.pxla": {LIKE: "jax.interpreters.pxla", "._inside": "shard_arg_handlers"},
    "jax._src.literals": {CLASS: "TypedComplex TypedFloat TypedInt TypedNdArray"},
    "jax._src.numpy.util": {
        "._inside": "promote_dtypes promote_dtypes_complex promote_dtypes_inexact promote_dtypes_numeric"
    },
    "jax._src.prng": {CLASS: "PRNGImpl", "._inside": "PRNGKeyArray=Array"},
    "jax._src.public_test_util": {"._inside": "check_close"},
    "jax._src.state.types": {CLASS: "AbstractRef"},
    "jax._src.traceback_util": {
        FIRST: "api_boundary",
        NOTHING: "register_exclusion",
        LIST: "_exclude_paths",
        TRUE: "include_frame",
    },
    "jax._src.tree_util": {LIKE: "jax.tree_util", "._inside": "_registry=registry flatten_one_level"},
    "jax._src.util": {"._inside": "safe_map safe_zip"},
    "jax._src.xla_bridge": {LIKE: "jax.extend.backend", DICT: "_backends", "._api": "devices local_devices process_index"},
    "jax._src.ad_util": {LIKE: "jax.interpreters.ad jax.extend.core.primitives"},
    "jax._src.api": {LIKE: "jax"},
    "jax._src.lax.lax": {LIKE: "jax.lax"},
    "jax._src.linear_util": {LIKE: "jax.extend.linear_util"},
    "jax._src.mesh": {LIKE: "jax.sharding"},
    "jax._src.sharding_impls": {LIKE: "jax.sharding"},
    "jax._src.source_info_util": {LIKE: "jax.extend.source_info_util"},
    # The package of JAX's compiler.
    "jaxlib": {".version": "__version__"},
    "jaxlib.xla_client": {"._inside": "ArrayImpl=Array", "._api": "Device", CLASS: "Client PjitFunction XlaRuntimeError"},
    "jaxlib.xla_extension": {LIKE: "jaxlib.xla_client"},
    **{f"jax._src.{name}": {LIKE: f"jax.{name}"} for name in _SAME.split()},
}  # fmt: skip
# The packages of the modules.
MADE.update({package: {} for name in list(MADE) for package in _packages(name) if package not in MADE})
