#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws what a program shows in a terminal, for the README:

    .ci/picture.py Sources/BlueCap/Documentation.docc/Resources/demo.svg .build/debug/bluecap demo --samples 150 --period 20

Runs the program in a pseudo-terminal of 80 columns and 24 lines until it ends, and writes what stands on the screen then as SVG, under
its command line. It knows the controls that the tool uses: carriage return, line feed, cursor up, erasing, and colours.
"""

import fcntl
import html
import os
import pty
import re
import struct
import sys
import termios

COLUMNS, LINES = 80, 24
WIDTH, HEIGHT, MARGIN = 8.4, 17, 14
INK, PAPER = "#d8dee9", "#1e222a"
COLOURS = {31: "#e06c75", 32: "#98c379", 33: "#e5c07b", 34: "#61afef", 35: "#c678dd", 36: "#56b6c2"}
CONTROL = re.compile(r"\x1b\[(\??[\d;]*)([A-Za-z])")
# The dots of a Braille pattern, by bit: column and row.
DOTS = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]


def output(command):
    """What the program writes to a terminal."""
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    data = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            part = b""
        if not part:
            break
        data += part
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status:
        sys.exit(f"{' '.join(command)} ended with {status}")
    return data.decode()


def screen(text):
    """The lines that stand there in the end, each a list of character and colour."""
    lines, row, column, colour, place = [[]], 0, 0, INK, 0
    while place < len(text):
        control = CONTROL.match(text, place)
        if control:
            place = control.end()
            number = int(control[1]) if control[1].isdigit() else 0
            if control[2] == "A":
                row = max(row - max(number, 1), 0)
            elif control[2] == "K":
                del lines[row][column:]
            elif control[2] == "J":
                del lines[row][column:]
                del lines[row + 1:]
            elif control[2] == "m":
                colour = COLOURS.get(number, INK)
            continue
        character, place = text[place], place + 1
        if character == "\r":
            column = 0
        elif character == "\n":
            row += 1
            while len(lines) <= row:
                lines.append([])
        else:
            line = lines[row]
            line.extend([(" ", INK)] * (column + 1 - len(line)))
            line[column] = (character, colour)
            column += 1
    while lines and not any(character != " " for character, _ in lines[-1]):
        lines.pop()
    return lines


def drawn(line, row):
    """The elements of a line: texts by colour, and the dots of Braille patterns, which few fonts have in the right width."""
    top, start = MARGIN + row * HEIGHT, 0
    while start < len(line):
        end = start
        while end < len(line) and line[end][1] == line[start][1]:
            end += 1
        colour = line[start][1]
        for column in range(start, end):
            bits = ord(line[column][0]) - 0x2800
            for dot, (x, y) in enumerate(DOTS):
                if 0 < bits < 256 and bits >> dot & 1:
                    yield (f'<circle cx="{MARGIN + (column + 0.27 + 0.46 * x) * WIDTH:.1f}" cy="{top + (y + 0.5) * HEIGHT / 4:.1f}" '
                           f'r="1.4" fill="{colour}"/>')
        text = "".join(" " if 0x2800 <= ord(character) < 0x2900 else character for character, _ in line[start:end])
        if text.strip():
            length = len(text.rstrip())
            yield (f'<text x="{MARGIN + start * WIDTH:.1f}" y="{top + 13}" fill="{colour}" textLength="{length * WIDTH:.1f}" '
                   f'xml:space="preserve">{html.escape(text.rstrip())}</text>')
        start = end


def main():
    path, command = sys.argv[1], sys.argv[2:]
    words = ["bluecap"] + command[1:]
    prompt = [(character, COLOURS[32]) for character in "$ "] + [(character, INK) for character in " ".join(words)]
    lines = [prompt] + screen(output(command))
    width, height = COLUMNS * WIDTH + 2 * MARGIN, len(lines) * HEIGHT + 2 * MARGIN
    with open(path, "w") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
                   f'font-family="ui-monospace, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="14">\n')
        file.write(f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>\n')
        for row, line in enumerate(lines):
            for element in drawn(line, row):
                file.write(element + "\n")
        file.write("</svg>\n")


main()
