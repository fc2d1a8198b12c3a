"""Positions of a `vmap` that exchange values: `psum` and other collective functions, and functions with a rule for `vmap`.

The positions run in the caller's thread until one of them waits for the others. Then each of the others gets a thread. One
position runs at a time: whichever waits or ends lets the next one continue. Once all wait or have ended, those that wait get
what they wait for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextvars import Context, ContextVar, copy_context
from threading import Lock, Thread
from typing import Any, Final, Protocol

__all__ = ["Lane", "Lanes", "innermost_lane", "lane_of"]


class Request(Protocol):
    """What positions wait for; positions whose requests are equal are served together."""

    @property
    def whole(self) -> bool:
        """Whether all positions have to make it."""
        ...

    def results(self, lanes: list[Lane], values: list[Any], /) -> list[Any]:
        """Return the result for each position, given the values of all."""
        ...


class Lane:
    """A position of a `vmap`, in the thread that runs it; None stands for a rule that runs for all positions."""

    def __init__(self, lanes: Lanes, number: int | None) -> None:
        self.lanes = lanes
        self.number = number
        #: The arguments at this position, as leaves.
        self.parts: list[Any] = []
        self.context: Context
        self.request: Request
        self.value: Any = None
        self._result: Any = None
        self._error: BaseException | None = None
        self._turn = _closed_lock()

    @property
    def size(self) -> int:
        """The number of positions."""
        return self.lanes.size

    @property
    def position(self) -> int:
        """The position along the axis."""
        if self.number is None:
            raise _unbound(self.lanes.axis_name)
        return self.number

    def mapped_parts(self) -> list[Any]:
        """Return the arguments that are parts of mapped ones."""
        return [part for part, is_mapped in zip(self.parts, self.lanes.mapped, strict=True) if is_mapped]

    def exchange(self, value: Any) -> list[Any]:
        """Give a value to the other positions, and return the values of all."""
        if self.number is None:
            return [value] * self.size
        found: list[Any] = self.wait(_EXCHANGE, value)
        return found

    def wait(self, request: Request, value: Any) -> Any:
        """Wait until all other positions wait or have ended; return what the request makes of the value."""
        self.request, self.value, self.context = request, value, copy_context()
        self.lanes.waiting[self.position] = self
        self.lanes.continue_next()
        self.lanes.acquire(self._turn)
        if self.lanes.stopped:
            raise _Stopped
        if self._error is not None:
            raise self._error
        return self._result

    def deliver(self, result: Any, error: BaseException | None = None) -> None:
        """Set the result of the request, or the error that it raises."""
        self._result, self._error = result, error

    def resume(self) -> None:
        """Let the position continue."""
        self._turn.release()


class _Stopped(BaseException):
    """Ends a position because another one failed."""


class _Exchange:
    """The exchange of collective functions."""

    whole = True

    def results(self, _lanes: list[Lane], values: list[Any], /) -> list[Any]:
        return [list(values) for _ in values]


_EXCHANGE: Final = _Exchange()
#: The positions that run here, those of the outermost `vmap` first.
_LANES: Final[ContextVar[tuple[Lane, ...]]] = ContextVar("supremum_jax_lanes", default=())


def _closed_lock() -> Lock:
    lock = Lock()
    lock.acquire()
    return lock


def lane_of(axis_name: Any) -> Lane:
    """Return the position that runs along a named axis."""
    for lane in reversed(_LANES.get()):
        if lane.lanes.axis_name is not None and lane.lanes.axis_name == axis_name:
            return lane
    raise _unbound(axis_name)


def _unbound(axis_name: Any) -> NameError:
    return NameError(
        f"Found an unbound axis name: {axis_name}. To fix this, please call within vmap with axis_name={axis_name!r}."
    )


def innermost_lane() -> Lane | None:
    """Return the position of the innermost `vmap` that runs here; None outside of all."""
    return next((lane for lane in reversed(_LANES.get()) if lane.number is not None), None)


class Lanes:
    """The positions of one `vmap`.

    Only the position whose turn it is reads and changes these attributes. `stopped` may be set by an interrupt at any time.
    """

    def __init__(self, call: Callable[[Lane, int], Any], size: int, axis_name: Any, mapped: list[bool]) -> None:
        self.call = call
        self.size = size
        self.axis_name = axis_name
        #: Which leaves of the arguments are mapped.
        self.mapped = mapped
        self.waiting: dict[int, Lane] = {}
        self.stopped = False
        self._ready: deque[Lane] = deque()
        self._results: list[Any] = [None] * size
        self._begun = 0
        self._threads: list[Thread] = []
        self._errors: list[BaseException] = []
        self._context = copy_context()
        self._ended = _closed_lock()

    def run(self) -> list[Any]:
        """Call the function for all positions, and return its results."""
        lane = Lane(self, 0)
        token = _LANES.set((*_LANES.get(), lane))
        try:
            while self._begun < self.size:
                lane.number = position = self._begun
                self._begun += 1
                self._results[position] = self.call(lane, position)
        except _Stopped:
            pass
        except BaseException as error:
            if not self._threads:
                raise
            self._fail(error)
        finally:
            _LANES.reset(token)
        if self._threads:
            self.continue_next()
            self.acquire(self._ended)
            for thread in self._threads:
                thread.join()
        if self._errors:
            raise self._errors[0]
        return self._results

    def acquire(self, lock: Lock) -> None:
        """Wait for a lock; after an interrupt, until the position whose turn it is waits or ends, and no longer."""
        try:
            lock.acquire()
        except BaseException:
            self.stopped = True
            lock.acquire()
            raise

    def continue_next(self) -> None:
        """Let the next position continue, if there is one."""
        while True:
            if self.stopped:
                self._begun = self.size
                self._release(list(self.waiting.values()))
            if self._ready:
                self._ready.popleft().resume()
                return
            if self._begun < self.size:
                if self._begin(self._begun):
                    return
            elif self.waiting:
                self._serve()
            else:
                self._ended.release()
                return

    def _begin(self, position: int) -> bool:
        """Start the thread of a position; return whether it runs."""
        self._begun += 1
        thread = Thread(target=self._context.copy().run, args=(self._work, position), daemon=True)
        try:
            thread.start()
        except (RuntimeError, MemoryError) as error:
            self._fail(
                RuntimeError(
                    f"vmap: positions that exchange values need a thread each, and number {position} of {self.size} could not "
                    f"be started ({error}); map over fewer positions at a time, as lax.map does with batch_size"
                )
            )
            return False
        self._threads.append(thread)
        return True

    def _work(self, position: int) -> None:
        lane = Lane(self, position)
        _LANES.set((*_LANES.get(), lane))
        try:
            self._results[position] = self.call(lane, position)
        except _Stopped:
            pass
        except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
            self._fail(error)
        self.continue_next()

    def _fail(self, error: BaseException) -> None:
        self._errors.append(error)
        self.stopped = True

    def _release(self, lanes: list[Lane]) -> None:
        for lane in lanes:
            del self.waiting[lane.position]
        self._ready.extend(lanes)

    def _serve(self) -> None:
        """Serve a request. Where control flow differs between positions, only some of them make it."""
        waiting = [self.waiting[position] for position in sorted(self.waiting)]
        request = next((lane.request for lane in waiting if not lane.request.whole), waiting[0].request)
        group = [lane for lane in waiting if lane.request == request]
        if request.whole and len(group) < self.size:
            self._fail(
                RuntimeError(
                    f"vmap: a collective function is called at {len(group)} of {self.size} positions along axis "
                    f"{self.axis_name!r}; all of them must call it, so use jnp.where in place of branches"
                )
            )
            return
        try:
            for lane, result in zip(group, request.results(group, [lane.value for lane in group]), strict=True):
                lane.deliver(result)
        except BaseException as error:  # noqa: BLE001 - raised where the positions wait
            for lane in group:
                lane.deliver(None, error)
        self._release(group)

    def call_rule(self, rule: Callable[..., Any], *args: Any, lane: Lane | None = None) -> Any:
        """Call a rule for all positions, within the outer `vmap`; in the context of one of them if they run."""

        def call() -> Any:
            here = _LANES.get()
            own = Lane(self, None)
            _LANES.set((*here, own) if lane is None else tuple(own if one is lane else one for one in here))
            return rule(*args)

        return (copy_context() if lane is None else lane.context).run(call)
