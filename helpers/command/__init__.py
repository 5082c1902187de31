"""The command `label-studies`: parameters, notebooks in batch, tables on a terminal."""

import sys

# jsonschema, which reads notebooks, would have its grammars built, 1.4 s of each command, for addresses none of which
# are in a notebook
sys.modules.setdefault("rfc3987_syntax", None)
