#!/bin/bash
# Runs stages of the checks, all by default, and ends at the first that fails.
#
#   scripts/test.sh [lint] [calls] [worst] [debug] [asan] [tsan] [rtsan]
#
# AddressSanitizer and ThreadSanitizer build in directories of their own below .build. What sanitizers report, from
# child processes too, goes to files, and any report fails the stage. A test that provokes one says so when it
# starts the child.
set -uo pipefail
cd "$(dirname "$0")/.."

# JACK keeps the state of all of a user's servers in /dev/shm, where one that ends may take others along.
# Where we may, the tests have one of their own.
if [ -z "${AURICLE_OWN_SHM:-}" ] && unshare --mount true 2>/dev/null; then
  # shellcheck disable=SC2016
  AURICLE_OWN_SHM=1 exec unshare --mount --propagation private bash -c \
    'mount -t tmpfs -o mode=1777 tmpfs /dev/shm; exec scripts/test.sh "$@"' scripts/test.sh "$@"
fi

# Tests that wait for something let others begin; without a bound hundreds are alive at once, with all their
# memory. More than the suites that wait for a JACK server, so that others go on meanwhile.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-32}

logs=$PWD/.build/test-logs
summary=()
mkdir -p "$logs"

lint() {
  # shellcheck disable=SC2046
  swift format lint --strict --parallel $(git ls-files '*.swift') || return 1
  scripts/lint_render_side.py || return 1
  # The formatter leaves comments as they are.
  if git ls-files -z '*.swift' '*.c' '*.h' \
    | LC_ALL=C.UTF-8 xargs -0 grep -HnE "^.{101}" | grep -E "^[^:]+:[0-9]+:[[:blank:]]*//"; then
    echo "error: these comments go beyond 100 columns"
    return 1
  fi
}

# What the render thread can reach in the machine code that is shipped.
calls() {
  local binary library
  if [ "$(uname -m)" != x86_64 ]; then
    echo "The calls are not checked here: scripts/render_calls.py reads the instructions of x86-64 alone."
    return 0
  fi
  swift build -c release --product auricle || return 1
  binary=$(swift build -c release --show-bin-path)/auricle
  if ! readelf -d "$binary" | grep -q BIND_NOW; then
    echo "error: $binary binds symbols at their first use, on the render thread: link it with -z now"
    return 1
  fi
  scripts/render_calls.py "$binary" || return 1
  library=$(ldd "$binary" | awk '$1 ~ /^libfluidsynth/ { print $3 }')
  scripts/render_calls.py "$binary" "$library"
}

# What the cycles that cost most take, in instructions.
worst() {
  if [ "$(uname -m)" != x86_64 ]; then
    echo "The instructions are not counted here: scripts/worst-streams.txt lists those of x86-64."
    return 0
  fi
  swift build -c release --product WorstCycles || return 1
  scripts/worst_streams.py "$(swift build -c release --show-bin-path)/WorstCycles" \
    /usr/share/sounds/sf2/TimGM6mb.sf2
}

# Tests of live sessions wait for a clock, and a process has one JACK server at a time: about half of them go into a
# process of their own.
second_half='IntegrationTests\.[N-Z]'

# Runs the tests of a filter, in two processes at once where each can have a /dev/shm of its own.
#
# Usage: tests LOG FILTER BUILD-OPTIONS
tests() {
  local log=$1 filter=$2 status=0 second
  local run=(swift test --skip-build --disable-xctest "${@:3}" --filter "$filter")
  if [ -z "${AURICLE_OWN_SHM:-}" ]; then
    "${run[@]}" 2>&1 | tee "$log"
    return
  fi
  # shellcheck disable=SC2016
  unshare --mount --propagation private sh -c 'mount -t tmpfs -o mode=1777 tmpfs /dev/shm; exec "$@"' sh \
    "${run[@]}" --ignore-lock --skip "^(?!$second_half)" >"$log.second" 2>&1 &
  second=$!
  "${run[@]}" --ignore-lock --skip "^$second_half" 2>&1 | tee "$log.first" || status=1
  wait $second || status=1
  cat "$log.second"
  cat "$log.first" "$log.second" >"$log"
  rm "$log.first" "$log.second"
  return $status
}

# Usage: suite NAME BUILD-OPTIONS -- FILTER
suite() {
  local name=$1 build=() status=0 report
  shift
  while [ "$1" != -- ]; do build+=("$1") && shift; done
  shift
  rm -f "$logs/$name".report.*
  swift build --build-tests "${build[@]}" || return 1
  # The test rig writes here what sanitizers print in child processes.
  export AURICLE_SANITIZER_REPORTS=$logs/$name.report
  tests "$logs/$name.first.log" "$1" "${build[@]}" || again "$name" "${build[@]}" || status=1
  for report in "$logs/$name".report.*; do
    [ -e "$report" ] || continue
    # What ThreadSanitizer says of a thread of libjack's: see the stage.
    if grep -aq 'finished with ignores enabled' "$report" && ! grep -aq WARNING: "$report"; then continue; fi
    echo "A sanitizer reports:" && cat "$report"
    status=1
  done
  return $status
}

# Runs tests of live sessions that have failed once more, alone: they follow a realtime clock, which a machine that
# builds and tests beside them cannot always keep. What needs it is told at the end. More than five, and a test of
# anything else, stay failed at once.
#
# Usage: again NAME BUILD-OPTIONS
again() {
  local name=$1 failed=() live
  shift
  # A run that ended on the way has left tests out.
  [ "$(grep -acE '^[^ ]+ Test run with ' "$logs/$name.first.log")" = $((1 + ${AURICLE_OWN_SHM:-0})) ] || return 1
  mapfile -t failed < <(sed -nE 's/^✘ Test ([A-Za-z0-9_]+)\(.* failed after .*/\1/p' "$logs/$name.first.log" | sort -u)
  [ ${#failed[@]} -ge 1 ] && [ ${#failed[@]} -le 5 ] || return 1
  live="^IntegrationTests\..*/($(IFS='|' && echo "${failed[*]}"))\("
  echo "== once more, alone: ${failed[*]}"
  swift test --skip-build --disable-xctest "$@" --filter "$live" 2>&1 | tee "$logs/$name.again.log" || return 1
  [ "$(test_count "$name.again")" = ${#failed[@]} ] || return 1
  echo "passed alone: ${failed[*]}" >"$logs/$name.alone"
}

# All tests; where the stage `rtsan` follows, those that it leaves out.
debug() {
  if [[ " $stages " == *" rtsan "* ]]; then
    suite debug -- "^((?!($rendering_tests)\.)|IntegrationTests\.($unwatched_tests))"
  else
    suite debug -- .
  fi
}

asan() {
  ASAN_OPTIONS=log_path=$logs/asan.report:detect_leaks=1 \
  LSAN_OPTIONS=suppressions=$PWD/Tests/Sanitizers/leaks.supp:print_suppressions=0 \
    suite asan "${asan_build[@]}" -- .
}
asan_build=(--scratch-path .build/asan --sanitize=address)

# What threads share: units and graphs, and sessions that play. These are in programs under ThreadSanitizer that tests
# without it start, since it ends a process in which libjack has ended a thread (by cancellation), without a report. Of
# libraries it sees what they lock by pthreads; see also the end of Package.swift, and Tests/Sanitizers/races.supp.
tsan() {
  export TSAN_OPTIONS=log_path=$logs/tsan.report:halt_on_error=1:exitcode=0:suppressions=$PWD/Tests/Sanitizers/races.supp
  build_tsan || return 1
  AURICLE_THREAD_SANITIZER=1 AURICLE_TEST_TARGETS=$sharing_targets suite tsan.units "${tsan_build[@]}" -- . || return 1
  AURICLE_PRODUCTS=$PWD/.build/tsan/debug suite tsan -- "^IntegrationTests\.($sharing_tests)\." || return 1
  cat "$logs/tsan.units.first.log" >>"$logs/tsan.first.log"
}
tsan_build=(--scratch-path .build/tsan)
sharing_targets=RealtimeTests,UnitRenderTests,UnitModelTests,MIDIEffectUnitTests,GraphTests
sharing_tests='StructureTests|TogetherTests|ControlSoundTests|OSCTests|ReconnectTests'

build_tsan() {
  AURICLE_THREAD_SANITIZER=1 swift build "${tsan_build[@]}" --product auricle &&
    AURICLE_THREAD_SANITIZER=1 AURICLE_TEST_TARGETS=$sharing_targets swift build "${tsan_build[@]}" --build-tests
}

# Builds what the last stages need while the tests before them wait for a clock. These wait for it, by SwiftPM's lock,
# and tell what went wrong.
build_ahead() {
  [[ " $stages " != *" asan "* ]] || swift build --build-tests "${asan_build[@]}"
  [[ " $stages " != *" tsan "* ]] || build_tsan
}

# Suites that render as JACK's process thread does, where RealtimeSanitizer has something to see, and those of them
# with tests that cannot run under it.
rendering_tests='IntegrationTests|SamplerUnitTests|GraphTests|MIDIEffectUnitTests|ControlUnitTests|PlayerUnitTests|MixerUnitTests'
unwatched_tests='RealtimeGuardTests|PageFaultTests|HeldKeyTests'

# The objects of other stages, linked to the sanitizer's runtime: it needs no flag of the compiler. What tests render
# themselves is a debug build, the programs that they start are as shipped.
rtsan() {
  local runtime linked product
  runtime=$(clang --print-file-name="libclang_rt.rtsan-$(uname -m).a")
  linked=(-Xlinker --whole-archive -Xlinker "$runtime" -Xlinker --no-whole-archive -Xlinker --export-dynamic)
  for product in auricle RealtimeGuardProbe OwnUnit PlayGraph SaveProbe; do
    swift build -c release "${linked[@]}" --product "$product" || return 1
  done
  AURICLE_PRODUCTS=$(swift build -c release --show-bin-path) RTSAN_OPTIONS=halt_on_error=true \
    suite rtsan "${linked[@]}" -- "^($rendering_tests)\."
}

# How many tests a log tells of: a filter that matches none must not pass for a success.
test_count() {
  grep -saoE 'Test run with [0-9]+ tests?' "$logs/$1.log" | awk '{ sum += $4 } END { print sum + 0 }'
}

# What went wrong, once more where it is found: the log of all tests is long.
failures() {
  grep -aE -A 8 'recorded an issue|error: |Fatal error|: [A-Za-z]+Sanitizer: ' "$logs/$1.log" | tail -100
}

stages=${*:-lint calls worst debug rtsan asan tsan}
for name in $stages; do
  case $name in lint | calls | worst | debug | asan | tsan | rtsan) ;; *) echo "unknown stage: $name" >&2 && exit 2 ;; esac
  echo "== $name"
  start=$SECONDS
  if [ "$name" = rtsan ]; then
    (renice -n 19 $BASHPID >/dev/null && build_ahead >"$logs/ahead.log" 2>&1) &
    # shellcheck disable=SC2064
    trap "pkill -P $! || true" EXIT
  fi
  rm -f "$logs/$name".{first,again}.log "$logs/$name.alone"
  "$name" 2>&1 | tee "$logs/$name.log"
  status=$?
  closing=
  if [[ " lint calls worst " != *" $name "* ]]; then
    closing="$(test_count "$name.first") tests"
    [ ! -e "$logs/$name.alone" ] || closing+=", $(<"$logs/$name.alone")"
    [ "$closing" != "0 tests" ] || { echo "$name: no test was run" >&2 && status=1; }
  fi
  [ $status = 0 ] && verdict=passed || verdict=FAILED
  summary+=("$(printf '%-6s %s after %4d s  %s' "$name" "$verdict" $((SECONDS - start)) "$closing")")
  if [ $status != 0 ]; then
    echo "== what failed"
    failures "$name"
    printf '%s\n' "${summary[@]}"
    exit 1
  fi
done
printf '%s\n' "${summary[@]}"
