"""Which arrays the tape of a derivative holds."""

import supremum as xp
from supremum import jax
from supremum.jax import ad_checkpoint

WEIGHTS = xp.ones((3, 3))
POLICIES = jax.checkpoint_policies


def program(x, q, scale=2.0):
    """Return a number by a product of matrices and a named value."""
    y = xp.sin(x @ WEIGHTS)
    return xp.sum(ad_checkpoint.checkpoint_name(xp.exp(y), "e") * q["a"]) * scale


def printed(capsys, f, *args, **kwargs):
    """Return the lines that are printed, without paths of files and numbers of lines."""
    ad_checkpoint.print_saved_residuals(f, *args, **kwargs)
    lines = capsys.readouterr().out.splitlines()
    assert all(" from " not in line or line.endswith((" (program)", "x", "']", "scale", "constant")) for line in lines)
    return [line.partition(f" from {__file__}")[0] for line in lines]


def test_what_a_tape_holds(capsys):
    x, q = xp.ones(3), {"a": xp.ones(3)}
    arguments = ["f32[3] from the argument x", "f32[3] from the argument q['a']"]
    assert printed(capsys, jax.checkpoint(program), x, q) == arguments
    dots = jax.checkpoint(program, policy=POLICIES.dots_saveable)
    assert printed(capsys, dots, x, q=q) == [*arguments, "f32[3] output of matmul"]
    names = jax.checkpoint(program, policy=POLICIES.save_only_these_names("e"))
    assert printed(capsys, names, x, q) == [*arguments, "f32[3] named 'e'"]
    scaled = printed(capsys, jax.checkpoint(program), x, q, scale=3.0)
    assert scaled == [*arguments, "f32[] from the argument scale"]
    everything = printed(capsys, program, x, q)
    assert {*arguments, "f32[3,3] from a constant", "f32[3] output of cos", "f32[3] named 'e'"} <= {*everything}
    assert printed(capsys, lambda x: 2.0, x) == []


def test_a_tape_holds_what_slopes_need_alone(capsys):
    """As many lines as JAX prints, but for one for the literal of ``* 2``, and one for the operand of the square."""

    def program(x):
        return xp.sin(xp.sin(x)) * 2

    assert printed(capsys, program, xp.ones(3)) == ["f32[3] output of cos"] * 2

    def network(v, w, x):
        return xp.sum(xp.tanh(xp.tanh(x @ v) @ w) ** 2)

    ad_checkpoint.print_saved_residuals(network, xp.ones((3, 4)), xp.ones((4, 2)), xp.ones((5, 3)))
    lines = [line.partition(" ")[0] for line in capsys.readouterr().out.splitlines()]
    assert sorted(lines) == ["f32[3,4]", "f32[4,2]", *["f32[5,2]"] * 2, "f32[5,3]", *["f32[5,4]"] * 2]
