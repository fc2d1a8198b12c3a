"""distrax: distributions and bijectors."""

import distrax
import jax
import jax.numpy as jnp

PACKAGES = "distrax"
KEY = jax.random.PRNGKey(0)
TWO = jnp.array([0.5, 1.5])
SQUARE = jnp.array([[2.0, 0.5], [0.5, 1.0]])
MADE = {
    "bernoulli": distrax.Bernoulli(probs=0.3), "beta": distrax.Beta(2.0, 3.0), "categorical": distrax.Categorical(logits=jnp.array([0.2, 0.3, 0.5])), "dirichlet": distrax.Dirichlet(jnp.array([1.0, 2.0, 3.0])),
    "gamma": distrax.Gamma(2.0, 3.0), "gumbel": distrax.Gumbel(0.0, 1.0), "laplace": distrax.Laplace(0.0, 1.0), "logistic": distrax.Logistic(0.0, 1.0), "log_normal": distrax.LogStddevNormal(0.0, 0.5),
    "normal": distrax.Normal(1.0, 2.0), "diagonal": distrax.MultivariateNormalDiag(jnp.zeros(2), TWO), "full": distrax.MultivariateNormalFullCovariance(jnp.zeros(2), jnp.array([[2.0, 0.5], [0.5, 1.0]])),
    "uniform": distrax.Uniform(-1.0, 2.0), "von_mises": distrax.VonMises(0.0, 2.0), "independent": distrax.Independent(distrax.Normal(TWO, 1.0), 1),
    "mixture": distrax.MixtureSameFamily(distrax.Categorical(probs=jnp.array([0.4, 0.6])), distrax.Normal(TWO, 1.0)),
    "triangular": distrax.MultivariateNormalTri(jnp.zeros(2), SQUARE), "low_rank": distrax.MultivariateNormalDiagPlusLowRank(jnp.zeros(2), TWO, TWO[:, None]),
    "multinomial": distrax.Multinomial(5, probs=jnp.array([0.2, 0.8])), "one_hot": distrax.OneHotCategorical(logits=TWO), "clipped": distrax.ClippedNormal(0.0, 1.0, -1.0, 1.0),
    "quantized": distrax.Quantized(distrax.Uniform(0.0, 100.0), 0.0, 99.0), "deterministic": distrax.Deterministic(TWO),
    "transformed": distrax.Transformed(distrax.Normal(0.0, 1.0), distrax.Tanh()), "softmax": distrax.Softmax(TWO, 0.5), "greedy": distrax.EpsilonGreedy(TWO, 0.1),
}  # fmt: skip


def samples():
    return {name: one.sample(seed=KEY, sample_shape=(3,)) for name, one in MADE.items()}


def log_probabilities():
    return {name: one.log_prob(one.sample(seed=KEY, sample_shape=(3,))) for name, one in MADE.items()}


def entropies_and_divergences():
    return (
        MADE["normal"].entropy(),
        MADE["categorical"].entropy(),
        MADE["normal"].kl_divergence(distrax.Normal(0.0, 1.0)),
        MADE["diagonal"].mean(),
        MADE["gamma"].variance(),
    )


def bijectors():
    x = jnp.array([0.2, -0.3])
    made = [
        distrax.ScalarAffine(1.0, 2.0), distrax.Sigmoid(), distrax.Tanh(), distrax.Block(distrax.ScalarAffine(1.0, 2.0), 1), distrax.DiagLinear(TWO), distrax.Inverse(distrax.Sigmoid()),
        distrax.Chain([distrax.Tanh(), distrax.ScalarAffine(0.1, 2.0)]), distrax.LowerUpperTriangularAffine(SQUARE, TWO), distrax.TriangularLinear(SQUARE),
        distrax.UnconstrainedAffine(SQUARE, TWO), distrax.MaskedCoupling(jnp.array([True, False]), lambda x: x, lambda p: distrax.ScalarAffine(p, 2.0)),
        distrax.SplitCoupling(1, 1, lambda x: x, lambda p: distrax.ScalarAffine(p, 2.0)), distrax.Shift(1.0), distrax.DiagPlusLowRankLinear(TWO, TWO[:, None], TWO[:, None]),
        distrax.Block(distrax.RationalQuadraticSpline(jnp.sin(jnp.arange(13.0)), -1.0, 1.0), 1),
    ]  # fmt: skip
    return [one.forward_and_log_det(jnp.abs(x) + 0.1) for one in made], [one.forward_and_log_det(x) for one in made[:5]]


def hidden_markov_model():
    model = distrax.HMM(
        distrax.Categorical(probs=TWO / 2),
        distrax.Categorical(probs=jnp.array([[0.7, 0.3], [0.4, 0.6]])),
        distrax.Normal(TWO, 1.0),
    )
    return model.forward(jnp.array([0.1, 1.2, 0.7])), model.viterbi(jnp.array([0.1, 1.2, 0.7]))


def gradients():
    def likelihood(mean, scale):
        mixture = distrax.MixtureSameFamily(MADE["categorical"], distrax.Normal(jnp.arange(3.0) + mean, scale))
        return mixture.log_prob(TWO).sum() + distrax.MultivariateNormalDiag(mean * TWO, scale * TWO).log_prob(TWO)

    def sampled(concentration):
        return distrax.Gamma(concentration, 2.0).sample(seed=KEY, sample_shape=(3,)).sum()

    spline = jax.grad(lambda p: distrax.RationalQuadraticSpline(p, -1.0, 1.0).forward(jnp.array(0.3)))
    return (
        jax.value_and_grad(likelihood, argnums=(0, 1))(0.3, 1.5),
        jax.grad(sampled)(3.0),
        spline(jnp.sin(jnp.arange(13.0))),
        jax.grad(lambda x: distrax.Normal(x, 1.0).kl_divergence(distrax.Normal(0.0, 2.0)))(0.5),
    )
