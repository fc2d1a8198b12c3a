"""The folders of tests/ are those of src/: a module has a file of tests of its name, or a row says where its tests are."""

import ast
import re
from fnmatch import fnmatch
from pathlib import Path

from common import for_each

import supremum

PACKAGE = Path(supremum.__file__).parent
TESTS = Path(__file__).parent
#: The modules without a file of their own: patterns, the files that test them, and why.
ELSEWHERE = (
    ("__main__ _cli/*", "test_cli promotion/test_explore", "commands are run as users run them, in processes of their own"),
    ("_version", "test_packaging", "a number"),
    ("_names numpy dtypes errors", "test_namespace", "they give names of other modules"),
    ("jax/_api jax/_install jax/_modules jax/_values jax/errors jax/version jax/debug jax/_traces",
     "supremum_jax/test_api supremum_jax/test_running", "programs of JAX, which reach them by the names of `jax`"),
    ("jax/_dual jax/_slopes jax/_slopes_linalg jax/_slopes_products",
     "supremum_jax/test_gradients", "rules, by the derivatives that they give"),
    ("jax/image jax/nn jax/numpy jax/ops jax/random jax/scipy",
     "supremum_jax/test_names supremum_jax/test_recorded", "names: each is there, and recorded calls of JAX"),
    ("jax/tree_util", "supremum_jax/test_names", "names of other modules"),
    ("jax/_batch_*", "supremum_jax/test_batch_rules supremum_jax/test_batch_all", "`vmap` of all functions"),
    ("jax/_vmap", "supremum_jax/test_batching", "`vmap`, and the arrays that it makes"),
    ("jax/lax/_*", "supremum_jax/test_recorded supremum_jax/test_batch_rules supremum_jax/test_collectives test_jax_suite",
     "recorded calls of JAX, and its own tests"),
    ("jax/lax/linalg", "supremum_jax/test_names test_jax_suite", "names, and JAX's own tests"),
    ("jax/_ode", "supremum_jax/test_ode", "solutions of differential equations"),
    ("dask zarr threadpoolctl", "clients/test_dask clients/test_zarr clients/test_threadpoolctl",
     "tests that need the other library are in one folder"),
    ("pytest_plugin", "test_testing", "a fixture and an option for what `testing` has"),
    ("_base/buffers", "test_packaging core/test_engine_stub", "the extension module, or none"),
    ("_core/dtype_names promotion/_typing", "test_typing", "types for annotations"),
    ("_base/facts", "fuzz/test_facts", "each fact is compared with what the function does"),
    ("_base/frames", "base/test_exceptions base/test_boundary", "what errors that leave a function look like"),
    ("_base/html", "promotion/test_render", "the tables that it makes are of systems"),
    ("_base/key_dtype", "random/test_keys", "the dtype of keys"),
    ("_base/python_operators", "core/test_array array/test_operand", "operators of arrays, and of operands that take over"),
    ("_core/_reference _core/_reference_*",
     ("core/test_engine core/test_engine_plans core/test_engine_quick core/test_engine_tapes "
      "core/test_engine_programs core/test_engine_programs_wrong"),
     "each test of the engine runs on both engines"),
    ("_core/dtype_objects", "functions/test_data_types", "public functions of dtypes"),
    ("_core/guests", "base/test_functions", "guests are parts of what a function is"),
    ("_core/operators _core/scalars", "core/test_array core/test_engine", "what operators do with operands of any type"),
    ("_core/roles", "promotion/test_roles", "the rules of systems, in functions"),
    ("_core/text", "functions/test_printing", "how arrays are printed"),
    ("_array/conversions _array/deleted", "array/test_methods", "methods"),
    ("_array/hooks", "core/test_array", "operators, item access and conversions"),
    ("_array/sharding", "supremum_jax/test_mesh", "attributes of JAX's arrays"),
    ("_functions/_promoting", "core/test_settings test_explaining", "what users find in `promotion`"),
    ("_functions/_rounding _functions/_softmaxes", "nn/test_nn scipy/test_special test_narrow_functions",
     "the kernels that two namespaces share"),
    ("_functions/elementwise/*", "functions/elementwise/test_elementwise functions/elementwise/test_special",
     "tests run over all rows of the table"),
    ("_functions/linear_algebra/_*", "linalg/test_solving functions/linear_algebra/test_products",
     "helpers of several functions"),
    ("_functions/statistical/_reducing", "functions/statistical/test_reductions", "what the reductions share"),
    ("_kernels/plain/*", "test_direct_calls", "plain calls are compared with definitions, bit for bit"),
    ("_kernels/fourier", "test_fft", "generalized ufuncs of NumPy's"),
    ("_kernels/lapack", "linalg/test_decompositions linalg/test_solving", "generalized ufuncs of NumPy's"),
    ("jax/_minimizing", "scipy/test_optimize", "the algorithm behind scipy.optimize"),
    ("lens/_*", "lens/test_lens lens/test_report lens/test_losses", "a lens is tested as a whole, against exact arithmetic"),
    ("nn/*", "nn/test_nn", "activations by one table of expectations"),
    ("promotion/_trace", "test_tracing", "the report of a trace"),
    ("random/*", "random/test_random random/test_rejection", "recorded numbers of JAX, and tests of distributions"),
    ("scipy/_* scipy/linalg/* scipy/sparse/* scipy/special/* scipy/stats/*",
     "scipy/test_linalg scipy/test_sparse scipy/test_special scipy/test_stats scipy/test_references",
     "a namespace has one file, and tables of references"),
)  # fmt: skip


def row_of(name):
    """Return the row of a module, by the pattern that says most."""
    fitting = [(len(pattern), row) for row in ELSEWHERE for pattern in row[0].split() if fnmatch(name, pattern)]
    return max(fitting)[1] if fitting else None


MODULES = {
    path.relative_to(PACKAGE).with_suffix("").as_posix(): path
    for path in sorted(PACKAGE.rglob("*.py"))
    if path.name != "__init__.py"
}


@for_each("name", MODULES)
def test_modules_have_their_tests(name):
    folder, _, module = name.replace("jax/", "supremum_jax/", 1).rpartition("/")
    folder = "/".join(part.lstrip("_") for part in folder.split("/"))
    own = (TESTS / folder / f"test_{module.strip('_')}.py").exists()
    assert own or row_of(name), f"{name} needs tests/{folder}/test_{module.strip('_')}.py, or a row"


@for_each("row", ELSEWHERE, identity=lambda row: row[0].split()[0])
def test_rows_are_needed(row):
    patterns, tests, _ = row
    assert all(any(fnmatch(name, pattern) for name in MODULES) for pattern in patterns.split())
    assert all((TESTS / f"{test}.py").exists() for test in tests.split())


#: Modules whose functions draw from a generator of the module, and why they may.
DRAWING = {"generators": "tests/conftest.py sets it back", "batches": "when it is imported", "writers": "a process of its own"}
GENERATOR = re.compile(r"(np\.random\.|random\.)?(default_rng|Random|RandomState)\([^()]*\)")
FILES = {path.relative_to(TESTS).as_posix(): path for path in sorted(TESTS.rglob("*.py")) if path.stem not in DRAWING}


def names_in(node):
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


@for_each("name", [name for name, path in FILES.items() if "default_rng" in path.read_text(encoding="utf-8")])
def test_operands_do_not_depend_on_the_tests_before(name):
    body = ast.parse(FILES[name].read_text(encoding="utf-8")).body
    made = [
        node.targets[0].id for node in body if isinstance(node, ast.Assign) and GENERATOR.fullmatch(ast.unparse(node.value))
    ]
    functions = [node for top in body for node in ast.walk(top) if isinstance(node, ast.FunctionDef | ast.Lambda)]
    for generator in made:
        assert not any(generator in names_in(function) for function in functions), f"draw from generators.RNG, not {generator}"


def test_files_that_workers_begin_with_are_there():
    names = re.findall(r'"([\w/]+\.py)"', (TESTS / "conftest.py").read_text(encoding="utf-8"))
    assert len(names) > 20
    assert all((TESTS / name).exists() for name in names)
