"""How old figures are: the commit that a page names for them, and the last commit that changed the code they depend on.

Without a history of git, as in a plain copy of the tree, all of this comes from the file that `release --stamp` wrote.
"""
import json
import os
import subprocess

import figures

STAMP = "release-stamp.json"  # in the top folder of the tree
LAST = "tools/release/last.json"  # the result of the last release: dates what no page dates


class Files:
    """What figures are looked for in: the page of a promise, and the output of its command."""

    def __init__(self, root, page, folder=None):
        self.root, self.name, self.folder = root, page, folder

    def page(self):
        with open(os.path.join(self.root, self.name), encoding="utf-8") as f:
            return f.read()

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8", errors="replace") as f:
            return f.read()


NAMED = r"(?:commit|version) `?([0-9a-f]{7})\b"  # how a page names the commit of a table


def read_json(path):
    try:
        with open(path, encoding="utf-8") as f:
            return json.load(f)
    except (OSError, ValueError):
        return {}


def found_on(place, files):
    """The text of the page that a figure is read from; None where the figure does not stand on the page."""
    if not isinstance(place, (figures.Text, figures.Cell)):
        return None
    try:
        return place.find(files)[1]
    except figures.Missing:
        return None


class Ages:
    def __init__(self, root):
        self.root, self.known, self.blamed, self.stamp = root, {}, {}, None
        self.last = {r["name"]: r for r in read_json(os.path.join(root, LAST)).get("results", []) if r["state"] == "passed"}
        if not self.git("rev-parse", "--git-dir"):
            self.stamp = read_json(os.path.join(root, STAMP))

    def git(self, *arguments):
        """What git prints, without the last line feed; "" where it fails, or where the tree is a folder of another repository."""
        own = {**os.environ, "GIT_CEILING_DIRECTORIES": os.path.dirname(self.root)}
        try:
            done = subprocess.run(["git", "-C", self.root, *arguments], capture_output=True, text=True, env=own)
        except OSError:
            return ""
        return done.stdout.rstrip("\n") if done.returncode == 0 else ""

    def commit(self):
        """Commit and date of the tree; "+" behind the commit of a tree with changes."""
        if self.stamp is not None:
            return self.stamp.get("about", {})
        about = self.named("HEAD")
        if about and self.git("status", "--porcelain", "--untracked-files=no"):
            about["commit"] += "+"
        return about

    def named(self, commit):
        words = self.git("log", "-1", "--format=%h %cs", commit).split() if commit else []
        return dict(zip(("commit", "date"), words))

    def made(self, promise):
        """Commit of the figures on the page. The page names it: where the expression `made` of the promise matches, or between the words
        that a table is found by and the row. Otherwise it is the newest commit that wrote a line in which a figure stands, which may be
        later than the computation. Where no figure stands on the page: the commit of the last release in which the promise passed."""
        if self.stamp is not None:
            return self.stamp.get("promises", {}).get(promise["name"], {}).get("made", {})
        files = Files(self.root, promise["page"])
        try:
            page = files.page()
        except OSError:
            return {}
        if promise.get("made"):
            found = figures.last_match(promise["made"], page)
            return self.named(next(filter(None, found.groups()))) if found else {}
        named, written = set(), set()
        for place in (figure["then"] for figure in promise["figures"]):
            text = found_on(place, files)
            if text:
                begin = page.find(place.after) if isinstance(place, figures.Cell) else page.find(text)
                end = page.find(text, begin) + len(text)
                found = figures.last_match(NAMED, page[begin:end])
                named.update(found.groups() if found else ())
                written.add(page[:end].count("\n"))
        if not written:
            return self.named(self.last.get(promise["name"], {}).get("commit", "").rstrip("+"))
        blame = self.blame(promise["page"])
        dated = [self.named(commit) for commit in named] or [self.named(blame[n].lstrip("^")) for n in written if n < len(blame)]
        newest = max(dated, key=lambda d: d.get("date", ""), default={})
        return newest if named else {**newest, "latest": True}

    def blame(self, page):
        """The commit of each line of a page."""
        if page not in self.blamed:
            self.blamed[page] = [line.split()[0] for line in self.git("blame", "-s", "--", page).splitlines()]
        return self.blamed[page]

    def changed(self, promise):
        """The last commit that changed the code; pages do not count."""
        if self.stamp is not None:
            return self.stamp.get("promises", {}).get(promise["name"], {}).get("changed", {})
        words = self.git("log", "-1", "--format=%h %cs", "--", *promise["code"], ":(exclude)*.md").split()
        return dict(zip(("commit", "date"), words))

    def of(self, promise):
        """made, changed, and whether the figure is older than the code (None: not known)."""
        if promise["name"] not in self.known:
            self.known[promise["name"]] = self.compared(promise)
        return self.known[promise["name"]]

    def compared(self, promise):
        if self.stamp is not None:
            return self.stamp.get("promises", {}).get(promise["name"], {"made": {}, "changed": {}, "older": None})
        made, changed = self.made(promise), self.changed(promise)
        older = None
        if made.get("commit") and changed.get("commit"):
            older = self.git("merge-base", changed["commit"], made["commit"])[:7] != self.git("rev-parse", changed["commit"])[:7]
        return {"made": made, "changed": changed, "older": older}

    def write(self, promises):
        """The stamp for copies of the tree."""
        path = os.path.join(self.root, STAMP)
        with open(path, "w", encoding="utf-8") as f:
            json.dump({"about": self.commit(), "promises": {p["name"]: self.of(p) for p in promises}}, f, indent=1)
        return path
