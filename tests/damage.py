"""Files as they are after something went wrong with them."""

import numpy as np


def damaged(content: bytes, rng: np.random.Generator) -> bytes:
    """The content with one thing wrong: a bit, a byte, a stretch lost, doubled, zeroed or moved, or the end missing."""
    return KINDS[rng.integers(len(KINDS))](content, rng)


def _flip(content, rng):
    at = rng.integers(len(content))
    return content[:at] + bytes([content[at] ^ (1 << rng.integers(8))]) + content[at + 1 :]


def _other_byte(content, rng):
    at = rng.integers(len(content))
    return content[:at] + bytes([rng.integers(256)]) + content[at + 1 :]


def _cut(content, rng):
    return content[: rng.integers(len(content))]


def _stretch(content, rng):
    start = rng.integers(len(content))
    return start, start + rng.integers(1, 1 + max(1, len(content) // 8))


def _lose(content, rng):
    start, stop = _stretch(content, rng)
    return content[:start] + content[stop:]


def _double(content, rng):
    start, stop = _stretch(content, rng)
    return content[:stop] + content[start:stop] + content[stop:]


def _zero(content, rng):
    start, stop = _stretch(content, rng)
    return content[:start] + bytes(len(content[start:stop])) + content[stop:]


def _move(content, rng):
    start, stop = _stretch(content, rng)
    rest, at = content[:start] + content[stop:], rng.integers(len(content))
    return rest[:at] + content[start:stop] + rest[at:]


KINDS = [_flip, _flip, _flip, _other_byte, _cut, _lose, _double, _zero, _move]
