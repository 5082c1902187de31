"""A page of HTML taken apart, for tests of what it loads and where it leads."""

import re
from html.parser import HTMLParser


class Parsed(HTMLParser):
    """Every element of a page with its attributes, and the elements that it stands in."""

    def __init__(self, page):
        super().__init__()
        self.elements, self.open = [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes), [*self.open]))
        if tag not in ("img", "meta", "br", "hr", "input"):
            self.open.append(tag if "class" not in dict(attributes) else f"{tag}.{dict(attributes)['class']}")

    def handle_endtag(self, tag):
        if any(each.partition(".")[0] == tag for each in self.open):
            while self.open.pop().partition(".")[0] != tag:
                pass

    def __getitem__(self, tag):
        return [(attributes, inside) for name, attributes, inside in self.elements if name == tag]

    @property
    def names(self):
        """What its elements are called, which a link may lead to."""
        return {attributes["id"] for _, attributes, _ in self.elements if "id" in attributes}

    @property
    def links(self):
        return [attributes["href"] for attributes, _ in self["a"]]


def loaded(page):
    """What a page has fetched to be shown: scripts, styles, images, fonts; data in the page itself is none."""
    parsed = Parsed(page)
    sources = [
        value
        for _, attributes, _ in parsed.elements
        for name, value in attributes.items()
        if name in ("src", "srcset", "data")
    ]
    styles = re.findall(r"url\(([^)]*)\)|@import([^;]*);", "".join(re.findall(r"<style.*?</style>", page, re.DOTALL)))
    return [*(each for each in sources if not each.startswith("data:")), *styles, *parsed["script"], *parsed["link"]]
