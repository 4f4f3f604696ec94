"""Numbers that callers give: checked here, so that the message names the argument."""
import math
import operator

from ._errors import UsageError

LARGEST_SEED = 2**64 - 1
MOST_THREADS = 1024


def whole_number(name, value, least, most=2**31 - 1):
    """`value` as an int, any kind of integer."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool) or not least <= number <= most:
        raise UsageError(f"{name}={value!r}: a whole number, {least} to {most}")
    return number


def number(name, value, least=0.0, most=math.inf):
    """`value` as a float."""
    try:
        real = float(value)
    except (TypeError, ValueError):
        real = math.nan
    if not least <= real <= most:
        raise UsageError(f"{name}={value!r}: a number, {least:g} to {most:g}" if most < math.inf else
                         f"{name}={value!r}: a number, {least:g} or more")
    return real
