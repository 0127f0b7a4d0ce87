#!/bin/bash
# Runs stages of the checks, all by default, and ends at the first that fails.
#
#   scripts/test.sh [lint] [calls] [worst] [debug] [rtsan] [asan-brief] [tsan-brief] [asan] [tsan]
#
# The last two are not among the default ones: they run what the brief ones do and programs built with the sanitizer,
# which takes a quarter of an hour more.
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

# Test programs write colours into pipes, too, where a terminal is named: the patterns below are of plain text.
export NO_COLOR=1

logs=$PWD/.build/test-logs
summary=()
mkdir -p "$logs"

lint() {
  # shellcheck disable=SC2046
  swift format lint --strict --parallel $(git ls-files '*.swift') || return 1
  # The largest text here has 150 kB: more is a binary, or made by a program.
  git ls-files -z | xargs -0 sh -c 'find "$@" -size +512k' sh | sed 's/^/error: too large for the repository: /' |
    grep . && return 1
  scripts/lint_render_side.py || return 1
  scripts/lint_files.py || return 1
  scripts/lint_words.py || return 1
  if git grep -nE '^([a-z@_]+ )*import Foundation( |$)' -- 'Sources/*.swift'; then
    echo "error: import FoundationEssentials, Glibc or Platform: Foundation brings 44 MB of locales"
    return 1
  fi
  # The formatter leaves comments as they are.
  if git ls-files -z '*.swift' '*.c' '*.h' \
    | LC_ALL=C.UTF-8 xargs -0 grep -HnE "^.{101}" | grep -E "^[^:]+:[0-9]+:[[:blank:]]*//"; then
    echo "error: these comments go beyond 100 columns"
    return 1
  fi
  if git ls-files -z '*.md' | LC_ALL=C.UTF-8 xargs -0 grep -HnE "^.{121}"; then
    echo "error: these lines of pages go beyond 120 columns"
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

# Tests of live sessions wait for a clock, and a process has one JACK server at a time: by the names of their suites,
# parts of about the same length go into processes of their own, beside the first, which has all other tests.
live_parts=(E-P Q-Z)

# Runs the tests of a filter, in several processes at once where each can have a /dev/shm of its own.
#
# Usage: tests LOG FILTER BUILD-OPTIONS
tests() {
  local log=$1 filter=$2 status=0 part processes=() run
  # The program itself: of several `swift test` at once, one may find the build's database locked and no test.
  run=("$(swift build --show-bin-path "${@:3}")/auriclePackageTests.xctest" --testing-library swift-testing
    --filter "$filter") || return 1
  # Where a test program crashes, its log has the thread's calls.
  local -x SWIFT_BACKTRACE=enable=yes,interactive=no,color=no,threads=crashed,images=none,timeout=120s
  if [ -z "${AURICLE_OWN_SHM:-}" ]; then
    "${run[@]}" 2>&1 | tee "$log"
    return
  fi
  for part in "${live_parts[@]}"; do
    # shellcheck disable=SC2016
    unshare --mount --propagation private sh -c 'mount -t tmpfs -o mode=1777 tmpfs /dev/shm; exec "$@"' sh \
      "${run[@]}" --skip "^(?!IntegrationTests\.[$part])" >"$log.$part" 2>&1 &
    processes+=($!)
  done
  "${run[@]}" --skip "^IntegrationTests\.[${live_parts[*]}]" 2>&1 | tee "$log.first" || is_empty $? || status=1
  for part in "${processes[@]}"; do wait "$part" || is_empty $? || status=1; done
  cat "${live_parts[@]/#/$log.}"
  cat "$log.first" "${live_parts[@]/#/$log.}" >"$log"
  rm "$log.first" "${live_parts[@]/#/$log.}"
  return $status
}

# Whether a test program has found no test for its filters, as some part does where a filter leaves few.
#
# Usage: is_empty STATUS
is_empty() { [ "$1" = 69 ]; }

# Usage: suite NAME BUILD-OPTIONS -- FILTER
suite() {
  local name=$1 build=() status=0 report suppressed=$PWD/Tests/Sanitizers
  shift
  while [ "$1" != -- ]; do build+=("$1") && shift; done
  shift
  rm -f "$logs/$name".report.*
  swift build --build-tests "${build[@]}" || return 1
  # The test rig writes here what sanitizers print in child processes.
  export AURICLE_SANITIZER_REPORTS=$logs/$name.report
  export ASAN_OPTIONS=log_path=$logs/$name.report:detect_leaks=1
  export LSAN_OPTIONS=suppressions=$suppressed/leaks.supp:print_suppressions=0
  export TSAN_OPTIONS=log_path=$logs/$name.report:halt_on_error=1:exitcode=0:suppressions=$suppressed/races.supp
  tests "$logs/$name.first.log" "$1" "${build[@]}" || again "$name" "${build[@]}" || status=1
  is_whole "$logs/$name.first.log" || status=1
  [ "$(test_count "$name.first")" != 0 ] || { echo "error: no test is called $1" && status=1; }
  for report in "$logs/$name".report.*; do
    [ -e "$report" ] || continue
    # What ThreadSanitizer says of a thread of libjack's: see the stage.
    if grep -aq 'finished with ignores enabled' "$report" && ! grep -aq WARNING: "$report"; then continue; fi
    echo "A sanitizer reports:" && cat "$report"
    status=1
  done
  return $status
}

# A run that has ended on the way has left tests out, whatever its status.
is_whole() {
  local processes=1
  [ -z "${AURICLE_OWN_SHM:-}" ] || processes=$((1 + ${#live_parts[@]}))
  [ "$(grep -acE '^[^ ]+ Test run with ' "$1")" = "$processes" ] && return
  echo "error: a test process has ended before its tests; these had begun: $(comm -23 \
    <(sed -nE 's/^. Test ([A-Za-z0-9_]+)\(.*\) started\.$/\1/p' "$1" | sort -u) \
    <(sed -nE 's/^. Test ([A-Za-z0-9_]+)\(.*\) .*(passed|failed) after .*/\1/p' "$1" | sort -u) | paste -sd ' ')"
  return 1
}

# Runs tests of live sessions that have failed once more, alone: they follow a realtime clock, which a machine that
# builds and tests beside them cannot always keep. What needs it is told at the end. More than five, and a test of
# anything else, stay failed at once.
#
# Usage: again NAME BUILD-OPTIONS
again() {
  local name=$1 failed=() live
  shift
  is_whole "$logs/$name.first.log" || return 1
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

# Tests of everything but live sessions, and of those that take in what comes from outside or that change: these are
# programs under AddressSanitizer that tests without it start, which are built already.
asan() {
  sanitized asan "$(tests_of_parts)" "$changing_tests" "${asan_build[@]}"
}
asan_build=(--scratch-path .build/asan --sanitize=address)
changing_tests='[A-Za-z]*(Bounce|Change|Control|Flood|Garbage|LiveSet|Mapping|Message|NSM|OSC|Outside)'
changing_tests+='[A-Za-z]*|(BrokenStream|LargeSoundFont|Play|Reconnect|Recovery|Sampler|Scene)Tests'
changing_tests+='|(Journal|KeptUnit|Structure|SystemExclusiveBounce|Together|Top|TransportFuzz)Tests'

# Tests of what reads bytes from outside or frees memory itself, but for the sampler and live sessions.
asan-brief() {
  sanitized asan "$reading_targets" '' "${asan_build[@]}"
}
reading_targets=ConfigurationTests,ControlSocketTests,FilesTests,FluidSynthPoolTests,MediaFilesTests,OSCTests
reading_targets+=,PlayersTests,PropertyListsTests,RealtimeTests,RecorderUnitTests,SoundFontFilesTests
reading_targets+=,UnitModelTests,UnitRenderTests

# The test targets that need no server, by commas.
tests_of_parts() {
  sed -nE 's/^ *(tests\(|name: )?"([A-Za-z]+Tests)".*/\2/p' Package.swift | sort -u \
    | grep -vx IntegrationTests | paste -sd,
}

# What threads share: units and graphs, and sessions that play. ThreadSanitizer ends a process in which libjack has ended
# a thread (by cancellation), without a report. Of libraries it sees what they lock by pthreads; see also the end of
# Package.swift, and Tests/Sanitizers/races.supp.
tsan() {
  AURICLE_THREAD_SANITIZER=1 sanitized tsan "$sharing_targets" "$sharing_tests" "${tsan_build[@]}"
}
tsan_build=(--scratch-path .build/tsan)
sharing_targets_brief=RealtimeTests,UnitRenderTests,UnitModelTests,PlayersTests,RecorderUnitTests
sharing_targets=$sharing_targets_brief,MIDIEffectUnitTests,GraphTests,SessionTests
sharing_tests='(Structure|Together|ControlSound|OSC|Reconnect)Tests'

# The same without sessions and graphs.
tsan-brief() {
  AURICLE_THREAD_SANITIZER=1 sanitized tsan "$sharing_targets_brief" '' "${tsan_build[@]}"
}

# Runs tests in test targets that are built with a sanitizer, and those of live sessions, if any, with programs that are.
#
# Usage: sanitized NAME TARGETS LIVE-TESTS BUILD-OPTIONS
sanitized() {
  local name=$1 targets=$2 live=$3
  shift 3
  if [ -n "$live" ]; then swift build "$@" --product auricle || return 1; fi
  AURICLE_TEST_TARGETS=$targets suite "$name.parts" "$@" -- . || return 1
  if [ -n "$live" ]; then
    AURICLE_THREAD_SANITIZER='' AURICLE_PRODUCTS=$PWD/.build/$name/debug suite "$name" -- "^IntegrationTests\.($live)/" \
      || return 1
  fi
  cat "$logs/$name.parts.first.log" >>"$logs/$name.first.log"
}

# Suites that render as JACK's process thread does, where RealtimeSanitizer has something to see, and those of them
# with tests that cannot run under it.
rendering_tests='IntegrationTests|SessionTests|SamplerUnitTests|GraphTests|MIDIEffectUnitTests|ControlUnitTests|PlayersTests|MixerUnitTests'
rendering_tests+='|UnitPromiseTests|RecorderUnitTests|EnvironmentUnitTests|EffectsTests|TimePitchUnitTests|AudioEngineTests'
unwatched_tests='RealtimeGuardTests|PageFaultTests|HeldKeyTests|WebCommandTests|InstallTests|ShellLineTests'

# The objects of other stages, linked to the sanitizer's runtime: it needs no flag of the compiler. What tests render
# themselves is a debug build, the programs that they start are as shipped.
rtsan() {
  local runtime linked product
  runtime=$(clang --print-file-name="libclang_rt.rtsan-$(uname -m).a")
  linked=(-Xlinker --whole-archive -Xlinker "$runtime" -Xlinker --no-whole-archive -Xlinker --export-dynamic)
  for product in auricle RealtimeGuardProbe OwnUnit PlayGraph EngineTour SaveProbe ValidationProbe; do
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

stages=${*:-lint calls worst debug rtsan asan-brief tsan-brief}
for name in $stages; do
  case $name in lint | calls | worst | debug | asan | tsan | rtsan | asan-brief | tsan-brief) ;; *) echo "unknown stage: $name" >&2 && exit 2 ;; esac
  echo "== $name"
  start=$SECONDS
  suite=${name%-brief}
  rm -f "$logs/$suite".{first,again}.log "$logs/$suite.alone"
  "$name" 2>&1 | tee "$logs/$name.log"
  status=$?
  closing=
  if [[ " lint calls worst " != *" $name "* ]]; then
    closing="$(test_count "$suite.first") tests"
    [ ! -e "$logs/$suite.alone" ] || closing+=", $(<"$logs/$suite.alone")"
  fi
  [ $status = 0 ] && verdict=passed || verdict=FAILED
  summary+=("$(printf '%-10s %s after %4d s  %s' "$name" "$verdict" $((SECONDS - start)) "$closing")")
  if [ $status != 0 ]; then
    echo "== what failed"
    failures "$name"
    printf '%s\n' "${summary[@]}"
    exit 1
  fi
done
printf '%s\n' "${summary[@]}"
