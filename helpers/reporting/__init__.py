"""What readers are shown: verdicts and figures, made from tables."""
