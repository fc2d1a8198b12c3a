"""Programs of libraries of JAX, and what they return on JAX."""
