"""Ways in which a file is damaged on its way: each takes the text and returns the text or bytes that arrive."""

import gzip
import re


def lines(change):
    """A damage to the list of lines."""
    return lambda text: "\n".join(change(text.split("\n")))


def middle(items):
    return len([item for item in items if item.strip()]) // 2


def without_field(text):
    """The second field of the middle line lost."""
    rows = text.split("\n")
    place = middle(rows)
    rows[place] = re.sub(r"([,;\t ])[^,;\t ]*[,;\t ]+", r"\1", rows[place], count=1)
    return "\n".join(rows)


def on_line(change):
    def changed(text):
        rows = text.split("\n")
        place = middle(rows)
        rows[place] = change(rows[place])
        return "\n".join(rows)

    return changed


HARMLESS = {
    "line ends of Windows": lambda text: text.replace("\n", "\r\n"),
    "line ends of old systems": lambda text: text.replace("\n", "\r"),
    "line ends of mainframes": lambda text: text.replace("\n", "\u0085"),
    "line separators of Unicode": lambda text: text.replace("\n", "\u2028"),
    "a byte order mark": lambda text: "\ufeff" + text,
    "blank lines": lambda text: text.replace("\n", "\n\n"),
    "blanks at the end": lambda text: text.rstrip("\n") + "\n\n\n",
    "no end of line": lambda text: text.rstrip("\n"),
    "packed": lambda text: gzip.compress(text.encode()),
}
REFUSED = {
    "UTF-16": lambda text: text.encode("utf-16"),
    "Latin-1": lambda text: on_line(lambda row: "Ä" + row)(re.sub("[äö]", "", text)).encode("latin-1"),
    "a zero byte": on_line(lambda row: row + "\0"),
    "packed and cut": lambda text: gzip.compress(text.encode())[:-12],
    "empty": lambda text: "",
}
DAMAGED = {
    "cut in the middle": lambda text: text[: len(text) // 2],
    "cut before the end": lambda text: text.rstrip()[:-1],
    "first line lost": lines(lambda rows: rows[1:]),
    "first line doubled": lines(lambda rows: [rows[0], *rows]),
    "middle line lost": lines(lambda rows: rows[: middle(rows)] + rows[middle(rows) + 1 :]),
    "middle line doubled": lines(lambda rows: rows[: middle(rows)] + rows[middle(rows) :][:1] + rows[middle(rows) :]),
    "two lines joined": lines(lambda rows: [*rows[:1], rows[1] + rows[2], *rows[3:]]),
    "lines reversed": lines(lambda rows: [rows[0], *rows[:0:-1]]),
    "a field lost": without_field,
    "a quote opened": on_line(lambda row: '"' + row),
    "a separator more": on_line(lambda row: re.sub("([,;\t ])", r"\1\1", row, count=1)),
    "another separator in a line": on_line(lambda row: row.replace(",", ";") if "," in row else row.replace(";", ",")),
    "another separator everywhere": lambda text: text.replace(",", "|"),
    "a line of another file": lines(lambda rows: [*rows[:2], "7 0 d9 1", *rows[2:]]),
    "names in capitals": lines(lambda rows: [rows[0].upper(), *rows[1:]]),
    "no blanks": lambda text: text.replace(" ", ""),
    "no quotes": lambda text: text.replace('"', ""),
    "no brackets": lambda text: re.sub(r"[\[\]{}]", "", text),
}
