"""JAX's own tests, and the cells of its documentation."""
