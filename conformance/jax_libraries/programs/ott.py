"""ott: Sinkhorn's algorithm."""

import jax
import jax.numpy as jnp
from ott.geometry import costs, geometry, grid, pointcloud
from ott.problems.linear import linear_problem
from ott.solvers import linear
from ott.solvers.linear import sinkhorn

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
        _summary(linear.solve(pointcloud.PointCloud(X, Y, cost_fn=cost, epsilon=0.5), a=weights)) for cost in (costs.Euclidean(), costs.PNormP(1.5), costs.Cosine())
    ]


def cost_matrices_and_grids():
    matrix = jnp.abs(X[:, :1] - Y[:, 0])
    line = grid.Grid(grid_size=(4, 3), epsilon=0.2)
    return _summary(linear.solve(geometry.Geometry(matrix, epsilon=0.3))), linear.solve(line).reg_ot_cost
