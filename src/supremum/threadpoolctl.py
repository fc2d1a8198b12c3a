"""Limits of threadpoolctl on the threads of large arrays: call `register` once, then ``with threadpool_limits(1): ...``."""

from __future__ import annotations

import functools
from importlib import import_module
from typing import Any

from supremum._base.buffers import native
from supremum._core.config import config
from supremum._version import __version__

__all__ = ["register"]


@functools.cache
def register() -> None:
    """Have `threadpool_limits` and `threadpool_info` know the threads of supremum.

    Notes
    -----
    They set and read `config.threads`; ``threadpool_limits(2, user_api="supremum")`` limits no others. The reference engine
    has no threads, and is not listed.

    Examples
    --------
    >>> import supremum.threadpoolctl
    >>> supremum.threadpoolctl.register()  # doctest: +SKIP
    """
    threadpoolctl: Any = import_module("threadpoolctl")  # which checkers take for this module where it is not installed

    class Threads(threadpoolctl.LibController):  # type: ignore[misc]  # the base class has no types
        user_api = internal_api = "supremum"
        filename_prefixes = () if native is None else (native.__name__.rpartition(".")[2] + ".",)
        check_symbols = ("supremum_engine",)  # other packages have modules of that name

        def get_num_threads(self) -> int:
            return config.threads

        def set_num_threads(self, num_threads: int) -> None:
            config.threads = num_threads

        def get_version(self) -> str:
            return __version__

    threadpoolctl.register(Threads)
