"""What the tables of study 3 say: sentences and titles of figures, computed, so that they hold for any data."""

from helpers.studies.robustness.findings._explained import ahead, colleague, hangs, live, of_data_sets
from helpers.studies.robustness.findings._kept import gained, gap, near_turning, off_curve, tied, turning
from helpers.studies.robustness.findings._noise import exact, labelling, reaching, shapes
from helpers.studies.robustness.findings._sizes import sizes, sizes_in_words

__all__ = [
    "ahead",
    "colleague",
    "exact",
    "gained",
    "gap",
    "hangs",
    "labelling",
    "live",
    "near_turning",
    "of_data_sets",
    "off_curve",
    "reaching",
    "shapes",
    "sizes",
    "sizes_in_words",
    "tied",
    "turning",
]
