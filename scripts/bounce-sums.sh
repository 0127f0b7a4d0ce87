#!/bin/bash
# Prints a sum of what each shipped configuration bounces, to compare two states of the program bit for bit.
#
#   scripts/bounce-sums.sh [AURICLE [MIDI-FILE ...]]  >before.txt
#   diff before.txt after.txt
#
# AURICLE is the program, .build/release/auricle unless given. Without MIDI files it takes songs of the
# Debian package openttd-openmsx. Each line: configuration, song, period, sum.
set -euo pipefail
cd "$(dirname "$0")/.."

auricle=$(realpath "${1:-.build/release/auricle}")
shift || true
songs=("$@")
if [ ${#songs[@]} = 0 ]; then
  for name in careless_perc_redfarn city_blues_redfarn busy_schedule; do
    songs+=("/usr/share/games/openttd/baseset/openmsx/$name.mid")
  done
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Something to filter.
"$auricle" bounce config/sampler.toml --midi "${songs[0]}" --output "$folder/input.wav" >/dev/null 2>&1

for configuration in config/*.toml; do
  # Wants a track of somebody's own.
  [[ $configuration == config/@(karaoke|player).toml ]] && continue
  for song in "${songs[@]}"; do
    for period in 64 441 1024; do
      options=(--midi "$song" --period "$period" --output "$folder/output.wav")
      grep -q '"sampler"' "$configuration" || options+=(--input "$folder/input.wav")
      rm -f "$folder/output.wav"
      "$auricle" bounce "$configuration" "${options[@]}" >/dev/null 2>&1
      sum=$(sha256sum <"$folder/output.wav")
      printf '%s %s %s %s\n' "$(basename "$configuration" .toml)" "$(basename "$song" .mid)" \
        "$period" "${sum%% *}"
    done
  done
done
