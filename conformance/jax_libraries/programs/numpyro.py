"""numpyro: distributions, handlers, prior and posterior predictions."""

import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
import optax
from numpyro import handlers
from numpyro.infer import AIES, ESS, HMC, MCMC, NUTS, SA, SVI, Predictive, Trace_ELBO, autoguide, log_likelihood
from numpyro.infer.util import log_density

PACKAGES = "numpyro"
KEY = jax.random.PRNGKey(0)
TWO = jnp.array([0.5, 1.5])
MATRIX = jnp.array([[2.0, 0.5], [0.5, 1.0]])
DISTRIBUTIONS = {
    "bernoulli": dist.Bernoulli(0.3), "beta": dist.Beta(2.0, 3.0), "binomial": dist.Binomial(10, 0.4), "categorical": dist.Categorical(jnp.array([0.2, 0.3, 0.5])),
    "cauchy": dist.Cauchy(0.0, 2.0), "chi2": dist.Chi2(3.0), "dirichlet": dist.Dirichlet(jnp.array([1.0, 2.0, 3.0])), "exponential": dist.Exponential(2.0),
    "gamma": dist.Gamma(2.0, 3.0), "geometric": dist.Geometric(0.3), "gumbel": dist.Gumbel(0.0, 1.0), "half_cauchy": dist.HalfCauchy(1.0), "half_normal": dist.HalfNormal(2.0),
    "inverse_gamma": dist.InverseGamma(3.0, 2.0), "kumaraswamy": dist.Kumaraswamy(2.0, 3.0), "laplace": dist.Laplace(0.0, 1.0), "lkj_cholesky": dist.LKJCholesky(3, 1.5),
    "log_normal": dist.LogNormal(0.0, 1.0), "logistic": dist.Logistic(0.0, 1.0), "low_rank": dist.LowRankMultivariateNormal(jnp.zeros(2), jnp.ones((2, 1)), TWO),
    "mixture": dist.MixtureSameFamily(dist.Categorical(jnp.array([0.4, 0.6])), dist.Normal(TWO, 1.0)), "multinomial": dist.Multinomial(5, jnp.array([0.2, 0.3, 0.5])),
    "multivariate_normal": dist.MultivariateNormal(jnp.zeros(2), MATRIX), "negative_binomial": dist.NegativeBinomial2(3.0, 2.0), "normal": dist.Normal(1.0, 2.0),
    "pareto": dist.Pareto(1.0, 2.0), "poisson": dist.Poisson(3.0), "student_t": dist.StudentT(4.0), "truncated_normal": dist.TruncatedNormal(0.0, 1.0, low=-1.0, high=2.0),
    "uniform": dist.Uniform(-1.0, 2.0), "von_mises": dist.VonMises(0.0, 2.0), "weibull": dist.Weibull(1.0, 2.0), "zero_inflated_poisson": dist.ZeroInflatedPoisson(0.3, 2.0),
    "asymmetric_laplace": dist.AsymmetricLaplace(0.0, 1.0, 1.0), "beta_binomial": dist.BetaBinomial(2.0, 3.0, 10), "beta_proportion": dist.BetaProportion(0.3, 4.0),
    "delta": dist.Delta(1.0), "dirichlet_multinomial": dist.DirichletMultinomial(jnp.ones(3), 5), "discrete_uniform": dist.DiscreteUniform(0, 5), "gamma_poisson": dist.GammaPoisson(2.0, 1.0),
    "random_walk": dist.GaussianRandomWalk(1.0, 4), "gompertz": dist.Gompertz(1.0, 1.0), "levy": dist.Levy(0.0, 1.0), "lkj": dist.LKJ(3, 1.5), "log_uniform": dist.LogUniform(1.0, 3.0),
    "matrix_normal": dist.MatrixNormal(jnp.zeros((2, 2)), jnp.eye(2), jnp.eye(2)), "multivariate_student_t": dist.MultivariateStudentT(4.0, jnp.zeros(2), jnp.eye(2)),
    "ordered_logistic": dist.OrderedLogistic(0.3, jnp.array([-1.0, 1.0])), "projected_normal": dist.ProjectedNormal(jnp.ones(2)), "soft_laplace": dist.SoftLaplace(0.0, 1.0),
    "wishart_cholesky": dist.WishartCholesky(4.0, scale_tril=jnp.eye(2)), "zero_inflated_negative_binomial": dist.ZeroInflatedNegativeBinomial2(3.0, 2.0, gate=0.3),
    "independent": dist.Normal(TWO, 1.0).to_event(1), "transformed": dist.TransformedDistribution(dist.Normal(0.0, 1.0), dist.transforms.ExpTransform()),
}  # fmt: skip


def samples():
    return {name: one.sample(KEY, (3,)) for name, one in DISTRIBUTIONS.items()}


def log_probabilities():
    return {name: one.log_prob(one.sample(KEY, (3,))) for name, one in DISTRIBUTIONS.items()}


def moments():
    return {
        name: (DISTRIBUTIONS[name].mean, DISTRIBUTIONS[name].variance)
        for name in ("beta", "gamma", "normal", "poisson", "student_t", "uniform")
    }


def distribution_functions():
    return [DISTRIBUTIONS[name].cdf(0.7) for name in ("normal", "laplace", "logistic", "uniform", "exponential", "weibull")]


def divergences():
    return dist.kl_divergence(dist.Normal(0.0, 1.0), dist.Normal(1.0, 2.0)), dist.kl_divergence(
        dist.Gamma(2.0, 3.0), dist.Gamma(1.0, 1.0)
    )


def _model(x, y=None):
    slope = numpyro.sample("slope", dist.Normal(0.0, 1.0))
    noise = numpyro.sample("noise", dist.HalfNormal(1.0))
    with numpyro.plate("data", len(x)):
        return numpyro.sample("y", dist.Normal(numpyro.deterministic("line", slope * x), noise), obs=y)


def predictions():
    x = jnp.linspace(0, 1, 4)
    prior = Predictive(_model, num_samples=5)(KEY, x)
    posterior = {"slope": jnp.array([1.0, 2.0]), "noise": jnp.array([0.1, 0.2])}
    return prior, Predictive(_model, posterior)(KEY, x)


def densities():
    x = jnp.linspace(0, 1, 4)
    density, _ = log_density(_model, (x, 2 * x), {}, {"slope": 1.0, "noise": 0.5})
    conditioned = handlers.trace(handlers.seed(handlers.condition(_model, {"slope": 1.5}), KEY)).get_trace(x)
    return density, {name: site["value"] for name, site in conditioned.items() if site["type"] == "sample"}


def scanned():
    from numpyro.contrib.control_flow import scan

    def step(carry, _):
        carry = numpyro.sample("state", dist.Normal(carry, 0.1))
        return carry, carry

    return handlers.seed(lambda: scan(step, 0.0, None, length=4), KEY)()


def _sampled(kernel, **options):
    mcmc = MCMC(kernel, num_warmup=3, num_samples=3, progress_bar=False, **options)
    mcmc.run(KEY, jnp.linspace(0, 1, 4), jnp.linspace(0, 2, 4))
    return mcmc.get_samples()


def samplers_without_gradients():
    ensemble = {"num_chains": 6, "chain_method": "vectorized"}
    return [_sampled(SA(_model)), _sampled(AIES(_model), **ensemble), _sampled(ESS(_model), **ensemble)]


def samplers_with_gradients():
    return [
        _sampled(HMC(_model, num_steps=5, step_size=0.1, adapt_step_size=False)),
        _sampled(NUTS(_model)),
        _sampled(NUTS(_model, dense_mass=True), num_chains=2, chain_method="vectorized"),
    ]


def objectives():
    def guide(x, y=None):
        numpyro.sample("slope", dist.Normal(0.0, 1.0))
        numpyro.sample("noise", dist.HalfNormal(1.0))

    x = jnp.linspace(0, 1, 4)
    posterior = {"slope": jnp.array([1.0, 2.0]), "noise": jnp.array([0.1, 0.2])}
    return Trace_ELBO(3).loss(KEY, {}, _model, guide, x, 2 * x), log_likelihood(_model, posterior, x, 2 * x)


def transforms():
    x, t = jnp.array([0.3, -0.2, 0.5]), dist.transforms
    made = (
        t.ExpTransform(),
        t.SigmoidTransform(),
        t.AffineTransform(1.0, 2.0),
        t.StickBreakingTransform(),
        t.SoftplusTransform(),
        t.OrderedTransform(),
        t.CorrCholeskyTransform(),
    )
    c = dist.constraints
    found = [
        dist.biject_to(one)(x)
        for one in (c.positive, c.unit_interval, c.simplex, c.ordered_vector, c.corr_cholesky, c.lower_cholesky)
    ]
    return [(one(x), one.log_abs_det_jacobian(x, one(x))) for one in made], found


def gradients_of_densities():
    names = "beta dirichlet gamma normal student_t von_mises weibull multivariate_normal".split()
    x = {name: DISTRIBUTIONS[name].sample(KEY) for name in names}
    return {name: jax.grad(DISTRIBUTIONS[name].log_prob)(x[name]) for name in names}


def fitted():
    optim, found = numpyro.optim, {}
    for optimizer in (optim.optax_to_numpyro(optax.adam(1e-1)), optim.Adam(1e-1), optim.ClippedAdam(1e-1), optim.RMSProp(1e-2)):
        svi = SVI(_model, autoguide.AutoNormal(_model), optimizer, Trace_ELBO())
        out = svi.run(KEY, 3, jnp.linspace(0, 1, 4), jnp.linspace(0, 2, 4), progress_bar=False)
        found[type(optimizer).__name__] = (out.params, out.losses)
    return found


def relations():
    found = numpyro.infer.inspect.get_model_relations(_model, (jnp.ones(4),))
    return {name: sorted(found[name]) for name in ("sample_param", "plate_sample") if name in found}


LACKS = {
    "example_libraries.stax": {
        "guides of flows": lambda: SVI(
            _model, autoguide.AutoIAFNormal(_model), numpyro.optim.Adam(1e-2), Trace_ELBO()
        ).init(KEY, jnp.linspace(0, 1, 4), jnp.linspace(0, 2, 4)),
    },
}
