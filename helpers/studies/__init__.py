"""The six studies, a folder each: protocol, runs, tables, findings; and what all have, the guide and the ledger."""
