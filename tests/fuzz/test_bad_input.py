"""Every public function with bad arguments: it returns a result, or raises an error that names the function and the cause."""

from collections import Counter

import bad_calls

#: Calls of each function in the plain run: more than 20,000 in all.
CALLS = 36
#: Limit of the bytes that the calls may allocate, so that huge sizes are refused.
MEMORY = 2 << 30


def test_wrong_calls_end_well(budget, seed, tmp_path, monkeypatch, count):
    monkeypatch.chdir(tmp_path)  # some functions read or write files
    total, leaks = 0, Counter()
    with bad_calls.memory_limit(MEMORY):
        for target, words, problem in bad_calls.run(CALLS * budget, seed):
            total += 1
            if problem:
                leaks[f"{target.label}({', '.join(words)}): {problem}"] += 1
    count("bad calls", total)
    assert total >= 20_000
    assert not leaks, "\n".join(leaks)


def test_errors_name_one_function_and_nothing_from_inside(budget, seed, tmp_path, monkeypatch, count, capsys):
    monkeypatch.chdir(tmp_path)
    total, leaks = 0, Counter()
    with bad_calls.memory_limit(MEMORY):
        for target, words, error in bad_calls.further_errors(8 * budget, seed):
            total += 1
            if error is not None and (problem := bad_calls.inside(error)):
                leaks[f"{target.label}({', '.join(words)}): {problem}"] += 1
    count("bad calls of further namespaces", total)
    assert total >= 2_000
    assert not leaks, "\n".join(leaks)


def test_the_judge_tells_good_ends_from_bad():
    def sine(x):
        raise x

    target = bad_calls.Target("sine", sine, ("sine",))

    def judged(error):
        return bad_calls.complaint(target, [error], {})

    assert judged(TypeError("sine: x is a number, got 'a'")) is None
    assert judged(MemoryError()) is None
    assert judged(TypeError("must be a number")).startswith("does not name")
    assert judged(TypeError("sine: 'str' object has no attribute 'dtype'")).startswith("mentions internals")
    assert judged(AttributeError("sine")).startswith("raises AttributeError")
    assert judged(KeyError("sine")).startswith("raises KeyError")
    assert judged(RecursionError("sine")).startswith("raises RecursionError")
    assert judged(RuntimeWarning("overflow")).startswith("warns")
    assert bad_calls.inside(TypeError("softmax: max: no axis")).startswith("names two functions")
    assert bad_calls.inside(TypeError("explain: as_node: 'int7' is unknown")).startswith("names two functions")
    assert bad_calls.inside(TypeError("nn.elu: add requires an array")).startswith("names two functions")
    assert bad_calls.inside(TypeError("sum: axis: 7")) is None
    for name in ("'supremum._native.At' object", "numpy.ndarray.__format__", "supremum._core.array.Array"):
        assert bad_calls.inside(TypeError(f"sine: {name}")).startswith("names what is not public")
    private = type("PrivateError", (TypeError,), {"__module__": "supremum._base.exceptions"})
    assert bad_calls.inside(private("sine: no")).startswith("names what is not public")


def test_the_judge_sees_changed_inputs_and_hangs(monkeypatch):
    import time

    import supremum as xp

    def change(x):
        x[0] = 7

    def wait(_x):
        time.sleep(30)

    assert bad_calls.complaint(bad_calls.Target("change", change, ()), [xp.zeros(2)], {}).startswith("changed")
    monkeypatch.setattr(bad_calls, "SECONDS", 0.05)
    assert bad_calls.complaint(bad_calls.Target("wait", wait, ()), [xp.zeros(2)], {}) == "hangs"
