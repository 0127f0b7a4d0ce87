#!/bin/bash
# Measures two machines that NetJACK2 couples, in network namespaces of this one; docs/TwoMachines.md explains them.
#
#   sudo scripts/two-machines.sh [AURICLE [PERIOD ...]]     64, 128 and 256 frames unless given
#
# AURICLE is the program, .build/release/auricle unless given. config/studio.toml plays config/sound.toml. Checks the
# latency at each period. At the last one it also pulls the cable for three seconds: no note may hang, and the
# sessions have to resume. A deviation ends the script with status 1. It needs root, and leaves no process and no
# namespace.
set -euo pipefail
root=$(realpath "$(dirname "$0")/..")
latency=2 # in cycles
# The status if the servers do not find each other: jackd sometimes fails at that, so it is tried three times.
uncoupled=3

# The first process holds a namespace with all others, which end with it. Each period has namespaces of its own.
apart() { unshare --net --mount --pid --fork --kill-child "$@"; }
case ${1:-} in
  --all)
    for period in "${@:3}"; do
      pulls=
      [ "$period" != "${!#}" ] || pulls=pull
      for _ in 1 2 3; do
        status=0
        apart "$0" --measure "$2" "$period" $pulls || status=$?
        [ $status = $uncoupled ] || break
      done
      [ $status = 0 ] || exit 1
    done
    exit
    ;;
  --measure) ;;
  *)
    auricle=$(realpath "${1:-$root/.build/release/auricle}")
    shift || true
    [ $# != 0 ] || set -- 64 128 256
    exec unshare --mount --pid --fork --kill-child "$(realpath "$0")" --all "$auricle" "$@"
    ;;
esac
auricle=$2
period=$3
pulls=${4:-}
status=$uncoupled

fail() {
  echo "error: $period frames: $*" >&2
  for log in "$work"/*.log; do
    echo "== $(basename "$log")" >&2
    grep -vE 'xrun|XRun|Process error' "$log" | tail -n 20 >&2
  done
  exit "$status"
}

# Waits for half a minute.
eventually() {
  for _ in {1..300}; do
    if "$@" >/dev/null 2>&1; then return; fi
    sleep 0.1
  done
  fail "this did not come true: $*"
}

# The studio is this process; the sound machine, and the switch between them, are processes in other namespaces.
work=/dev/shm/two-machines
mount -t proc proc /proc
mount -t tmpfs tmpfs /dev/shm
mkdir "$work"
unshare --net --mount sh -c "mount -t tmpfs tmpfs /dev/shm && mkdir $work && exec sleep infinity" &
sound_machine=$!
unshare --net sleep infinity &
switch_machine=$!

export HOME=$work XDG_RUNTIME_DIR=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work XDG_STATE_HOME=$work
unset JACK_DEFAULT_SERVER NSM_URL
cd "$root"
at_sound() { nsenter --target "$sound_machine" --net --mount "$@"; }
at_switch() { nsenter --target "$switch_machine" --net "$@"; }
has_own_network() { [ "$(readlink "/proc/$1/ns/net")" != "$(readlink /proc/self/ns/net)" ]; }
eventually has_own_network "$sound_machine"
eventually has_own_network "$switch_machine"
eventually at_sound test -d "$work"

ip link add studio0 type veth peer name port1 netns "$switch_machine"
at_switch ip link add port2 type veth peer name sound0 netns "$sound_machine"
at_switch ip link add switch type bridge
at_switch ip link set switch up
for port in port1 port2; do at_switch ip link set "$port" master switch up; done
ip link set lo up
ip address add 10.77.0.1/24 dev studio0
ip link set studio0 up
ip route add 225.3.19.154 dev studio0
at_sound ip link set lo up
at_sound ip address add 10.77.0.2/24 dev sound0
at_sound ip link set sound0 up
at_sound ip route add 225.3.19.154 dev sound0

cable() { for port in port1 port2; do at_switch ip link set "$port" "$1"; done; }

has_port() { jack_lsp | grep -q "$1"; }
voices() { at_sound "$auricle" ctl status --json | grep -qE "\"voices\" : $1"; }
is_coupled() {
  jack_lsp -c studio:keys_midi_out | grep -q :midi_to_slave_1 &&
    jack_lsp -c studio:desk_in_1_1 | grep -q :from_slave_1 &&
    at_sound jack_lsp -c sound:band_midi_in | grep -q system:midi_capture_1 &&
    at_sound jack_lsp -c sound:band_out_1 | grep -q system:playback_1
}

# A machine that loses a cycle may disturb a measurement, not all of them.
#
# Usage: expect_onset MIDI-PORT AUDIO-PORT CYCLES
expect_onset() {
  local expected=$(($3 * period + 1)) found='' _
  for _ in {1..5}; do
    found=$("$auricle" probe --midi "$1" --audio "$2" --notes 4 --interval 0.25 2>&1 | tee -a "$work/probe.log" \
      | sed -n 's/^onset latency *//p') || true
    if [[ $found == "$expected to $expected frames,"* ]]; then
      echo "$period frames: $1 to $2: $expected frames, spread 0"
      return
    fi
  done
  fail "$1 to $2: $expected frames expected, '$found' found"
}

jackd -R -P 60 -d dummy -r 48000 -p "$period" >"$work/studio-server.log" 2>&1 &
eventually has_port system:playback_1
# Four MIDI ports, for room: jackd ends if the MIDI events of a cycle take more than ports x period x 4 bytes.
jack_load netmanager >"$work/netmanager.log" 2>&1
at_sound jackd -R -P 60 -d net -C 2 -P 2 -i 4 -o 4 -n sound -l $latency >"$work/sound-server.log" 2>&1 &
eventually has_port sound:from_slave_1
eventually at_sound jack_lsp system:midi_capture_1
at_sound "$auricle" run "$root/config/sound.toml" >"$work/sound.log" 2>&1 &
"$auricle" run "$root/config/studio.toml" >"$work/studio.log" 2>&1 &
eventually is_coupled
status=1

# The session at the studio sends and receives, which JACK can only do a cycle apart.
expect_onset sound:midi_to_slave_1 sound:from_slave_1 $((latency + 1))
expect_onset studio:keys_midi_in studio:desk_out_1 $((latency + 2))

if [ -n "$pulls" ]; then
  at_sound "$auricle" ctl sound band "Church Organ"
  eventually voices 0
  # A key that is down most of the time.
  jack_midiseq player 240000 24000 60 211200 >"$work/player.log" 2>&1 &
  player=$!
  eventually jack_connect player:out studio:keys_midi_in
  eventually voices '[1-9]'
  cable down
  kill "$player"
  sleep 3 # After one second without a packet the driver restarts, and registers its ports again.
  cable up
  eventually voices 0
  eventually is_coupled
  expect_onset studio:keys_midi_in studio:desk_out_1 $((latency + 2))
  echo "after a pulled cable: no hanging note, and the same latency"
fi
