"""Files: NumPy's ``.npy`` and ``.npz`` for every dtype, bare bytes, and safetensors.

A dtype of ml_dtypes has no name in a ``.npy`` header. Like NumPy, this module writes a void dtype of the same width, and adds
a comment with the dtype's name after the header's dictionary. NumPy ignores the comment, so any NumPy can open the file;
`load` reads the comment and restores the dtype. The byte order is that of the void dtype's code, and little where the code
has none. The content of a file is never evaluated, and no more memory is allocated than the file has data.
"""

from __future__ import annotations

import math
import os
import re
import struct
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import IO, Any, Final, Literal, TypeAlias

import numpy as np

from supremum._base.boundary import public
from supremum._base.buffers import Buffer
from supremum._base.exceptions import check_choice
from supremum._core.array import Array, DTypeLike, NestedArrayLike, wrap
from supremum._core.conversion import as_array
from supremum._functions.creation.from_objects import asarray, fromfile
from supremum._kernels.bit_patterns import byteswapped, canonical
from supremum.promotion._nodes import NODES, ROWS, Node, as_node

__all__ = [
    "Archive", "fromfile", "load", "load_safetensors", "save", "save_safetensors", "savez", "savez_compressed", "tofile",
]  # fmt: skip

#: A file by its name, or an open binary file.
File: TypeAlias = str | bytes | os.PathLike[str] | os.PathLike[bytes] | IO[bytes]

_MAGIC: Final = b"\x93NUMPY"
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
_ALIGNMENT: Final = 64
_CHUNK: Final = 1 << 20
_BIG: Final = sys.byteorder == "big"
#: The maximum length of a header; NumPy's own limit.
_MAX_HEADER: Final = 10_000
#: An upper bound on the compression ratio of deflated data.
_MAX_RATIO: Final = 1100

_FIELD: Final = re.compile(
    r"""\s*['"](?P<key>\w+)['"]\s*:\s*
    (?: ['"](?P<text>[^'"]*)['"] | (?P<truth>True|False) | \((?P<numbers>[\d,\sL]*)\) )\s*(?:,|(?=\}))""",
    re.VERBOSE,
)
_NOTE: Final = re.compile(r"\s*\}\s*(?:#\s*supremum:\s*(\w+))?\s*")
_DESCR: Final = re.compile(r"[<>|=]?([biufcVW])(\d{1,2})")


# -- writing ------------------------------------------------------------------------------------------------------------------


@public(own="result")
def save(file: File, arr: NestedArrayLike, allow_pickle: bool = True) -> None:
    """Write an array to a ``.npy`` file, from which `load` restores its dtype.

    Parameters
    ----------
    file : str, path or binary file
        The file to write; ``.npy`` is appended to a name without this suffix.
    arr : array_like
        An array of numbers, or a NumPy array of Python objects. The weak type of an array is not saved.
    allow_pickle

    See Also
    --------
    load, savez

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import supremum as xp
    >>> path = pathlib.Path(tempfile.mkdtemp(), "x.npy")
    >>> xp.save(path, xp.asarray([1.5, 2], dtype="bfloat16"))
    >>> xp.load(path)
    Array([1.5, 2], dtype=bfloat16)
    """
    x = _writable(arr, "save", allow_pickle=allow_pickle)
    with _opened(file, "wb", "save", suffix=".npy") as stream:
        _write_npy(stream, x)


@public(own="result")
def savez(file: File, *args: NestedArrayLike, allow_pickle: bool = True, **kwds: NestedArrayLike) -> None:
    """Write several arrays to a ``.npz`` file.

    Parameters
    ----------
    file : str, path or binary file
        The file to write; ``.npz`` is appended to a name without this suffix.
    *args : array_like
        Arrays, saved under the names ``arr_0``, ``arr_1`` and so on.
    allow_pickle
    **kwds : array_like
        Arrays by name.

    See Also
    --------
    load, savez_compressed

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import supremum as xp
    >>> path = pathlib.Path(tempfile.mkdtemp(), "weights.npz")
    >>> xp.savez(path, w=xp.ones(2, dtype="float8_e4m3fn"))
    >>> with xp.load(path) as archive:
    ...     print(archive["w"].dtype)
    float8_e4m3fn
    """
    _write_npz(file, args, kwds, zipfile.ZIP_STORED, "savez", allow_pickle=allow_pickle)


@public(own="result")
def savez_compressed(file: File, *args: NestedArrayLike, allow_pickle: bool = True, **kwds: NestedArrayLike) -> None:
    """Write several arrays to a compressed ``.npz`` file.

    Parameters
    ----------
    file : str, path or binary file
        The file to write; ``.npz`` is appended to a name without this suffix.
    *args : array_like
        Arrays, saved under the names ``arr_0``, ``arr_1`` and so on.
    allow_pickle
    **kwds : array_like
        Arrays by name.

    See Also
    --------
    load, savez

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import supremum as xp
    >>> path = pathlib.Path(tempfile.mkdtemp(), "zeros.npz")
    >>> xp.savez_compressed(path, xp.zeros(10_000))
    >>> path.stat().st_size < 1000
    True
    """
    _write_npz(file, args, kwds, zipfile.ZIP_DEFLATED, "savez_compressed", allow_pickle=allow_pickle)


@public
def tofile(x: NestedArrayLike, file: File) -> None:
    """Write the elements of an array in C order without a header; `fromfile` reads them.

    Parameters
    ----------
    x : array_like
        An array of numbers.
    file : str, path or binary file
        The file to write.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import supremum as xp
    >>> path = pathlib.Path(tempfile.mkdtemp(), "bytes")
    >>> xp.io.tofile(xp.asarray([1, -2], dtype="int4"), path)
    >>> xp.fromfile(path, dtype="int4")
    Array([ 1, -2], dtype=int4)
    """
    array = as_array(x)
    with _opened(file, "wb", "tofile") as stream:
        _write_elements(stream, array._data, "C")


def _writable(x: Any, function: str, *, allow_pickle: bool) -> Array | Buffer:
    """Convert an argument to an Array; return a NumPy array of Python objects unchanged if those may be pickled."""
    if not (isinstance(x, np.ndarray) and x.dtype == np.object_):
        array = as_array(x)
        if array._node.kind == "k":
            raise TypeError(
                f"{function}: keys cannot be saved; save random.key_data(keys) and restore them with random.wrap_key_data"
            )
        return array
    if not allow_pickle:
        raise ValueError(f"{function}: an array of dtype object is written by pickling its elements; pass allow_pickle=True")
    return x


def _write_npz(
    file: File, args: tuple[Any, ...], named: dict[str, Any], compression: int, function: str, *, allow_pickle: bool
) -> None:
    arrays = {f"arr_{i}": _writable(x, function, allow_pickle=allow_pickle) for i, x in enumerate(args)}
    if both := sorted(arrays.keys() & named.keys()):
        raise ValueError(f"{function}: duplicate names {', '.join(both)}; pass the other array under another name")
    arrays |= {name: _writable(x, function, allow_pickle=allow_pickle) for name, x in named.items()}
    with _opened(file, "wb", function, suffix=".npz") as stream, zipfile.ZipFile(stream, "w", compression) as archive:
        for name, x in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                _write_npy(member, x)


def _write_npy(stream: IO[bytes], x: Array | Buffer) -> None:
    if isinstance(x, np.ndarray):
        np.lib.format.write_array(stream, x)
        return
    data = x._data
    fortran_order = data.flags.f_contiguous and not data.flags.c_contiguous
    builtin = data.dtype.isbuiltin == 1
    descr = data.dtype.str if builtin else f"{'>' if _BIG else '|'}V{data.dtype.itemsize}"
    header = f"{{'descr': {descr!r}, 'fortran_order': {fortran_order}, 'shape': {data.shape}, }}"
    if not builtin:
        header += f"  # supremum: {data.dtype.name}"
    length = len(_MAGIC) + 4 + len(header) + 1
    header += " " * (-length % _ALIGNMENT) + "\n"
    stream.write(_MAGIC + b"\x01\x00" + struct.pack("<H", len(header)) + header.encode("latin1"))
    _write_elements(stream, data, "F" if fortran_order else "C")


def _write_elements(stream: IO[bytes], data: Buffer, order: Any) -> None:
    if data.dtype.isbuiltin != 1:
        data = data.view(f"u{data.dtype.itemsize}")
    size = max(_CHUNK // data.itemsize, 1)
    chunks: Any = np.nditer(data, flags=["external_loop", "buffered", "zerosize_ok"], buffersize=size, order=order)
    for chunk in chunks:
        stream.write(chunk.tobytes())


# -- reading ------------------------------------------------------------------------------------------------------------------


@public(own="result")
def load(
    file: File,
    mmap_mode: Literal["r", "r+", "c"] | None = None,
    allow_pickle: bool = False,
    fix_imports: bool = True,
    encoding: Literal["ASCII", "latin1", "bytes"] = "ASCII",
    *,
    dtype: DTypeLike | None = None,
    max_header_size: int = _MAX_HEADER,
) -> Any:  # the content of the file decides
    """Read a ``.npy`` or ``.npz`` file.

    Parameters
    ----------
    file : str, path or binary file
        The file to read.
    mmap_mode : {None, 'r', 'r+', 'c'}
        Map a ``.npy`` file into memory instead of reading it: read-only, for reading and writing, or copy-on-write.
    allow_pickle : bool
        Whether NumPy may unpickle a file of pickled objects, **which can run arbitrary code**.
    fix_imports : bool
        Whether pickles of Python 2 are read with Python 3's names of modules.
    encoding : {"ASCII", "latin1", "bytes"}
        The encoding of strings in pickles of Python 2.
    dtype : dtype, optional
        The dtype of elements that a file of another library stores as a void dtype; if omitted, elements of two bytes are
        read as bfloat16, as in JAX.
    max_header_size : int
        The maximum length of a header in bytes.

    Returns
    -------
    Array or Archive
        The array, or a mapping from names to arrays for a ``.npz`` file. Pickled objects are returned as NumPy returns them.

    Raises
    ------
    ValueError
        If the file has another format, is damaged or truncated, or does not hold numbers.

    See Also
    --------
    save, savez

    Examples
    --------
    >>> import io
    >>> import supremum as xp
    >>> file = io.BytesIO()
    >>> xp.save(file, xp.asarray([1, 2], dtype="int4"))
    >>> _ = file.seek(0)
    >>> xp.load(file)
    Array([1, 2], dtype=int4)
    """
    check_choice(mmap_mode, "mmap_mode", (None, "r", "r+", "c"), "load")
    unpickle = partial(np.load, allow_pickle=True, fix_imports=fix_imports, encoding=encoding) if allow_pickle else None
    if hasattr(file, "read"):
        stream: Any = file
        return _load(stream, None, mmap_mode, dtype, max_header_size, unpickle)
    stream = _open(file, "rb", "load")
    try:
        loaded = _load(stream, file, mmap_mode, dtype, max_header_size, unpickle)
    except BaseException:
        stream.close()
        raise
    if not isinstance(loaded, Archive):  # an archive reads its members later, and closes the file itself
        stream.close()
    return loaded


def _load(
    stream: IO[bytes], path: Any, mmap_mode: str | None, dtype: Any, max_header_size: int, unpickle: Callable[..., Any] | None
) -> Any:
    start = stream.read(len(_MAGIC))
    if start[:4] in _ZIP:
        stream.seek(-len(start), 1)
        return Archive(stream, owned=path is not None, dtype=dtype, max_header_size=max_header_size)
    if start != _MAGIC:
        if unpickle is not None and start:
            stream.seek(-len(start), 1)
            return unpickle(stream)
        hint = "; if it is a pickle from a trusted source, pass allow_pickle=True" if start[:1] == b"\x80" else ""
        raise ValueError(f"load: the file is neither .npy nor .npz{hint}")
    header = _Header(stream, dtype, max_header_size)
    if header.pickled:
        if unpickle is None:
            raise ValueError("load: the file holds pickled objects; if its source is trusted, pass allow_pickle=True")
        stream.seek(-header.length, 1)
        return unpickle(stream)
    if mmap_mode is None:
        return header.array(stream, _remaining(stream))
    if path is None:
        raise ValueError("load: only a file passed by its name can be mapped into memory")
    return header.mapped(path, mmap_mode, stream.tell(), _remaining(stream))


@public
class Archive(Mapping[str, Array]):
    """The arrays of a ``.npz`` file by name, read on access; a context manager that closes the file.

    Attributes
    ----------
    files : list of str
        The names.
    """

    def __init__(self, stream: IO[bytes], *, owned: bool, dtype: Any, max_header_size: int) -> None:
        self._stream = stream
        self._owned = owned
        self._dtype = dtype
        self._max_header_size = max_header_size
        try:
            self._archive = zipfile.ZipFile(stream)
            self._size = stream.seek(0, os.SEEK_END)
        except (*_DAMAGE, ValueError) as error:
            raise ValueError(f"load: the .npz file is damaged: {error}") from None
        self._members = {info.filename.removesuffix(".npy"): info for info in self._archive.infolist()}
        self.files: list[str] = list(self._members)

    def __getitem__(self, name: str) -> Array:
        info = self._members.get(name) or self._members.get(str(name).removesuffix(".npy"))
        if info is None:
            raise KeyError(f"{name!r} is not in the archive; it holds {', '.join(self.files) or 'no arrays'}")
        possible = info.compress_size if info.compress_type == zipfile.ZIP_STORED else info.compress_size * _MAX_RATIO
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(f"load: {name!r} is compressed by a method that NumPy does not use")
        if info.compress_size > self._size or info.file_size > possible:
            raise ValueError(f"load: the archive is damaged: {name!r} cannot have {info.file_size} bytes")
        try:
            with self._archive.open(info) as member:
                return self._array(member, name, info.file_size)
        except (*_DAMAGE, ValueError) as error:
            if str(error).startswith("load: "):
                raise
            raise ValueError(f"load: {name!r} in the archive is damaged: {error}") from None

    def _array(self, member: IO[bytes], name: str, size: int) -> Array:
        if member.read(len(_MAGIC)) != _MAGIC:
            raise ValueError(f"load: {name!r} in the archive is not an array")
        header = _Header(member, self._dtype, self._max_header_size)
        if header.pickled:
            raise ValueError(f"load: {name!r} in the archive is pickled; if its source is trusted, use numpy.load")
        return header.array(member, size - header.length)

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)

    def __repr__(self) -> str:
        return f"<Archive of {', '.join(self.files) or 'no arrays'}>"

    def __enter__(self) -> Archive:  # noqa: PYI034 - typing.Self needs no subclass here
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_archive"):
            self.close()

    def close(self) -> None:
        """Close the file if `load` opened it."""
        self._archive.close()
        if self._owned:
            self._stream.close()


#: The exceptions that zipfile and zlib raise for damaged archives.
_DAMAGE: Final = (
    zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, struct.error, OverflowError,
)  # fmt: skip


class _Header:
    """A validated ``.npy`` header, read from a stream positioned after the magic bytes."""

    def __init__(self, stream: IO[bytes], dtype: Any, max_size: int) -> None:
        version = _exactly(stream, 2, "the version")
        if version not in (b"\x01\x00", b"\x02\x00", b"\x03\x00"):
            raise ValueError(f"load: .npy files have version 1.0, 2.0 or 3.0, got {'.'.join(map(str, version))}")
        width = 2 if version[0] == 1 else 4
        size = int.from_bytes(_exactly(stream, width, "the header's length"), "little")
        if size > max_size:
            raise ValueError(f"load: the header has {size} bytes, which is more than max_header_size={max_size}")
        text = _exactly(stream, size, "the header").decode("latin1")
        self.length = len(_MAGIC) + 2 + width + size
        fields, note = _parsed(text)
        self.fortran_order = fields["fortran_order"] == "True"
        self.shape = _shape(fields["shape"])
        descr = fields["descr"]
        self.pickled = descr.lstrip("|") == "O"
        self.swapped = (descr[:1] == ">") != _BIG
        self.dtype: np.dtype[Any]
        self.node: Node | None
        self.dtype, self.node = (np.dtype("O"), None) if self.pickled else _element(descr, note, dtype)
        self.nbytes = math.prod(self.shape) * self.dtype.itemsize

    def array(self, stream: IO[bytes], remaining: int | None) -> Array:
        """Read the elements from a stream that has `remaining` bytes, or an unknown number for None."""
        self._check(remaining)
        return self._decoded(_read(stream, self.nbytes, known=remaining is not None))

    def mapped(self, file: Any, mode: Any, offset: int, remaining: int | None) -> Array:
        """Map the elements into memory."""
        self._check(remaining)
        if not self.nbytes:
            return self._decoded(np.zeros(0, np.uint8))
        return self._decoded(np.asarray(np.memmap(file, np.uint8, mode, offset, (self.nbytes,))))

    def _check(self, remaining: int | None) -> None:
        if remaining is not None and self.nbytes > remaining:
            raise ValueError(
                f"load: the file is truncated: {self.nbytes} bytes of shape {_shown(str(self.shape))} and dtype {self.dtype} "
                f"were expected, got {max(remaining, 0)}"
            )

    def _decoded(self, raw: Buffer) -> Array:
        try:
            data = (
                raw.view(self.dtype) if self.node is None or not self.swapped else byteswapped(raw.view(self.dtype), self.node)
            )
            data = data.reshape(self.shape, order="F" if self.fortran_order else "C")
        except ValueError:
            raise ValueError(f"load: the header has an invalid shape, {_shown(str(self.shape))}") from None
        return asarray(data) if self.node is None else wrap(canonical(data, self.node), self.node)


def _parsed(text: str) -> tuple[dict[str, str], str | None]:
    """Parse a header's dictionary without evaluating it, and the dtype's name in the comment."""
    fields: dict[str, str] = {}
    position = text.find("{") + 1
    while position and (match := _FIELD.match(text, position)):
        fields[match["key"]] = next(match[group] for group in ("text", "truth", "numbers") if match[group] is not None)
        position = match.end()
    end = _NOTE.fullmatch(text, position)
    if end is None or fields.keys() != {"descr", "fortran_order", "shape"} or fields["fortran_order"] not in ("True", "False"):
        raise ValueError(
            f"load: the header does not describe an array of numbers, {_shown(text.strip())}; numpy.load may read the file"
        )
    return fields, end[1]


def _shape(text: str) -> tuple[int, ...]:
    """Return the shape in a header, if an array can have it."""
    lengths = [number.rstrip("L") for number in re.split(r"[,\s]+", text) if number]
    if len(lengths) > 64 or not all(number.isdecimal() and len(number) < 19 for number in lengths):
        raise ValueError(f"load: the header has an invalid shape, ({_shown(text)})")
    return tuple(map(int, lengths))


def _element(descr: str, note: str | None, dtype: Any) -> tuple[np.dtype[Any], Node | None]:
    """Return the dtype that a header describes, and its node if NumPy has no name for the dtype."""
    match = _DESCR.fullmatch(descr)
    if match is None:
        raise ValueError(f"load: the file holds elements of dtype {_shown(descr)}, which are not numbers; use numpy.load")
    with suppress(TypeError):
        if match[1] != "V":
            return np.dtype(descr), None
    # A void dtype, or a code such as <f1, which NumPy writes for some dtypes of ml_dtypes but cannot read.
    width = int(match[2])
    name = note or ("bfloat16" if dtype is None and (match[1], width) == ("V", 2) else None)
    if name is None and dtype is None:
        raise ValueError(f"load: the file does not name the dtype of its elements of {width} bytes; pass dtype=")
    try:
        node = as_node(name if name is not None else dtype).strong
    except TypeError:
        raise ValueError(f"load: {_shown(str(name or dtype))} is not a dtype of the installed ml_dtypes") from None
    if node.dtype is None or node.dtype.itemsize != width:
        raise ValueError(f"load: the file's elements have {width} bytes, those of {node.name} have another size")
    return node.dtype, node


def _shown(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."


def _remaining(stream: IO[bytes]) -> int | None:
    """Return the number of bytes up to the end of a file, or None if the stream cannot seek."""
    try:
        position = stream.tell()
        end = stream.seek(0, os.SEEK_END)
        stream.seek(position)
    except (OSError, AttributeError, ValueError):
        return None
    return end - position


def _exactly(stream: IO[bytes], count: int, what: str) -> bytes:
    data = stream.read(count)
    if len(data) != count:
        raise ValueError(f"load: the file is truncated: it ends within {what}")
    return bytes(data)


def _read(stream: IO[bytes], count: int, *, known: bool) -> Buffer:
    """Read `count` bytes; if the size of the stream is unknown, into a buffer that grows with what was read."""
    buffer = np.empty(count if known else min(count, _CHUNK), np.uint8)
    filled = 0
    while filled < count:
        if filled == buffer.size:
            buffer = np.resize(buffer, min(2 * filled, count))
        chunk = stream.read(min(_CHUNK, buffer.size - filled))
        if not chunk:
            raise ValueError(f"load: the file is truncated: {count} bytes were expected, got {filled}")
        buffer[filled : filled + len(chunk)] = np.frombuffer(chunk, np.uint8)
        filled += len(chunk)
    return buffer


# -- files --------------------------------------------------------------------------------------------------------------------


def _open(file: Any, mode: Literal["rb", "wb"], function: str) -> IO[Any]:
    try:
        path = os.fspath(file)
    except TypeError:
        raise TypeError(f"{function}: file must be a name, a path or an open binary file, got {type(file).__name__}") from None
    try:
        return open(path, mode)  # noqa: PTH123 - a path may be bytes, and the caller closes the file
    except ValueError as error:  # a null byte or an unpaired surrogate
        raise ValueError(f"{function}: {path!r} is not a valid file name: {error}") from None


@contextmanager
def _opened(file: Any, mode: Literal["rb", "wb"], function: str, suffix: str = "") -> Iterator[IO[Any]]:
    """Yield an open file unchanged; open and close one that is passed by its name."""
    if hasattr(file, "write"):
        yield file
        return
    if isinstance(file, str | os.PathLike) and suffix:
        path = os.fspath(file)
        file = path if not isinstance(path, str) or path.endswith(suffix) else path + suffix
    with _open(file, mode, function) as stream:
        yield stream


# -- safetensors --------------------------------------------------------------------------------------------------------------

#: The names of dtypes in safetensors files; dtypes of less than 8 bits are packed there and left out.
_SAFETENSORS: Final = {row.safetensors: name for name, row in ROWS.items() if row.safetensors}
_TO_SAFETENSORS: Final = {name: code for code, name in _SAFETENSORS.items()}


def _safetensors(function: str) -> Any:
    try:
        import safetensors
    except ImportError:
        raise ImportError(f"{function} needs the package safetensors: pip install 'supremum[io]'") from None
    return safetensors


@public
def save_safetensors(file: File, tensors: Mapping[str, NestedArrayLike], metadata: Mapping[str, str] | None = None) -> None:
    """Write arrays by name to a ``.safetensors`` file; needs the package safetensors.

    Parameters
    ----------
    file : str, path or binary file
        The file to write.
    tensors : mapping from str to array_like
        The arrays, of the dtypes of the format: bool, integers and floats of at least 8 bits, complex64.
    metadata : mapping from str to str, optional
        Further text to store in the file.

    See Also
    --------
    load_safetensors
    """
    package = _safetensors("save_safetensors")
    buffers: dict[str, Buffer] = {}
    specs = {}
    for name, x in tensors.items():
        array = as_array(x)
        data = np.ascontiguousarray(array._data)
        if data.dtype.name not in _TO_SAFETENSORS:
            raise ValueError(f"save_safetensors: the format has no dtype {data.dtype}, of {name!r}; cast it first")
        if _BIG:  # the format is little-endian
            data = byteswapped(data, array._node)
        buffers[name] = data
        shape = list(array.shape)
        specs[name] = package.TensorSpec(dtype=data.dtype.name, shape=shape, data_ptr=data.ctypes.data, data_len=data.nbytes)
    content = package.serialize(specs, dict(metadata) if metadata is not None else None)
    with _opened(file, "wb", "save_safetensors") as stream:
        stream.write(content)


@public
def load_safetensors(file: File) -> dict[str, Array]:
    """Read the arrays of a ``.safetensors`` file by name; needs the package safetensors.

    Parameters
    ----------
    file : str, path or binary file
        The file to read.

    Returns
    -------
    dict from str to Array
        The arrays by name.

    Raises
    ------
    ValueError
        If the file has another format, is damaged, or holds a dtype of less than 8 bits.

    See Also
    --------
    save_safetensors
    """
    package = _safetensors("load_safetensors")
    source: Any = file
    if hasattr(source, "read"):
        content = source.read()
    else:
        with _open(source, "rb", "load_safetensors") as stream:
            content = stream.read()
    try:
        entries = package.deserialize(bytes(content))
    except package.SafetensorError as error:
        raise ValueError(f"load_safetensors: the file is damaged or has another format: {error}") from None
    arrays = {}
    for name, tensor in entries:
        node = NODES.get(_SAFETENSORS.get(tensor["dtype"], ""))
        if node is None:
            raise ValueError(f"load_safetensors: {name!r} has dtype {tensor['dtype']}, which Array does not support")
        data = np.frombuffer(bytearray(tensor["data"]), node.dtype).reshape(tensor["shape"])
        if _BIG:
            data = byteswapped(data, node)
        arrays[name] = wrap(canonical(data, node), node)
    return arrays


__dir__ = __all__.copy  # which `dir` sorts
