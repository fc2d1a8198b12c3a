"""Products of arrays, and what linear algebra shares with polynomials and calculus."""
