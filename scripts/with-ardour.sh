#!/bin/bash
# Measures Auricle together with Ardour 7, without a display; docs/WithADAW.md explains the figures.
#
#   sudo scripts/with-ardour.sh [AURICLE [PERIOD ...]]     64, 256 and 1024 frames unless given
#
# AURICLE is the program, .build/release/auricle unless given. with-ardour.lua makes the sessions and plays them in
# ardour7-lua, on a server of its own. Prints a line for each figure. A deviation ends the script with status 1, and
# status 2 says that Ardour is missing. It needs root, takes about six minutes for each period, and leaves no process.
set -euo pipefail
root=$(realpath "$(dirname "$0")/..")

for program in ardour7-lua jackd jack_lsp; do
  if ! command -v $program >/dev/null; then
    echo "error: $program is missing; on Debian 12: apt install --no-install-recommends ardour jackd2" >&2
    exit 2
  fi
done
# All processes end with the first one of their namespace, and that one with this script.
if [ "${1:-}" != --measure ]; then
  auricle=$(realpath "${1:-$root/.build/release/auricle}")
  shift || true
  [ $# != 0 ] || set -- 64 256 1024
  trap '[ -z "${measurement:-}" ] || kill -KILL $measurement 2>/dev/null || true' EXIT
  trap 'exit 130' INT TERM
  for period in "$@"; do
    setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child "$(realpath "$0")" --measure "$auricle" "$period" &
    measurement=$!
    wait $measurement
  done
  exit
fi
auricle=$2
period=$3

work=/dev/shm/with-ardour
mount -t proc proc /proc
mount -t tmpfs tmpfs /dev/shm
mkdir -p "$work/home/.config/ardour7/export"
export HOME=$work/home XDG_RUNTIME_DIR=$work JACK_DEFAULT_SERVER=with-ardour
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME NSM_URL
cd "$root"

fail() {
  echo "error: $period frames: $*" >&2
  for log in "$work"/*.log; do
    echo "== $(basename "$log")" >&2
    grep -vE 'xrun|XRun|Process error|^ *$|OUT OF SYNC' "$log" | tail -n 20 >&2
  done
  exit 1
}

# Configurations: config/daw.toml as it is, and others for the same tracks.
cat >"$work/look-ahead.toml" <<END
[client]
name = "rack"
[[unit]]
id = "keys"
component = "sampler"
soundfont = "TimGM6mb.sf2"
[[unit]]
id = "limiter"
component = "limiter"
look-ahead = 20
[[connect]]
from = "ardour:Keys/midi_out*"
to = "keys"
[[connect]]
from = "keys"
to = "limiter"
[[connect]]
from = "limiter"
to = "ardour:Return/audio_in*"
END
cat >"$work/insert.toml" <<END
[client]
name = "rack"
[[unit]]
id = "effect"
component = "limiter"
look-ahead = 20
bypass = true
[[connect]]
from = "ardour:insert 1/audio_send 1"
to = "effect"
[[connect]]
from = "effect"
to = "ardour:insert 1/audio_return 1"
END
cat >"$work/player.toml" <<END
[client]
name = "rack"
[[unit]]
id = "track"
component = "player"
file = "$work/daw.wav"
parameters = { transport = true }
[[connect]]
from = "track"
to = "ardour:Return/audio_in*"
END
cat >"$work/arpeggio.toml" <<END
[client]
name = "rack"
[[unit]]
id = "steps"
component = "midi"
midi = [ { stage = "arpeggiator", rate = "1/4", gate = 20 } ]
[[unit]]
id = "tone"
component = "tone"
parameters = { fadeIn = 0, fadeOut = 0 }
[[connect]]
from = "ardour:Keys/midi_out*"
to = "steps"
[[connect]]
from = "steps"
to = "tone"
[[connect]]
from = "tone"
to = "ardour:Return/audio_in*"
END

# Exports 32-bit float files at the session's rate.
cat >"$HOME/.config/ardour7/export/float.preset" <<END
<?xml version="1.0" encoding="UTF-8"?>
<ExportPreset id="6c1f5a1e-7d0c-4b0c-9d5e-0a4d5e5f7a11" name="Float">
  <ExportFormat id="20b4ab09-6452-4cb3-bd66-b921cdbd2942"/>
  <ExportFilename><Folder relative="1" path="export"/><Field name="timespan" enabled="1"/></ExportFilename>
</ExportPreset>
END

# Ardour's choice of JACK as the source of its position, for sessions that have sync=jack only.
choose_sync() {
  rm -f "$HOME/.config/ardour7/config"
  if [[ $* == *sync=jack* && $* != *take=make* ]]; then
    cat >"$HOME/.config/ardour7/config" <<END
<?xml version="1.0" encoding="UTF-8"?>
<Ardour>
  <Config/>
  <TransportMasters current="JACK Transport">
    <TransportMaster type="Engine" name="JACK Transport" collect="1" removeable="0"/>
  </TransportMasters>
</Ardour>
END
  fi
}

ardour() {
  choose_sync "$@"
  timeout 90 ardour7-lua "$root/scripts/with-ardour.lua" "$work/session" period="$period" "$@" \
    >"$work/ardour.log" 2>&1 || true
  ! grep -q 'JACK HALTED' "$work/ardour.log" && grep -q '^done' "$work/ardour.log"
}

make_session() {
  rm -rf "$work/session"
  for _ in 1 2 3; do ardour "$@" take=make && return; done
  fail "Ardour makes no session"
}

# Runs Auricle next to a session. Auricle starts first or, with AFTER, once Ardour's ports are there.
beside() {
  local -a command=("$auricle" "$1" "$2" "${options[@]}")
  shift 2
  if [ "$order" = after ]; then
    (
      until jack_lsp 2>/dev/null | grep -q '^ardour:'; do sleep 0.2; done
      sleep 2
      exec "${command[@]}"
    ) >"$work/auricle.log" 2>&1 &
  else
    "${command[@]}" >"$work/auricle.log" 2>&1 &
  fi
  local pid=$! status=0
  if [ "$order" = before ]; then
    for _ in {1..100}; do
      grep -q '^ready' "$work/auricle.log" && break
      sleep 0.1
    done
  fi
  ardour "$@" || status=1
  kill -INT $pid 2>/dev/null || true
  wait $pid || true
  return $status
}

# An overloaded machine loses cycles, and Ardour its connection to a server that is asked by many at once. That
# disturbs a measurement, not all of them.
#
# Usage: expect TEXT PATTERN OF A LINE COMMAND CONFIGURATION ARGUMENTS OF with-ardour.lua
expect() {
  local text=$1 pattern=$2 command=$3 file=$4 _
  shift 4
  for _ in {1..8}; do
    make_session "$@"
    if beside "$command" "$file" "$@" && found "$pattern" "$command" "$file"; then
      if [[ $line == sound* ]]; then line="$((${line##* } - reference)) frames late"; fi
      printf '%5d frames: %-62s %s\n' "$period" "$text" "$line"
      return
    fi
  done
  fail "$text: '$pattern' expected, this found: $(grep -E '^(sound|no sound|-?[0-9]+ )' "$work/ardour.log" | head -n 8 | tr '\n' ';')"
}

# Finds the result as a line: of Ardour's, of the sounds of a take, or of the messages on a monitor.
found() {
  case $2 in
    record)
      ardour7-lua "$root/scripts/with-ardour.lua" "$3" take=file >"$work/ardour.log" 2>&1 || true
      rm -f "$3"*
      ;;
    monitor)
      echo "$(grep -c 'note on ' "$work/auricle.log") notes, $(grep -c ' program ' "$work/auricle.log") programs" \
        >>"$work/ardour.log"
      ;;
  esac
  line=$(grep -E "^($1)$" "$work/ardour.log" | head -n 1)
  [ -n "$line" ]
}

jackd -R -P 60 -n with-ardour -d dummy -r 48000 -p "$period" >"$work/server.log" 2>&1 &
for _ in {1..100}; do
  jack_lsp 2>/dev/null | grep -q system:playback_1 && break
  sleep 0.1
done

make_session
cp "$work/session/events.mid" "$work"
"$auricle" bounce config/daw.toml --midi "$work/events.mid" --output "$work/daw.wav" >"$work/bounce.log" 2>&1
"$auricle" bounce "$work/look-ahead.toml" --midi "$work/events.mid" --output "$work/look-ahead.wav" \
  >>"$work/bounce.log" 2>&1

order=before
options=()
look=960
late=$((period + 16))
same="same=$work/daw.wav"
input="wait=Return/audio_in 1"
keys="wait=Keys/midi_out 1"
insert="wait=insert 1/audio_return 1"

# The frame at which a sound lies on the timeline.
reference=48037
bits="0 samples differ, by 0 at most"
expect "recorded, aligned automatically" "-$late frames late" run config/daw.toml take=record "$keys" "$input" "$same"
expect "recorded, aligned with capture time" "$late frames late" run config/daw.toml \
  take=record align=UseCaptureTime "$keys" "$input" "$same"
order=after
expect "recorded with capture time, Auricle started last" "$late frames late" run config/daw.toml \
  take=record align=UseCaptureTime "$keys" "$input" "$same"
order=before
expect "recorded with capture time, 20 ms of look-ahead" "$((late + look)) frames late" run "$work/look-ahead.toml" \
  take=record align=UseCaptureTime "$keys" "$input" "$same"
expect "recorded with look-ahead, the MIDI track played earlier" "0 frames late" run "$work/look-ahead.toml" \
  take=record align=UseCaptureTime ahead=$((late + look)) "$keys" "$input" "$same"
expect "recorded with the MIDI track played earlier, and a bounce" "$bits" run config/daw.toml \
  take=record align=UseCaptureTime ahead=$late "$keys" "$input" "$same"
expect "exported, 20 ms of look-ahead" "$((late + look)) frames late" run "$work/look-ahead.toml" \
  take=export wave=no "$keys" "$input" "$same"
expect "exported with look-ahead, the MIDI track played earlier" "0 frames late" run "$work/look-ahead.toml" \
  take=export wave=no ahead=$((late + look)) "$keys" "$input" "$same"
expect "port insert with 20 ms of look-ahead, not measured" "sound 1 at $((48037 + period - look))" run "$work/insert.toml" \
  take=export insert=0 "$insert"
expect "port insert with 20 ms of look-ahead, latency set" "sound 1 at 48037" run "$work/insert.toml" \
  take=export insert=$((late + 16 + look)) "$insert"
expect "player that follows the transport, recorded" "0 frames late" run "$work/player.toml" \
  take=record sync=jack wave=no "$input" "$same"
# Ardour states its position in ticks of 12.5 frames, rounded.
reference=48000
near=$(seq -s '|' $((48000 + period - 12)) $((48000 + period + 12)))
expect "arpeggio in time with the transport, recorded" "sound 2 at ($near)" run "$work/arpeggio.toml" \
  take=record sync=jack wave=no events=held seconds=2 "$keys" "$input"
options=(--from "ardour:Wave/audio_out*" --start transport)
reference=48037
expect "sound of Ardour in a recorder that follows the transport" "sound 1 at $((48037 - 2 * period))" \
  record "$work/take.wav" take=play sync=jack seconds=2 "wait=Wave/audio_out 1"
options=(--only note --only program)
expect "a note, exported live" "2 notes, 0 programs" monitor "ardour:Keys/midi_out*" take=export "$keys"
expect "a note after a locate behind a program" "1 notes, 0 programs" monitor "ardour:Keys/midi_out*" \
  take=play events=programs from=132000 seconds=1 "$keys"
