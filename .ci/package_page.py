#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Orders the page of the package, and the navigator beside all pages:

    .ci/package_page.py FOLDER

`docc merge` lists the modules by the alphabet. FOLDER is what it wrote; the groups, and the order in them, are those under "## Topics"
of the module BlueCap, which comes first, each module with the image of its page. A module in no group there is an error.
"""

import json
import os
import sys

FIRST = "doc://BlueCap/documentation/BlueCap"
FIRST_GROUP = "What an app imports"


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=False, separators=(",", ":"))


def groups(modules, landing):
    """The titles of groups, each with the identifiers of its modules."""
    found = [(FIRST_GROUP, [FIRST])]
    for section in landing["topicSections"]:
        members = [identifier for identifier in section["identifiers"] if identifier in modules]
        if members:
            found.append((section["title"], members))
    return found


def without(paths, nodes):
    """What the navigator lists in a module, but for other modules and for headings with nothing below them. It would take the
    first node with the path of a module for that module, and so show nothing beside its pages."""
    kept = []
    for node in [node for node in nodes if node.get("path") not in paths] + [{"type": "groupMarker"}]:
        if kept and node["type"] == kept[-1]["type"] == "groupMarker":
            kept.pop()
        kept.append(node)
    return kept[:-1]


def main():
    folder = sys.argv[1]
    page_path = os.path.join(folder, "data", "documentation.json")
    index_path = os.path.join(folder, "index", "index.json")
    page, index = read(page_path), read(index_path)
    landing = read(os.path.join(folder, "data", "documentation", "bluecap.json"))
    modules = {identifier for section in page["topicSections"] for identifier in section["identifiers"]}
    order = groups(modules, landing)
    listed = [identifier for _, members in order for identifier in members]
    lacking = sorted(modules - set(listed))
    if lacking or len(listed) != len(modules):
        sys.exit(f"error: under Topics of the module BlueCap there stand {len(listed)} of {len(modules)} modules: {lacking}")

    page["abstract"] = landing["abstract"]
    for identifier in listed:
        reference = page["references"][identifier]
        content = read(os.path.join(folder, "data", reference["url"].strip("/") + ".json"))
        reference["images"] = content["metadata"].get("images", [])
        for image in reference["images"]:
            page["references"][image["identifier"]] = content["references"][image["identifier"]]
    page["topicSections"] = [
        {"title": title, "anchor": title.replace(" ", "-").replace(",", ""), "identifiers": members} for title, members in order]
    write(page_path, page)

    root = index["interfaceLanguages"]["swift"][0]
    nodes = {node["path"]: node for node in root["children"] if node["type"] == "module"}
    for path, node in nodes.items():
        node["children"] = without(nodes.keys() - {path}, node.get("children", []))
    root["children"] = []
    for title, members in order:
        root["children"].append({"type": "groupMarker", "title": title})
        root["children"] += [nodes[page["references"][identifier]["url"]] for identifier in members]
    write(index_path, index)
    print(f"{len(listed)} modules in {len(order)} groups")


main()
