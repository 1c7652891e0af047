# SPDX-License-Identifier: MIT
"""The textual interfaces of the standard library, as the toolchain for Linux has them, for another platform."""

import re

# In the order of their imports.
INTERFACES = ("Swift", "SwiftOnoneSupport", "_Concurrency", "_StringProcessing")
# With Objective-C the compiler wants three declarations more: a type before it passes any `&value` to C, and two functions before it
# turns an error of a generic type into `any Error`, and an `id` into an `Any`; without them it crashes.
OBJECTIVE_C = """public func _getErrorEmbeddedNSError<T>(_ error: T) -> Swift.AnyObject? where T : Swift.Error
@unsafe @frozen public struct AutoreleasingUnsafeMutablePointer<Pointee> {
  public let _rawValue: Builtin.RawPointer
  public var pointee: Pointee { get }
}
public func _bridgeAnyObjectToAny(_ possiblyNullObject: Swift.AnyObject?) -> Any
"""
ACCESSOR = r"(?:get|set|_read|_modify|unsafeAddress|unsafeMutableAddress)\b"
ATTRIBUTES = r"(?:@\w+(?:\([^\n{}]*?\))? |[a-z_]+(?:\(\w+\))? )*"
# The line on which a function, a property or an accessor begins, up to its brace.
HEAD = re.compile(rf"^( *{ATTRIBUTES})(func|init|deinit|subscript|var|{ACCESSOR})([^\n{{}}]*) \{{(?=\s)", re.MULTILINE)
ACCESSORS = re.compile(rf"\{{\s*{ATTRIBUTES}{ACCESSOR}")
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|""".*?"""|"(?:\\.|[^"\\\n])*"|[{}]', re.DOTALL)


def adapted(text: str, module: str, target: str) -> str:
    """An interface of the toolchain with the target in place of Linux; `ValueError` if it is none that is known."""
    head, body = re.split(r"(?<=\n)(?=import |@_exported |#if |public |@)", text, maxsplit=1)
    head = replaced(head, r"-target \S+-unknown-linux-gnu", f"-target {target}", module)
    head = replaced(head, r"-disable-objc-interop", "-disable-objc-interop -disable-availability-checking", module)
    head = replaced(head, r" -O ", " -Onone ", module)
    head = head.replace("-target-min-inlining-version min", "")
    body = without_bodies(re.sub(r"@backDeployed\([^)]*\)", "", body))
    if module == "Observation":
        body = replaced(body, r"\bGlibc\b", "Darwin", module)
    if module == "Swift":
        # Of Float80, which is not there on Apple's processors: a function of the runtime that is not declared.
        body = replaced(body, r"self = _stdlib_squareRootl\(self\)", "", module)
        body += OBJECTIVE_C
    return head + body


def replaced(text: str, pattern: str, by: str, module: str) -> str:
    """The text after a replacement that has to happen: another toolchain may need another one."""
    text, count = re.subn(pattern, by, text)
    if count == 0:
        raise ValueError(f"the textual interface of {module} does not contain {pattern}: this toolchain needs another recipe")
    return text


def without_bodies(text: str) -> str:
    """An interface without the bodies that may be inlined, for which the compiler takes two thirds of its time. Without
    optimization it inlines, before it looks for errors, none but those of transparent functions, and these stay. Types that are
    inferred from a body are not known without it."""
    kept, end, skipped = [], 0, 0
    for found in HEAD.finditer(text):
        attributes, kind, rest = found.groups()
        if found.start() < max(end, skipped) or rest.count("(") != rest.count(")"):
            continue
        brace = found.end() - 1
        close = closing(text, brace)
        if "@_transparent" in attributes or re.search(r"->.*\bsome ", rest):
            skipped = close
        elif kind not in ("var", "subscript"):
            kept.append(text[end:brace].rstrip(" "))
            end = close
        elif not ACCESSORS.match(text, brace):
            kept.append(text[end:brace] + "{ get }")
            end = close
    return "".join([*kept, text[end:]])


def closing(text: str, brace: int) -> int:
    """The end of the braces that begin there."""
    depth = 0
    for token in TOKEN.finditer(text, brace):
        depth += (token[0] == "{") - (token[0] == "}")
        if depth == 0:
            return token.end()
    raise ValueError(f"a brace is not closed: {text[brace - 80:brace + 1]}")
