"""The four studies, a folder each: protocol, trial, runs, tables, claims."""
