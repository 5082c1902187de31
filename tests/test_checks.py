import pytest

from helpers import checks


def test_what_is_allowed_passes():
    checks.one_of("good", 2, [1, 2])


@pytest.mark.parametrize("value", ["stduy", None, 3, ["demo"]])
def test_a_refusal_names_argument_value_and_choices(value):
    with pytest.raises(ValueError, match=r"expected one of demo, study$") as refusal:
        checks.one_of("scale", value, ["demo", "study"])
    assert str(refusal.value).startswith(f"scale is {value!r},")
