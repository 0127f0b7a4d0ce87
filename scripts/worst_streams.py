#!/usr/bin/env python3
"""Counts the instructions of the cycles that are known to cost most, and holds them to scripts/worst-streams.txt.

    scripts/worst_streams.py BINARY FONT

BINARY is the release build of Tests/WorstCycles. Valgrind counts, so the figures do not depend on how busy the
machine is. A stream fails that takes a tenth more than its line says, or has none, as does a line without a stream.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

MARGIN = 1.1


def limits(path):
    result = {}
    for number, line in enumerate(open(path), 1):
        if line.strip() and not line.startswith("#"):
            fields = line.split(None, 1)
            if len(fields) < 2:
                sys.exit(f"{path}:{number}: wanted 'MILLIONS NAME'")
            result[fields[1].strip()] = float(fields[0])
    return result


def count(binary, font):
    """The costliest cycle of each stream, in millions of instructions of the thread that renders: each thread has a
    file of its own, and what loads SoundFonts beside it counts for nothing."""
    counts = {}
    with tempfile.TemporaryDirectory() as directory:
        # Valgrind 3.19 gives up on the compiler's debug information.
        stripped = os.path.join(directory, "worst-cycles")
        subprocess.run(["strip", "-g", "-o", stripped, binary], check=True)
        run = subprocess.run(
            ["valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no", "--separate-threads=yes",
             f"--callgrind-out-file={directory}/out", stripped, font],
            capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"{binary} failed with status {run.returncode}: {run.stderr[-2000:]}")
        for file in glob.glob(f"{directory}/out.*"):
            text = open(file).read()
            name = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.M)
            # Its summary is of the time since another moment.
            total = re.search(r"^totals: (\d+)", text, re.M)
            if name and total:
                counts[name[1]] = max(counts.get(name[1], 0), int(total[1]) / 1e6)
    return counts


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    path = f"{sys.path[0]}/worst-streams.txt"
    allowed = limits(path)
    counts = count(sys.argv[1], sys.argv[2])
    is_good = bool(counts)
    if not counts:
        print("error: valgrind has counted nothing")
    for name, millions in sorted(counts.items(), key=lambda item: -item[1]):
        limit = allowed.pop(name, None)
        verdict = ""
        if limit is None:
            verdict = f"  <- error: {path} has no line for it"
        elif millions > limit * MARGIN:
            verdict = "  <- error: more than a tenth above its line"
        is_good = is_good and not verdict
        print(f"{name:36} {millions:7.3f} of {limit or 0:7.3f} million instructions{verdict}")
    for name in allowed:
        is_good = False
        print(f"error: {path}: there is no stream '{name}'")
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
