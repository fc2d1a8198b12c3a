"""Build the package: its hot core compiled by mypyc where that can be done, the same source interpreted where it cannot.

`pip install` calls this as its build backend, which is setuptools' with two additions: it asks for mypyc only where something
may come of it, and it goes on without the compiled core where building that fails. The environment variable SUPREMUM_COMPILE
forces either: 1 makes the build fail where the core cannot be compiled, 0 leaves the compiler alone.
"""

from __future__ import annotations

import ast
import contextlib
import os
import platform
import re
import shutil
import sys
import sysconfig
from pathlib import Path

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403 - a backend is all of setuptools' hooks and those below
from setuptools.command.build_ext import build_ext

#: The modules of the core, below src/supremum: nodes, plans, `Array` with its operators, and `where`.
CORE = [
    "promotion/_nodes",
    "_core/plans",
    "_core/array",
    "_functions/where",
]
#: What the compiler reads in place of what is written: NumPy is Any to it, and `Array` is to have no interpreted base.
TO_COMPILE = {
    "Buffer = np.ndarray[Any, Any]": "Buffer = Any",
    "class Array(Methods):": "class Array:",
    "else:\n    Methods = object": "# no base",
    # Limits stay objects: a compiled int is made anew for each reader, and ends the process where there is no memory for it.
    "    low: Final[int]": "    low: Final[Any]",
    "    high: Final[int]": "    high: Final[Any]",
}
#: What mypyc's C lacks: weak references to arrays, and the slots by which other C knows a sequence and a buffer.
ADDITIONS = {
    "__native_supremum.h": {
        "    PyObject *__node;\n} supremum____core___array___ArrayObject;": (
            "    PyObject *__node;\n    PyObject *weakrefs;\n} supremum____core___array___ArrayObject;"
        )
    },
    "__native_supremum.c": {
        "static PySequenceMethods array___Array_as_sequence = {\n": (
            "static PyObject *array___Array_item(PyObject *self, Py_ssize_t index)\n{\n"
            "    PyObject *key = PyLong_FromSsize_t(index);\n"
            "    PyObject *item = key == NULL ? NULL : PyObject_GetItem(self, key);\n"
            "    Py_XDECREF(key);\n    return item;\n}\n\n"
            # Python fills this slot from 3.12 on, when the class gets __buffer__.
            "#if PY_VERSION_HEX < 0x030C0000\n"
            "static int array___Array_getbuffer(PyObject *self, Py_buffer *view, int flags)\n{\n"
            '    PyObject *memory = PyObject_CallMethod(self, "__buffer__", "i", flags);\n'
            "    int failed = memory == NULL ? -1 : PyObject_GetBuffer(memory, view, flags);\n"
            "    if (memory == NULL)\n        view->obj = NULL;\n"
            "    Py_XDECREF(memory);\n    return failed;\n}\n"
            "static PyBufferProcs array___Array_as_buffer = {array___Array_getbuffer, NULL};\n"
            "#else\nstatic PyBufferProcs array___Array_as_buffer;\n#endif\n"
            "static PySequenceMethods array___Array_as_sequence = {\n    .sq_item = array___Array_item,\n"
        ),
        '    .tp_name = "Array",\n': (
            '    .tp_name = "Array",\n    .tp_weaklistoffset = offsetof(supremum____core___array___ArrayObject, weakrefs),\n'
            "    .tp_as_buffer = &array___Array_as_buffer,\n"
        ),
        # mypyc's trashcan writes into the header of garbage collected objects, which an acyclic class does not have, and its
        # free slot is offered before the buffer is released, whose owner may make another array meanwhile.
        """\
    if (array___Array_free_instance == NULL) {
        array___Array_free_instance = self;
        Py_CLEAR(self->__data);
        Py_CLEAR(self->__node);
        return;
    }
    CPy_TRASHCAN_BEGIN(self, array___Array_dealloc)
    CPyDef_array___Array_clear((PyObject *)self);
    Py_TYPE(self)->tp_free((PyObject *)self);
    CPy_TRASHCAN_END(self)
    done: ;
""": """\
    if (self->weakrefs != NULL)
        PyObject_ClearWeakRefs((PyObject *)self);
    Py_CLEAR(self->__data);
    Py_CLEAR(self->__node);
    if (array___Array_free_instance == NULL)
        array___Array_free_instance = self;
    else
        Py_TYPE(self)->tp_free((PyObject *)self);
""",
    },
}
MYPYC = "mypy[mypyc]~=2.4"
#: Annotations of Python's own types, alone or in unions and tuples.
_PLAIN = re.compile(r"(?:(?:Any|bool|int|float|complex|str|None|tuple|\.\.\.|[\[\],| ])(?:\b|(?<=\W)))+")
#: The commands of setup.py that make what is installed.
_BUILDING = {"bdist_wheel", "build", "build_ext", "editable_wheel", "install"}

_wish = os.environ.get("SUPREMUM_COMPILE", "")
if _wish not in ("", "0", "1"):
    raise SystemExit(f"SUPREMUM_COMPILE is 0, 1 or not set, got {_wish!r}")
FORCED = _wish == "1"


def may_compile() -> bool:
    """Say whether trying has a point."""
    if _wish:
        return FORCED
    # What mypyc makes is not tested without the lock.
    if platform.python_implementation() != "CPython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return False
    if sys.platform in ("emscripten", "wasi"):
        return False
    compiler = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    # Microsoft's compiler is found by setuptools, not on the PATH.
    return sys.platform == "win32" or shutil.which(str(compiler).split()[0]) is not None


def loosened(source: str) -> str:
    """Give a source in which arguments and results of Python's own types may be anything, on the same lines.

    Compiled functions refuse an argument that is not of its annotated type before they begin. Ours take whatever can stand for
    it, such as a NumPy integer or a 0-d array for an axis, and say themselves what is wrong.
    """
    lines = source.splitlines(keepends=True)
    loose: list[ast.expr] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.arg) and node.annotation is not None and _PLAIN.fullmatch(ast.unparse(node.annotation)):
            loose.append(node.annotation)
        elif isinstance(node, ast.FunctionDef) and node.returns is not None:
            # Operators may answer NotImplemented instead of an Array; what other dunders return is Python's to say.
            dunder, text = node.name.startswith("__"), ast.unparse(node.returns)
            if text in ("Array", "tuple[Array, Array]") if dunder else _PLAIN.fullmatch(text):
                loose.append(node.returns)
    for one in sorted(loose, key=lambda one: (one.lineno, one.col_offset), reverse=True):
        line = lines[one.lineno - 1].encode()
        lines[one.lineno - 1] = (line[: one.col_offset] + b"Any" + line[one.end_col_offset :]).decode()
    return "".join(lines)


def say(what: str) -> None:
    """Tell who builds with `pip install -v`."""
    print(f"supremum: {what}", file=sys.stderr, flush=True)  # noqa: T201 - a build tells what it does


def positioned(text: str, sources: dict[str, str]) -> str:
    """Give mypyc's C in which arguments that are known by their position alone have no names, which is how C says it."""
    for module, source in sources.items():
        functions = {one.name: one.args.posonlyargs for one in ast.parse(source).body if isinstance(one, ast.FunctionDef)}
        for name, arguments in functions.items():
            if arguments:
                names = "".join(f'"{argument.arg}", ' for argument in arguments)
                start = rf"(PyObject \*CPyPy_{module}___{name}\([^;{{]*\{{\s*static const char \* const kwlist\[\] = \{{)"
                text, count = re.subn(start + names, r"\1" + '"", ' * len(arguments), text)
                if count != 1:
                    raise RuntimeError(f"mypyc writes the arguments of {name} in another way than build_core.py knows")
    return text


def documented(text: str, sources: dict[str, str]) -> str:
    """Give mypyc's C with the docstrings of functions and methods, which mypyc leaves out."""
    told = {}
    for module, source in sources.items():
        for outer in ast.parse(source).body:
            room = outer.body if isinstance(outer, ast.ClassDef) else [outer]
            prefix = f"{module}___{outer.name}" if isinstance(outer, ast.ClassDef) else module
            for function in room:
                if isinstance(function, ast.FunctionDef) and (words := ast.get_docstring(function, clean=False)):
                    told[f"{prefix}___{function.name}"] = words

    def octets(words: str) -> str:
        return "".join(f"\\{octet:03o}" for octet in words.encode())

    def method(found: re.Match[str]) -> str:
        words = next((words for name, words in told.items() if found[1].endswith(name)), "")
        return found[0].replace('\\n--\\n\\n"', f'\\n--\\n\\n{octets(words)}"')

    def attribute(found: re.Match[str]) -> str:
        words = told.get(f"{found[1]}___{found[2]}")
        return found[0] if words is None else f'{found[0].rpartition("NULL, NULL")[0]}"{octets(words)}", NULL'

    text = re.sub(r'\(PyCFunction\)CPyPy_(\w+),\s+[A-Z_| ]+,\s+PyDoc_STR\("(?:[^"\\]|\\.)*"\)', method, text)
    return re.sub(r"\(getter\)(\w+)_get_(\w+),\s+(?:\(setter\)\w+|NULL),\s+NULL, NULL", attribute, text)


#: A method that mypyc gives every class for its own use; it takes anything for a class, and crashes on what is none.
_SETUP = re.compile(r'^\s*\{"__internal_mypyc_setup", .*\},\n', re.MULTILINE)


def _replace(path: Path, texts: dict[str, str], sources: dict[str, str]) -> None:
    text = path.read_text(encoding="utf-8")
    for written, wanted in texts.items():
        if text.count(written) != 1:
            raise RuntimeError(f"mypyc writes {path.name} in another way than build_core.py knows")
        text = text.replace(written, wanted)
    if path.suffix == ".c":
        text = documented(positioned(_SETUP.sub("", text), sources), sources)
    path.write_text(text, encoding="utf-8")


def extensions() -> list[object]:
    """Give what is to be compiled: nothing where it cannot be, or where setup.py is run for the metadata alone."""
    if not _BUILDING.intersection(sys.argv):
        return []
    if not may_compile():
        say("without the compiled core" + (", as SUPREMUM_COMPILE asks" if _wish else ": no C compiler"))
        return []
    try:
        from mypyc.build import mypycify

        root = Path(__file__).parent
        copy = root / "build" / "core"
        shutil.copytree("src/supremum", copy / "supremum", dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.so", "*.pyd"))
        sources = [f"supremum/{module}.py" for module in CORE]
        for path in copy.rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            for written, compiled in TO_COMPILE.items():
                text = text.replace(written, compiled)
            core = path.relative_to(copy).as_posix() in sources
            path.write_text(loosened(text) if core else text, encoding="utf-8")
        options = {"group_name": "supremum", "opt_level": "3", "debug_level": "0", "target_dir": str(root / "build")}
        with contextlib.chdir(copy):  # the sources' names are what tracebacks show
            made = list(mypycify([f"--config-file={root / 'build_core.ini'}", *sources], **options))
        written = {Path(source).stem: (copy / source).read_text(encoding="utf-8") for source in sources}
        for file, texts in ADDITIONS.items():
            _replace(root / "build" / file, texts, written)
    except (Exception, SystemExit) as error:  # mypyc exits where it finds fault with the source or the machine
        if FORCED:
            raise
        say(f"without the compiled core: {error!r}")
        return []
    return made


class build_core(build_ext):
    """Compile the core, or leave no trace of having tried."""

    def run(self) -> None:
        """Compile."""
        if self.editable_mode and not FORCED:
            self.extensions = []
        try:
            super().run()
        except Exception as error:  # whatever a compiler or its absence may raise
            if FORCED:
                raise
            for extension in self.extensions:
                Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)
            self.extensions = []
            say(f"without the compiled core: {error}")
        else:
            if self.extensions:
                say("with the compiled core")


def get_requires_for_build_wheel(config_settings: dict[str, object] | None = None) -> list[str]:
    """Give what building a wheel needs."""
    return [*build_meta.get_requires_for_build_wheel(config_settings), *([MYPYC] if may_compile() else [])]


def get_requires_for_build_editable(config_settings: dict[str, object] | None = None) -> list[str]:
    """Give what an editable install needs: it is for changing the source, so it is interpreted unless SUPREMUM_COMPILE=1."""
    return [*build_meta.get_requires_for_build_editable(config_settings), *([MYPYC] if FORCED else [])]
