"""tinygp: means, variances and fits of Gaussian processes."""

import jax
import jax.numpy as jnp
import tinygp
from tinygp import GaussianProcess, kernels, transforms

PACKAGES = "tinygp"
X = jnp.linspace(0.0, 3.0, 6)
Y = jnp.sin(X)
TEST = jnp.array([0.5, 1.25, 4.0])


def _conditioned(kernel, **options):
    process = GaussianProcess(kernel, X, diag=0.1, **options)
    likelihood, conditional = process.condition(Y, TEST)
    return likelihood, conditional.loc, conditional.variance, conditional.covariance


def kernels_of_distances():
    return [
        _conditioned(kernel)
        for kernel in (
            2.0 * kernels.ExpSquared(1.5), kernels.Matern32(1.0), kernels.Matern52(0.7), kernels.Exp(2.0), kernels.RationalQuadratic(alpha=1.5, scale=1.2),
            kernels.Cosine(2.0) + kernels.Constant(0.5), kernels.ExpSineSquared(scale=1.0, gamma=0.5) * kernels.ExpSquared(2.0),
        )
    ]  # fmt: skip


def quasiseparable():
    return [
        _conditioned(kernel)[:3] for kernel in (kernels.quasisep.Matern32(1.0), kernels.quasisep.SHO(omega=1.5, quality=2.0))
    ]


def means_and_samples():
    process = GaussianProcess(kernels.ExpSquared(1.0), X, diag=0.1, mean=lambda x: 2.0 * x)
    return (
        process.loc,
        process.sample(jax.random.PRNGKey(0), shape=(2,)),
        process.log_probability(Y),
        process.condition(Y, TEST)[1].loc,
    )


def kernels_of_vectors():
    x = jnp.stack([X, X**2], 1)
    made = (
        kernels.DotProduct(), kernels.Polynomial(order=2.0), transforms.Linear(jnp.array([1.0, 2.0]), kernels.ExpSquared()), transforms.Subspace(0, kernels.Matern32()),
        kernels.ExpSquared(distance=kernels.distance.L2Distance()), transforms.Cholesky(jnp.array([[1.0, 0.0], [0.5, 1.0]]), kernels.ExpSquared()),
    )  # fmt: skip
    return [GaussianProcess(kernel, x, diag=1.0).condition(Y, x[:2])[1].loc for kernel in made]


class _Kernel(kernels.Kernel):
    scale: jax.Array

    def evaluate(self, X1, X2):
        return jnp.exp(-jnp.abs(X1 - X2) / self.scale)


def own_and_further_kernels():
    made = (
        _Kernel(jnp.array(2.0)),
        kernels.quasisep.CARMA(alpha=jnp.array([1.2]), beta=jnp.array([1.0])),
        kernels.quasisep.Celerite(1.0, 0.5, 0.3, 0.1),
    )
    return [GaussianProcess(kernel, X, diag=0.1).log_probability(Y) for kernel in made]


def fits():
    def loss(log):
        kernel = jnp.exp(log["amplitude"]) * kernels.ExpSquared(jnp.exp(log["scale"]))
        return -GaussianProcess(kernel, X, diag=jnp.exp(log["noise"])).log_probability(Y)

    params = {"amplitude": jnp.array(0.0), "scale": jnp.array(0.3), "noise": jnp.array(-2.0)}
    values = []
    for _ in range(4):
        value, gradients = jax.value_and_grad(loss)(params)
        params = jax.tree.map(lambda p, g: p - 0.02 * g, params, gradients)
        values.append(value)
    return values, params


def gradients_of_quasiseparable_kernels():
    return [
        jax.grad(lambda scale: GaussianProcess(make(scale), X, diag=0.1).log_probability(Y))(1.3)  # noqa: B023 - called at once
        for make in (kernels.quasisep.Matern32, kernels.quasisep.Exp, lambda x: kernels.quasisep.SHO(omega=x, quality=2.0))
    ]
