#!/bin/sh
# Installs what the build needs and this machine lacks; asks nothing.
#
#   scripts/install-dependencies.sh [--tests | --benchmarks | --package | --package-test]
#
# also what the tests, the benchmarks, the Debian package or its test in a clean Debian need.
set -eu

swift_least=6.3
# The compiler's own needs: C and C++ headers, a linker, git for packages.
packages="binutils git g++ libc6-dev pkg-config tzdata ca-certificates"
packages="$packages libjack-jackd2-dev jackd2 libfluidsynth-dev libsndfile1-dev libvorbis-dev libsoxr-dev libkissfft-dev libebur128-dev libtomlplusplus-dev"
packages="$packages libmysofa-dev librubberband-dev liblo-dev libncurses-dev timgm6mb-soundfont"
case ${1:-} in
  --tests) packages="$packages fluidsynth openttd-openmsx python3 python3-jsonschema valgrind liblo-tools ffmpeg chromium" ;;
  --benchmarks) packages="$packages fluidsynth openttd-openmsx fluid-soundfont-gm jalv swh-lv2 x42-plugins rubberband-cli" ;;
  --package) packages="$packages debhelper lintian" ;;
  --package-test) packages="$packages debhelper lintian mmdebstrap" ;;
esac

say() { printf '%s\n' "$*" >&2; }

check_swift() {
  if ! command -v swift >/dev/null; then
    say "There is no Swift toolchain. Install Swift $swift_least or later from https://www.swift.org/install/linux/"
    say "and put its usr/bin into PATH."
    exit 1
  fi
  version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
  if [ "$(printf '%s\n' "$swift_least" "$version" | sort -V | head -n 1)" != "$swift_least" ]; then
    say "This is Swift ${version:-of an unknown version}; Auricle needs $swift_least or later:"
    say "https://www.swift.org/install/linux/"
    exit 1
  fi
}

missing_packages() {
  for package in $packages; do
    case $(dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null) in
      *"ok installed"*) ;;
      *) printf '%s ' "$package" ;;
    esac
  done
}

# Runs apt-get without a terminal, so that no package can ask anything.
apt() {
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -y -q --no-install-recommends "$@" </dev/null >&2
}

check_swift
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  say "This is not Debian, so nothing is installed. The build needs, with headers:"
  say "  JACK 2 (or PipeWire's), FluidSynth 2, libsndfile, libvorbis, libsoxr, KISS FFT, libebur128, libmysofa, Rubber Band 3, liblo, ncurses, toml++, pkg-config, git, a C++ standard library;"
  say "to run: a JACK server, and the SoundFont TimGM6mb for the default configuration; to test: fluidsynth,"
  say "OpenTTD's music set OpenMSX, Python 3 with jsonschema, valgrind, liblo's tools, ffmpeg, Chromium and binutils; for benchmarks also the SoundFont FluidR3_GM, jalv,"
  say "the LV2 plugins of swh-lv2 and x42-plugins, and Rubber Band's command."
  exit 0
fi

missing=$(missing_packages)
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
    say "Missing: $missing"
    say "Only root may install them, and sudo would ask or is not there. Run this, then try again:"
    say "  sudo apt-get install --no-install-recommends $missing"
    exit 1
  fi
  as_root="sudo -n"
fi

say "Installing: $missing"
# An empty or old package list is the usual reason for a first failure.
# shellcheck disable=SC2086
apt install $missing || { apt update && apt install $missing; } || {
  say "apt-get could not install: $missing"
  say "Look at its messages above: most often there is no network, or a package source is missing."
  exit 1
}
