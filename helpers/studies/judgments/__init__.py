"""Study 6: what a reader's own judgments are worth."""
