#!/bin/bash
# Builds the Debian package in out/, and checks it with lintian.
#
#   scripts/deb.sh
#
# `make deb` installs what it needs first. debian/rules says why Swift is in PATH, and no package.
set -euo pipefail
cd "$(dirname "$0")/.."
export OUT=$PWD/out
mkdir -p "$OUT"
rm -f "$OUT"/auricle_*.{deb,changes,buildinfo}

# What another make has set is not for this one.
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES
# The debugger's data would be ten times the program.
export DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-} noautodbgsym"
name=auricle_$(dpkg-parsechangelog -S Version)_$(dpkg --print-architecture)
dpkg-buildpackage --build=binary --no-sign \
  --buildinfo-option="-u$OUT" --buildinfo-file="$OUT/$name.buildinfo" \
  --changes-option="-u$OUT" --changes-file="$OUT/$name.changes"
lintian --fail-on error,warning "$OUT/$name.changes"
printf '%s: %s bytes, installed %s KiB\n' "out/$name.deb" "$(stat -c %s "$OUT/$name.deb")" \
  "$(dpkg-deb -f "$OUT/$name.deb" Installed-Size)"
