"""Where a figure stands: in what a command printed or wrote, or on a page; and whether the two agree.

A place has find(files): the figure as a number, and the text that it was read from. `files` has read(name) for the output of
the command and page(name) for the pages. Missing: the figure is not there.
"""
import csv
import io
import json
import re

NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?: \d{3})+(?!\d)|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?")


class Missing(Exception):
    """There is no such figure."""


def number(text, nth=0):
    found = NUMBER.findall(text.replace("**", ""))
    if len(found) <= nth:
        raise Missing(f"'{text.strip()}' has no number {nth + 1}")
    return float(found[nth].replace(" ", ""))


class Said:
    """The last match of a regular expression in the output, or in another file of the command; its first group is the figure. A
    blank of the expression stands for any white space."""

    def __init__(self, pattern, file="log"):
        self.pattern, self.file = pattern, file

    def find(self, files):
        found = last_match(self.pattern, files.read(self.file))
        if not found:
            raise Missing(f"'{self.pattern}' is not in {self.file}")
        return number(found.group(1)), found.group(0)


class Count:
    """How often a regular expression matches in a file of the command."""

    def __init__(self, pattern, file="log"):
        self.pattern, self.file = pattern, file

    def find(self, files):
        found = len(re.findall(self.pattern, files.read(self.file), re.MULTILINE))
        return float(found), str(found)


class Column:
    """The value of a column in the last line of a CSV file, of the lines that have the given values in other columns."""

    def __init__(self, file, column, **where):
        self.file, self.column, self.where = file, column, where

    def find(self, files):
        rows = [row for row in csv.DictReader(io.StringIO(files.read(self.file)))
                if all(same(row.get(name), value) for name, value in self.where.items())]
        if not rows or rows[-1].get(self.column) is None:
            raise Missing(f"{self.file} has no {self.column} with {self.where}")
        return number(rows[-1][self.column]), rows[-1][self.column]


class Key:
    """A value of a JSON file, as last.mass_in_kg_s or walls.blade.friction.0: an element of a list is named by its number or by its
    "name"."""

    def __init__(self, file, key):
        self.file, self.key = file, key

    def find(self, files):
        value = json.loads(files.read(self.file))
        for name in self.key.split("."):
            try:
                if isinstance(value, list) and not name.isdigit():
                    value = next(element for element in value if element.get("name") == name)
                else:
                    value = value[int(name) if isinstance(value, list) else name]
            except (KeyError, IndexError, TypeError, StopIteration):
                raise Missing(f"{self.file} has no {self.key}") from None
        if not isinstance(value, (int, float)):
            raise Missing(f"{self.key} of {self.file} is {value}")
        return float(value), str(value)


class Over:
    """One figure over another, or over a number."""

    def __init__(self, upper, lower):
        self.upper, self.lower = upper, lower

    def find(self, files):
        upper = self.upper.find(files)[0]
        lower = self.lower if isinstance(self.lower, (int, float)) else self.lower.find(files)[0]
        return upper / lower, f"{upper:g} / {lower:g}"


class Wanted:
    """A number that a promise asks for, which is no result."""

    def __init__(self, value):
        self.value = float(value)

    def find(self, files):
        return self.value, f"{self.value:g}"


class Text:
    """The first group of the last match of a regular expression on the page; a blank stands for any white space."""

    def __init__(self, pattern):
        self.pattern = pattern

    def find(self, files):
        found = last_match(self.pattern, files.page())
        if not found:
            raise Missing(f"'{self.pattern}' is not on the page")
        return number(found.group(1)), found.group(0)


class Cell:
    """A cell of a table of the page: of the first table behind the words `after` that has the row and the column. The row is
    named by its first cell, or by several cells in their order; of a cell with several numbers, number `nth` counts."""

    def __init__(self, after, row, column, nth=0):
        self.after, self.row, self.column, self.nth = after, row if isinstance(row, tuple) else (row,), column, nth

    def find(self, files):
        text = files.page()
        begin = text.find(self.after)
        if begin < 0:
            raise Missing(f"'{self.after}' is not on the page")
        head = None
        for line in text[begin:].splitlines():
            if not line.strip().startswith("|"):
                head = None
                continue
            cells = [cell.strip().replace("**", "") for cell in line.strip().strip("|").split("|")]
            head = head or cells
            if self.column in head and tuple(cells[:len(self.row)]) == self.row and cells is not head:
                return number(cells[head.index(self.column)], self.nth), line
        raise Missing(f"no table behind '{self.after}' has the row {', '.join(self.row)} and the column {self.column}")


def last_match(pattern, text):
    """The last match of an expression whose blanks stand for any white space; None where there is none."""
    found = None
    for found in re.finditer(pattern.replace(" ", r"\s+"), text, re.MULTILINE):
        pass
    return found


def same(text, value):
    try:
        return abs(float(text) - float(value)) <= 1e-9 * abs(float(value))
    except (TypeError, ValueError):
        return text == str(value)


def agrees(figure, then, now):
    """Is the figure of now that of the page, within its tolerance, or better?"""
    better = figure.get("better")
    if better == "more" and now >= then or better == "less" and now <= then:
        return True
    return abs(now - then) <= figure.get("by", 0) + figure.get("within", 0) * abs(then) + 1e-12 * abs(then)


def look(figure, files):
    """The figure as a row of the result: then, now, whether they agree, and what is missing."""
    row = {"figure": figure["name"], "then": None, "now": None, "agrees": False}
    try:
        row["then"] = figure["then"].find(files)[0]
        row["now"] = figure["now"].find(files)[0] * figure.get("scale", 1)
        row["agrees"] = agrees(figure, row["then"], row["now"])
    except (Missing, OSError, ValueError, ZeroDivisionError) as e:
        row["missing"] = str(e)
    return row
