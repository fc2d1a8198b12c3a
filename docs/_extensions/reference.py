"""Define the directive ``reference``: a table of a module's public names, and an entry for each, from the docstrings.

The names are those of the module's ``__all__``, so that a page of the reference contains a line for each module and no list of
names. Two names of one object share an entry; the second name links to it.
"""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from types import ModuleType
from typing import Any, ClassVar, get_origin

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.docutils import SphinxDirective
from sphinx.util.inspect import stringify_signature
from sphinx.util.typing import ExtensionMetadata

import supremum as xp
from supremum._core.dtype_objects import ScalarType

#: The namespaces below the main one; objects that are defined in one of them have their entries there.
_BELOW = (
    "dask", "errors", "fft", "io", "lens", "lib.stride_tricks", "linalg", "nn", "promotion", "random", "scipy.cluster.vq",
    "scipy.fft",
    "scipy.integrate", "scipy.interpolate", "scipy.linalg", "scipy.ndimage", "scipy.optimize", "scipy.signal",
    "scipy.sparse.linalg", "scipy.spatial.transform", "scipy.special", "scipy.stats", "scipy.stats.bernoulli",
    "scipy.stats.beta",
    "scipy.stats.betabinom", "scipy.stats.binom", "scipy.stats.cauchy", "scipy.stats.chi2", "scipy.stats.dirichlet",
    "scipy.stats.expon", "scipy.stats.gamma", "scipy.stats.gennorm", "scipy.stats.geom", "scipy.stats.gumbel_l",
    "scipy.stats.gumbel_r", "scipy.stats.laplace", "scipy.stats.logistic", "scipy.stats.multinomial",
    "scipy.stats.multivariate_normal", "scipy.stats.nbinom", "scipy.stats.norm", "scipy.stats.pareto",
    "scipy.stats.poisson", "scipy.stats.t", "scipy.stats.truncnorm", "scipy.stats.uniform", "scipy.stats.vonmises",
    "scipy.stats.wrapcauchy", "testing", "typing", "zarr",
)  # fmt: skip
NAMESPACES = tuple(f"supremum.{name}" for name in _BELOW)
#: A name in single backticks that is not part of a role, a literal or a link.
NAME = re.compile(r"(?<![`:\w])`([A-Za-z_]\w*)`(?![`_])")


def _is_number(value: object) -> bool:
    return value is None or isinstance(value, float | str)


class Reference(SphinxDirective):
    """``.. reference:: module ...``, with the namespace in which its names are public, if that is not ``supremum``."""

    required_arguments = 1
    optional_arguments = 20
    option_spec: ClassVar[Any] = {
        "namespace": directives.unchanged_required,
        "names": directives.unchanged_required,  # only these names, in this order
        "except": directives.unchanged_required,
        "no-table": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        """Return the table and the entries."""
        self.home = self.options.get("namespace", "supremum")
        self.namespace = import_module(self.home)
        names = [(name, module) for module in map(import_module, self.arguments) for name in self._names(module)]
        own = [each for each in names if self._same(each[0]) is None and not isinstance(self._value(each[0]), ScalarType)]
        lines = [f".. py:currentmodule:: {self.home}", ""]
        if len(own) > 2 and "no-table" not in self.options:
            lines += [".. list-table::", "   :class: summary", "   :widths: auto", ""]
            for name, module in own:
                lines += [f"   * - :py:obj:`{name}`", f"     - {_summary(name, self._value(name), module)}"]
            lines.append("")
        for name, module in names:
            lines += [*self._entry(name, module), ""]
        return self.parse_text_to_nodes("\n".join(lines))

    def _names(self, module: ModuleType) -> list[str]:
        if "names" in self.options:
            return self.options["names"].split()
        left_out = self.options.get("except", "").split()
        return [name for name in module.__all__ if name not in left_out and hasattr(self.namespace, name)]

    def _value(self, name: str) -> Any:
        return getattr(self.namespace, name)

    def _same(self, name: str) -> str | None:
        """Return the full name of the object's entry if it is under another name."""
        value = self._value(name)
        if _is_number(value) or isinstance(value, ModuleType):
            return None
        made_in = getattr(value, "__module__", None) or ""
        home = next((each for each in NAMESPACES if made_in.startswith(each)), "supremum")
        if home != self.home and getattr(import_module(home), name, None) is value:
            return f"{home}.{name}"
        own = getattr(value, "__name__", name)
        return f"{self.home}.{own}" if own != name and getattr(self.namespace, own, None) is value else None

    def _entry(self, name: str, module: ModuleType) -> list[str]:
        full, value, same = f"{self.home}.{name}", self._value(name), self._same(name)
        kind = "class" if isinstance(value, type) else "function" if callable(value) else "data"
        if same is not None:
            arguments = _arguments(value) if kind == "function" else ""
            return [f".. py:{kind}:: {name}{arguments}", "", f"   The same as :py:obj:`{same}`."]
        if isinstance(value, ScalarType):
            return [f".. py:class:: {name}(x, /)", "", f"   {_limits(value)}"]
        if getattr(value, "__module__", "").startswith("numpy"):
            return [f".. py:class:: {name}", "", f"   NumPy's own ``numpy.{value.__name__}``."]
        if get_origin(value) is not None:  # an alias of a type
            return [f".. py:data:: {name}", "", *(f"   {line}" for line in _comment(name, module))]
        if _is_number(value):
            return [f".. py:data:: {name}", f"   :value: {value!r}", "", *(f"   {line}" for line in _comment(name, module))]
        if kind == "data":
            return [f".. autodata:: {full}", "   :no-value:"]
        return [f".. auto{kind}:: {full}", *(["   :members:"] if kind == "class" else [])]


def _arguments(function: Any) -> str:
    return stringify_signature(inspect.signature(function), show_annotation=False, show_return_annotation=False)


def _comment(name: str, module: ModuleType) -> list[str]:
    """Return the comment ``#:`` above a name, which documents constants and aliases."""
    if module.__spec__ is None or module.__spec__.loader is None:  # made of a table, as the modules of distributions are
        return []
    return ModuleAnalyzer.for_module(module.__name__).find_attr_docs().get(("", name), [])


def _summary(name: str, value: object, module: ModuleType) -> str:
    """Return the first line of an object's documentation that is not a signature, with parameter names as code."""
    doc = _comment(name, module) or (inspect.getdoc(value) or "").splitlines()
    lines = _parameters_are_code(value, [line for line in doc if line])
    return lines[1] if lines[0].startswith(f"{name}(") else lines[0]


def _limits(scalar_type: ScalarType) -> str:
    """Return a line with the limits of a dtype."""
    node = scalar_type.node
    bits = f"{node.bits} bit{'s' if node.bits > 1 else ''}"
    if node.kind == "b":
        return "True and False, a byte each."
    if node.kind in "iu":
        limits = xp.iinfo(scalar_type)
        return f"{bits}: {limits.min} to {limits.max}."
    limits = xp.finfo(scalar_type)
    parts = "two parts of " if node.kind == "c" else ""
    return f"{bits}: {parts}±{float(limits.max):.6g}, eps {float(limits.eps):.6g}, smallest normal {float(limits.tiny):.6g}."


def _parameters_are_code(value: object, lines: list[str]) -> list[str]:
    """Keep names of a function's own parameters from becoming links to functions of the same name."""
    try:
        own = set(inspect.signature(value).parameters)  # type: ignore[arg-type]  # raises for objects that are not callable
    except (TypeError, ValueError):
        own = set()
    return [NAME.sub(lambda m: f"``{m[1]}``" if m[1] in own else m[0], line) for line in lines]


def _prepared(_app: Sphinx, what: str, _name: str, value: object, _options: object, lines: list[str]) -> None:
    lines[:] = _parameters_are_code(value, lines)
    if what in ("property", "attribute", "data") and lines:
        lines[0] = f": {lines[0]}"  # numpydoc would take the text before the first colon for a type


def _bool_is_pythons(_app: Sphinx, doctree: nodes.document) -> None:
    """Undo links in descriptions of types: ``bool`` is Python's bool in them, not the dtype."""
    for node in list(doctree.findall(addnodes.pending_xref)):
        if node["reftarget"] == "bool" and node["reftype"] == "class":
            node.replace_self(node.children)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directive with Sphinx."""
    app.add_directive("reference", Reference)
    app.connect("autodoc-process-docstring", _prepared, priority=100)  # runs before napoleon
    app.connect("doctree-read", _bool_is_pythons)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
