#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Opens the pages that `docs` of .ci/run made in a browser without a window, and looks at what it shows:

    .ci/pages.py FOLDER [--jobs N]

- the landing page, which is that of the module BlueCap: ten lines of code, the picture of the demo, and a link to each module;
- the page of the package: an image and a sentence for each module, in the order of the landing page;
- the page of each type that has one in a catalogue: it begins with an example, and its members stand in groups by task.

On none of them may a link lead to a page or to a place on a page that is not there, nor anything be asked for that the server does
not have. The navigator beside them must not list a module of Foundation's.
"""

import argparse
import concurrent.futures
import functools
import glob
import html.parser
import http.server
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import urllib.parse

TITLE = re.compile(r"^# ``([A-Za-z]+)/([A-Za-z]+)``$", re.MULTILINE)
# How DocC groups what a catalogue leaves out. What a type has for a protocol stays there, behind the groups of its page.
BY_KIND = {
    "Initializers", "Instance Methods", "Instance Properties", "Type Methods", "Type Properties", "Subscripts", "Operators", "Structures",
    "Classes", "Enumerations", "Enumeration Cases", "Type Aliases", "Extended Modules",
}
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class Page(html.parser.HTMLParser):
    """What stands on a page once its scripts have run, beside the navigator: links, identifiers, pictures, groups, and what its
    text consists of, in order: the names of elements, with the text of code."""

    def __init__(self, dom):
        super().__init__()
        self.links, self.identifiers, self.pictures, self.groups, self.cards, self.body = [], set(), [], [], [], []
        self.open, self.section = [], ""
        self.has_navigator = "No data available" not in dom
        self.feed(dom)

    def inside(self, *classes):
        return any(wanted in found for _, found in self.open for wanted in classes)

    def handle_starttag(self, tag, attributes):
        values = {name: value or "" for name, value in attributes}
        classes = values.get("class", "").split()
        self.identifiers.add(values.get("id", ""))
        is_main = values.get("id") == "app-main" or any(name == "main" for name, _ in self.open)
        if is_main and "href" in values and tag == "a":
            self.links.append(values["href"])
            if self.inside("topics-link-card-grid") or "card" in classes:
                self.cards.append([values["href"], False])
        if is_main and tag == "img":
            self.pictures.append(values.get("src", ""))
        if self.inside("card") and self.cards and (tag == "img" or "background-image" in values.get("style", "")):
            self.cards[-1][1] = True
        if self.inside("primary-content"):
            if "code-listing" in classes:
                self.body.append(["code", ""])
            elif tag in ("p", "ul", "ol", "table", "figure") and not self.inside("code-listing"):
                self.body.append([tag, ""])
        if tag == "h2":
            self.section = values.get("id", "")
        if "contenttable-title" in classes and self.section == "topics":
            self.groups.append("")
        if tag not in VOID:
            self.open.append((tag, classes))

    def handle_endtag(self, tag):
        for place in reversed(range(len(self.open))):
            if self.open[place][0] == tag:
                del self.open[place:]
                return

    def handle_data(self, data):
        if self.inside("code-listing") and self.body:
            self.body[-1][1] += data
        if self.inside("contenttable-title") and self.section == "topics":
            self.groups[-1] += data.strip()


class Handler(http.server.SimpleHTTPRequestHandler):
    """The server of static pages, which keeps what it did not have. A theme, for which the pages always ask, need not be there."""

    missing = []

    def log_message(self, *arguments):
        pass

    def send_error(self, code, message=None, explain=None):
        if self.path != "/theme-settings.json":
            Handler.missing.append(f"{self.path} ({code})")
        super().send_error(code, message, explain)


class Site:
    def __init__(self, folder, port):
        self.folder, self.port = folder, port

    def data(self, path):
        """The content of a page, or nothing."""
        name = urllib.parse.unquote(path).strip("/").lower()
        try:
            with open(os.path.join(self.folder, "data", name + ".json"), encoding="utf-8") as file:
                return json.load(file)
        except OSError:
            return None

    def opened(self, path):
        """The page in a browser, which has a folder of its own: two do not share one."""
        with tempfile.TemporaryDirectory() as profile:
            dom = subprocess.run(
                ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,1600",
                 f"--user-data-dir={profile}", "--virtual-time-budget=10000", "--dump-dom", f"http://127.0.0.1:{self.port}{path}"],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60, check=True).stdout
        return Page(dom.decode())

    def dead_links(self, path, page):
        for link in page.links:
            target = urllib.parse.urlsplit(urllib.parse.urljoin(f"http://127.0.0.1:{self.port}{path}", link))
            if target.netloc != f"127.0.0.1:{self.port}":
                continue
            anchor = urllib.parse.unquote(target.fragment)
            content = self.data(target.path)
            if content is None:
                yield f"a dead link to {link}"
            elif anchor and target.path.strip("/") == path.strip("/"):
                if anchor not in page.identifiers:
                    yield f"a dead link to {link}"
            elif anchor and anchor not in anchors(content):
                yield f"a dead link to {link}"


def anchors(value):
    """The places on a page that a link can lead to."""
    if isinstance(value, dict):
        own = {value["anchor"]} if isinstance(value.get("anchor"), str) else set()
        return own.union(*map(anchors, value.values()))
    return set().union(*map(anchors, value)) if isinstance(value, list) else set()


def landing_faults(page, modules):
    code = [text for kind, text in page.body if kind == "code"]
    lines = [line for line in code[0].split("\n") if line.strip()] if code else []
    if len(lines) != 10:
        yield f"{len(lines)} lines of code"
    if not any(picture.endswith("/demo.svg") for picture in page.pictures):
        yield f"no picture of the demo: {page.pictures}"
    yield from (f"no link to {module}" for module in modules if module not in page.links and module != "/documentation/bluecap")


def package_faults(page, order):
    shown = [link for link, _ in page.cards]
    if list(dict.fromkeys(shown)) != order:
        yield f"the modules stand there as {shown}"
    pictured = {link for link, has_image in page.cards if has_image}
    yield from (f"no image of {link}" for link in order if link not in pictured)


def type_faults(page):
    if not page.body or page.body[0][0] != "code":
        yield f"it begins with {page.body[0] if page.body else 'nothing'}, not with an example"
    if not set(page.groups) - BY_KIND - {"Default Implementations"}:
        yield "no groups by task"
    yield from (f"a group by kind: {group}" for group in page.groups if group in BY_KIND)


def foundation(nodes):
    """The modules of Foundation's that are listed."""
    for node in nodes:
        if node.get("title", "").startswith("Foundation"):
            yield node["title"]
        yield from foundation(node.get("children", []))


def types():
    """The paths of the types that have a page in the catalogue of their module."""
    for path in sorted(glob.glob("Sources/*/Documentation.docc/*.md")):
        with open(path, encoding="utf-8") as file:
            title = TITLE.match(file.readline().rstrip())
        if title and title.group(1) == path.split(os.sep)[1]:
            yield f"/documentation/{title.group(1)}/{title.group(2)}".lower()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=arguments.folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    site = Site(arguments.folder, server.server_address[1])
    package = site.data("documentation")
    order = [package["references"][name]["url"] for section in package["topicSections"] for name in section["identifiers"]]

    looks = {path: type_faults for path in types()}
    looks["/documentation/bluecap"] = functools.partial(landing_faults, modules=order)
    looks["/documentation"] = functools.partial(package_faults, order=order)

    def faults(path):
        page = site.opened(path + "/")
        navigator = [] if page.has_navigator else ["there is nothing in the navigator beside it"]
        return [*looks[path](page), *site.dead_links(path + "/", page), *navigator]

    results = {}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for path, found in zip(looks, pool.map(faults, looks)):
            results[path] = found
    with open(os.path.join(arguments.folder, "index", "index.json"), encoding="utf-8") as file:
        results["the navigator"] = [f"it lists {name}" for name in foundation(json.load(file)["interfaceLanguages"]["swift"])]
    results["the server"] = sorted({f"it does not have {path}" for path in Handler.missing})
    server.shutdown()

    for path, found in results.items():
        print(f"ok      {path}" if not found else f"FAILED  {path}: {'; '.join(found)}")
    failed = sum(map(bool, results.values()))
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
