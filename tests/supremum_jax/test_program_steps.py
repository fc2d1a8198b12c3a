"""Places of the values of programs in memory; chains and steps are tested by the programs of `test_compiling`."""

from supremum.jax import _program_steps


def test_memory_of_values_is_used_again():
    memory = _program_steps.Memory()
    first, second = memory.take(10), memory.take(100)
    assert (first, second, memory.end) == (0, 64, 192)
    memory.give(first, 10)
    assert (memory.take(64), memory.take(1)) == (0, 192)
