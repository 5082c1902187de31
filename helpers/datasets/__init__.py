"""Collections of judged documents: read, found by name, sampled, portrayed and drawn."""
