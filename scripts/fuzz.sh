#!/bin/bash
# Tries readers of what strangers send with libFuzzer, which looks for inputs that reach new code.
#
#   scripts/fuzz.sh [SECONDS [TARGET ...]]     60 seconds for each of the seven unless given
#
# Begins with the inputs in Tests/Fuzz/Corpus, and the configurations. A failure ends the run with status 1; the
# input is then in .build/fuzz. New inputs stay in .build/fuzz/corpus; `scripts/fuzz.sh keep` merges those
# that reach new code into Tests/Fuzz/Corpus.
set -euo pipefail
cd "$(dirname "$0")/.."

all="toml midi-file midi-stream property-list soundfont session-line osc"
work=.build/fuzz
export AURICLE_FUZZ=build

swift build -c release --scratch-path .build/fuzzer --sanitize=fuzzer --product Fuzz
program=.build/fuzzer/release/Fuzz

seeds() {
  [ ! -d "Tests/Fuzz/Corpus/$1" ] || echo "Tests/Fuzz/Corpus/$1"
  [ "$1" != toml ] || { echo config && ls -d Tests/Fixtures/*/; }
}

if [ "${1:-}" = keep ]; then
  for target in $all; do
    mkdir -p "$work/corpus/$target" "Tests/Fuzz/Corpus/$target"
    # Small inputs alone: the corpus is part of the repository.
    AURICLE_FUZZ=$target "$program" -merge=1 -max_len=2048 "Tests/Fuzz/Corpus/$target" \
      "$work/corpus/$target"
  done
  exit 0
fi

seconds=${1:-60}
shift || true
for target in ${*:-$all}; do
  mkdir -p "$work/corpus/$target"
  echo "== $target, $seconds seconds"
  # shellcheck disable=SC2046
  AURICLE_FUZZ=$target "$program" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
    -max_len=16384 -len_control=20 -print_final_stats=1 -artifact_prefix="$work/$target-" \
    "$work/corpus/$target" $(seeds "$target") >"$work/$target.log" 2>&1 || {
    tail -40 "$work/$target.log"
    echo "the input is in $work"
    exit 1
  }
  grep -E 'stat::number_of_executed_units|cov:' "$work/$target.log" | tail -2
done
