#!/usr/bin/env python3
"""Checks that one place opens files.

    scripts/lint_files.py [DIRECTORY]

Files are opened by `FileOpening` (Sources/Files), which waits for nobody, and read by what uses it. Whatever else opens
a file would wait for a pipe that nobody writes to, and hold up all that waits behind it. What is no file of a user's is
named where it is opened: below /proc, /sys and /dev, or by `// opens: REASON` in the line above.
"""
import os
import re
import sys

PLACE = "Sources/Files/FileOpening.swift"
OPENING = re.compile(
    r"(?<![\w.])(?:Glibc\.|Foundation\.)?(?:open|openat|creat|fopen|freopen|fdopendir|shm_open)\("
    r"|\bcontentsOfFile\s*:|\b(?:String|Data|NSData|NSString|Dictionary|InputStream|XMLParser|NSArray)"
    r"\s*\(\s*(?:contentsOf|url|fileAtPath)\s*:"
    r"|\bFileHandle\s*\(\s*for|\bOutputStream\s*\(|\bcreateFile\s*\(|\.contents\s*\(\s*atPath|\btoFile\s*:"
    r"|\bwrite\s*\(\s*to\s*:\s*[\w.]*(?:url|URL|file)\b|\bsf_open\s*\(|\bmysofa_(?:load|open\w*)\s*\("
    r"|\bfluid_synth_sfload\s*\(|\bstd::[io]?fstream\b")
KERNEL = re.compile(r'^[^,;{}]*?"/(?:proc|sys|dev)/')
DECLARATION = re.compile(r"\b(?:func|case)\s+$")
REASON = re.compile(r"^\s*// opens: \S")


def swiftFiles(directory):
    for folder, folders, files in os.walk(os.path.join(directory, "Sources")):
        folders.sort()
        for file in sorted(files):
            if file.endswith((".swift", ".h", ".c", ".cpp")):
                yield os.path.relpath(os.path.join(folder, file), directory)


def main():
    directory = sys.argv[1] if len(sys.argv) > 1 else os.path.join(sys.path[0], "..")
    faults = []
    for path in swiftFiles(directory):
        if path == PLACE:
            continue
        lines = open(os.path.join(directory, path), encoding="utf-8").read().split("\n")
        # Whose own function of that name is meant.
        own = any(re.search(r"\bfunc open\(", line) for line in lines)
        for number, line in enumerate(lines):
            code = re.sub(r"//.*", "", line)
            for found in OPENING.finditer(code):
                name = found[0].rstrip("( ").strip()
                if DECLARATION.search(code[:found.start()]) or (name == "open" and own):
                    continue
                if KERNEL.match(code[found.end():]) or (number and REASON.match(lines[number - 1])):
                    continue
                faults.append(f"{path}:{number + 1}: '{name}' opens a file: use OpenFile, FileAccess or FileOpening")
    for fault in faults:
        print(f"error: {fault}")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
