"""Who judges, how well judges agree, what their errors do, and ways to use several labels."""
