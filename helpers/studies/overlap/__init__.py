"""Study 1: overlapping labels (Yang, Mityagin, Svore and Markov 2010)."""
