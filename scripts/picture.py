#!/usr/bin/env python3
"""Makes docs/top.svg: `auricle top` while config/default.toml plays chords.

    scripts/picture.py [PROGRAM]

PROGRAM is .build/release/auricle by default. Needs jackd and its tools, and tmux, whose screen is drawn.
"""
import html
import os
import re
import subprocess
import sys
import tempfile
import time

SERVER, COLUMNS, ROWS = "picture", 100, 10
CELL = (8.4, 18)
COLOURS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "36": "#76e3ea"}
# Loop length, then each key with its start and its length, in frames.
CHORDS = "12000 48 0 11000 60 0 11000 64 0 11000 67 0 11000 72 6000 5000"


def wait(what, condition):
    for _ in range(200):
        if condition():
            return
        time.sleep(0.1)
    sys.exit(f"picture: {what} did not come within 20 seconds")


def output(*words):
    return subprocess.run(words, capture_output=True, text=True).stdout


def spans(line):
    """Yields (text, colour, is bold, is dim) of a line with the terminal's codes."""
    colour, bold, dim, reverse = None, False, False, False
    for codes, text in re.findall(r"(?:\x1b\[([\d;]*)m)?([^\x1b]*)", line):
        for code in codes.split(";") if codes or text == "" else []:
            if code in ("", "0"):
                colour, bold, dim, reverse = None, False, False, False
            elif code == "1":
                bold = True
            elif code == "2":
                dim = True
            elif code == "7":
                reverse = True
            elif code == "39":
                colour = None
            elif code in COLOURS:
                colour = COLOURS[code]
        if text:
            yield text, colour, bold or reverse, dim


def picture(lines):
    width, height = COLUMNS * CELL[0] + 32, len(lines) * CELL[1] + 28
    result = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="auricle top">',
        '<rect width="100%" height="100%" rx="8" fill="#0d1117"/>',
        '<g font-family="ui-monospace, SFMono-Regular, Menlo, DejaVu Sans Mono, monospace" font-size="14" '
        'fill="#c9d1d9" xml:space="preserve">',
    ]
    for row, line in enumerate(lines):
        column, y = 0, 26 + row * CELL[1]
        for text, colour, bold, dim in spans(line):
            if text.strip():
                style = (f' fill="{colour}"' if colour else "") + (' font-weight="bold"' if bold else "")
                style += ' fill-opacity="0.65"' if dim else ""
                result.append(
                    f'<text x="{16 + column * CELL[0]:.1f}" y="{y}" textLength="{len(text) * CELL[0]:.1f}"{style}>'
                    f"{html.escape(text)}</text>")
            column += len(text)
    return "\n".join(result + ["</g>", "</svg>", ""])


def main():
    os.chdir(os.path.join(sys.path[0], ".."))
    program = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".build/release/auricle")
    started = []

    def start(*words):
        started.append(subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            JACK_DEFAULT_SERVER=SERVER, XDG_RUNTIME_DIR=folder, XDG_STATE_HOME=folder, TERM="xterm-256color",
            LC_ALL="C.UTF-8")
        tmux = ["tmux", "-S", os.path.join(folder, "tmux"), "-f", "/dev/null"]
        try:
            start("jackd", "--name", SERVER, "-d", "dummy", "-r", "48000", "-p", "256")
            wait("the JACK server", lambda: output("jack_lsp"))
            start("jack_midiseq", "Keyboard", *CHORDS.split())
            wait("the keyboard", lambda: "Keyboard:out" in output("jack_lsp"))
            session = open("config/default.toml", encoding="utf-8").read()
            file = os.path.join(folder, "music.toml")
            open(file, "w", encoding="utf-8").write(session.replace("physical:midi", "Keyboard:out"))
            start(program, "run", file)
            wait("the session", lambda: "auricle:piano_midi_in" in output("jack_lsp"))
            subprocess.run(
                tmux + ["new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), program, "top"], check=True)
            # Loads and levels are those of a second.
            time.sleep(6)
            screen = output(*tmux, "capture-pane", "-e", "-p").replace(folder, "/home/me").rstrip("\n").split("\n")
            subprocess.run(tmux + ["kill-server"])
        finally:
            for process in reversed(started):
                process.terminate()
                process.wait()
    if len(screen) < 6:
        sys.exit("picture: auricle top shows no session")
    open("docs/top.svg", "w", encoding="utf-8").write(picture(screen))


if __name__ == "__main__":
    main()
