"""ott: Sinkhorn's algorithm."""

import jax
import jax.numpy as jnp
from ott.geometry import costs, geometry, grid, pointcloud
from ott.initializers.linear import initializers
from ott.problems.linear import barycenter_problem, linear_problem
from ott.solvers import linear, quadratic
from ott.solvers.linear import acceleration, continuous_barycenter, sinkhorn, sinkhorn_lr
from ott.solvers.linear.implicit_differentiation import ImplicitDiff
from ott.tools import k_means, sinkhorn_divergence, soft_sort
from ott.tools.gaussian_mixture import gaussian

PACKAGES = "ott-jax"
X = jax.random.normal(jax.random.key(0), (6, 2))
Y = jax.random.normal(jax.random.key(1), (5, 2)) + 1.0


def _summary(out):
    return out.reg_ot_cost, out.matrix, out.f, out.g, out.converged


def point_clouds():
    problem = linear_problem.LinearProblem(pointcloud.PointCloud(X, Y, epsilon=0.5))
    return _summary(sinkhorn.Sinkhorn()(problem)), _summary(sinkhorn.Sinkhorn(lse_mode=False)(problem))


def costs_and_weights():
    weights = jnp.arange(1.0, 7.0) / 21
    return [
        _summary(linear.solve(pointcloud.PointCloud(X, Y, cost_fn=cost, epsilon=0.5), a=weights))
        for cost in (costs.Euclidean(), costs.PNormP(1.5), costs.Cosine())
    ]


def cost_matrices_and_grids():
    matrix = jnp.abs(X[:, :1] - Y[:, 0])
    line = grid.Grid(grid_size=(4, 3), epsilon=0.2)
    return _summary(linear.solve(geometry.Geometry(matrix, epsilon=0.3))), linear.solve(line).reg_ot_cost


def divergences_and_sorting():
    x = X[:, 0]
    return (
        sinkhorn_divergence.sinkhorn_divergence(pointcloud.PointCloud, X, Y, epsilon=0.5)[0],
        soft_sort.sort(x, epsilon=0.1), soft_sort.ranks(x, epsilon=0.1), soft_sort.quantile(x, q=0.5, epsilon=0.1),
    )  # fmt: skip


def unbalanced_and_accelerated():
    problem = linear_problem.LinearProblem(pointcloud.PointCloud(X, Y, epsilon=0.5))
    options = (
        {"momentum": acceleration.Momentum(value=1.1)}, {"anderson": acceleration.AndersonAcceleration(memory=3)}, {"initializer": initializers.GaussianInitializer()},
        {"parallel_dual_updates": True},
    )  # fmt: skip
    return linear.solve(problem.geom, tau_a=0.8, tau_b=0.9).reg_ot_cost, [
        sinkhorn.Sinkhorn(**one)(problem).reg_ot_cost for one in options
    ]


def low_rank_and_quadratic():
    low_rank = sinkhorn_lr.LRSinkhorn(rank=2, max_iterations=50)(linear_problem.LinearProblem(pointcloud.PointCloud(X, Y)))
    return low_rank.reg_ot_cost, quadratic.solve(pointcloud.PointCloud(X), pointcloud.PointCloud(Y), epsilon=0.5).reg_gw_cost


def barycenters_and_clusters():
    problem = barycenter_problem.FreeBarycenterProblem(
        jnp.concatenate([X, Y]), jnp.array([1 / 6] * 6 + [1 / 5] * 5), num_per_segment=(6, 5)
    )
    solver = continuous_barycenter.FreeWassersteinBarycenter(linear_solver=sinkhorn.Sinkhorn(), max_iterations=2)
    return (
        solver(problem, bar_size=3, x_init=X[:3]).x,
        k_means.k_means(X, 2).assignment,
        gaussian.Gaussian.from_samples(X).log_prob(X),
    )


def derivatives():
    def cost(x, epsilon=0.5):
        return linear.solve(pointcloud.PointCloud(x, Y, epsilon=epsilon)).reg_ot_cost

    def divergence(x):
        return sinkhorn_divergence.sinkhorn_divergence(pointcloud.PointCloud, x, Y, epsilon=0.5)[0]

    def unrolled(x):
        solver = sinkhorn.Sinkhorn(implicit_diff=None, min_iterations=10, max_iterations=10)
        return solver(linear_problem.LinearProblem(pointcloud.PointCloud(x, Y, epsilon=0.5))).reg_ot_cost

    return [jax.grad(f)(X) for f in (cost, divergence, unrolled)], jax.grad(cost, 1)(X, 0.5)


def derivatives_of_sorting():
    x = jax.random.uniform(jax.random.key(2), (2, 8))
    ridge = ImplicitDiff(solver_kwargs={"ridge_identity": 0.1, "ridge_kernel": 0.1})

    def loss(x):
        return jnp.sum(jnp.sin(soft_sort.ranks(x, epsilon=0.1, implicit_diff=ridge)))

    return jax.grad(loss)(x), jax.jit(jax.grad(loss))(x)
