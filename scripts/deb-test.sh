#!/bin/bash
# Installs the Debian package in a clean Debian, plays and records there, and removes the package.
#
#   sudo scripts/deb-test.sh [PACKAGE]     the one in out/ unless given
#
# The clean Debian has this machine's release, package sources and network settings. It needs root, about 1 GB in
# TMPDIR (/var/tmp) and a minute or two. All mounts and processes are in namespaces that end with the script.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "error: $*" >&2
  exit 1
}

if [ "${1:-}" != --inside ]; then
  [ "$(id -u)" = 0 ] || fail "a clean Debian can only be made by root: sudo scripts/deb-test.sh"
  shopt -s nullglob
  packages=("${1:-}")
  [ $# != 0 ] || packages=(out/auricle_*.deb)
  [ ${#packages[@]} = 1 ] && [ -f "${packages[0]}" ] || fail "one package is needed, found: ${packages[*]:-none}; make deb"
  work=$(mktemp -d "${TMPDIR:-/var/tmp}/auricle-deb-test.XXXXXX")
  test=
  # shellcheck disable=SC2317
  clean() {
    [ -z "$test" ] || { kill "$test" && wait "$test"; } 2>/dev/null || true
    # The service manager of the test has made these below this script's own.
    own=$(sed -n 's|^0::\(.*[^/]\)*/*$|\1|p' /proc/self/cgroup)
    find /sys/fs/cgroup -depth -type d -newer "$work/start" \
      \( -path "*$own/init.scope" -o -path "*$own/app.slice*" \) -exec rmdir {} + 2>/dev/null || true
    rm -rf --one-file-system "$work"
  }
  trap clean EXIT
  trap 'exit 1' INT TERM HUP
  touch "$work/start"
  SECONDS=0
  unshare --mount --propagation private --pid --fork --kill-child \
    scripts/deb-test.sh --inside "$(realpath "${packages[0]}")" "$work" &
  test=$!
  wait "$test"
  test=
  echo "deb-test: passed in $SECONDS seconds"
  exit
fi

package=$2
root=$3/root
step() { echo "deb-test: $*"; }
unset JACK_DEFAULT_SERVER JACK_NO_START_SERVER NSM_URL NOTIFY_SOCKET "${!XDG_@}"
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
inside() { chroot "$root" env HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@" </dev/null; }
musician() {
  chroot --userspec=musician:musician --groups=audio "$root" env HOME=/home/musician PATH=/usr/bin:/bin \
    XDG_RUNTIME_DIR=/run/musician "$@" </dev/null
}

release=$(. /etc/os-release && echo "$VERSION_CODENAME")
step "making a clean Debian ($release)"
sources=()
for file in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources; do
  [ ! -s "$file" ] || ! grep -qE '^(deb|URIs)' "$file" || sources+=("$file")
done
apt-config dump | grep -E '^Acquire::(http|https|ftp|Check-|ForceIPv|Retries)' >"$3/apt.conf" || true
# A manual, completion and systemd are what a person's machine has; the package needs none of them.
mmdebstrap --quiet --mode=root --variant=apt --include=man-db,bash-completion,systemd --aptopt="$3/apt.conf" \
  "$release" "$root" "${sources[@]}"
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
cp --remove-destination -L /etc/resolv.conf /etc/hosts "$root/etc/"
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"
inside useradd --create-home musician
inside install -d -o musician -m 700 /run/musician
cp "$package" "$root/root/"

step "installing $(basename "$package")"
inside apt-get update -q >"$3/apt.log" 2>&1 || { cat "$3/apt.log" >&2; fail "apt does not reach its sources"; }
inside apt-get install -y -q "/root/$(basename "$package")" >"$3/apt.log" 2>&1 || {
  tail -n 40 "$3/apt.log" >&2
  fail "apt could not install the package"
}
files=$(inside dpkg -L auricle | grep -vx '/\.')
rm "$root/root/$(basename "$package")"

inside auricle --version
if inside ldd /usr/bin/auricle | grep -iE 'not found|swift'; then fail "these libraries are missing, or Swift's"; fi
swift=$(find "$root" -xdev \( -name 'swift' -o -name 'swiftc' -o -name 'libswift*' -o -name 'lib*Foundation*' \))
[ -z "$swift" ] || fail "there is Swift: $swift"
inside man --where auricle
inside man auricle | grep 'auricle bounce' >/dev/null || fail "the manual page does not mention auricle bounce"
inside bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader auricle; complete -p auricle' \
  || fail "bash does not complete auricle"
for file in zsh/vendor-completions/_auricle fish/vendor_completions.d/auricle.fish auricle/config/layers.toml \
  doc/auricle/copyright doc/auricle/README.md doc/auricle/docs/Configuration.md; do
  [ -s "$root/usr/share/$file" ] || fail "/usr/share/$file is missing"
done
musician auricle run --list | grep '^layers ' >/dev/null || fail "auricle run --list does not show the configuration layers"
musician systemd-analyze --user verify auricle@layers.service || fail "systemd refuses the service"

step "playing on a server without a sound card"
musician jackd --no-mlock --no-realtime -d dummy -r 48000 -p 1024 >"$3/jackd.log" 2>&1 &
# Two seconds of middle C.
printf 'MThd\0\0\0\6\0\0\0\1\1\xe0MTrk\0\0\0\x0d\0\x90\x3c\x64\x8f\0\x80\x3c\0\0\xff\x2f\0' >"$root/home/musician/song.mid"
shows() {
  for _ in {1..300}; do
    if grep -qs "$2" "$1"; then return; fi
    sleep 0.1
  done
  cat "$1" >&2
  fail "within half a minute there was no '$2' in $(basename "$1")"
}
for _ in {1..100}; do
  ! musician auricle doctor 2>/dev/null | grep '48000 Hz' >/dev/null || break
  sleep 0.1
done
musician auricle record /home/musician/take.wav --client-name tape --from 'auricle:*' --seconds 2 >"$3/record.log" 2>&1 &
record=$!
shows "$3/record.log" '^ready: tape 48000 Hz, 1024 frames'
musician auricle play /home/musician/song.mid >"$3/play.log" 2>&1 || { cat "$3/play.log" >&2; fail "auricle play failed"; }
wait $record || { cat "$3/record.log" >&2; fail "auricle record failed"; }
grep '^ready' "$3/play.log"
musician auricle bounce general-midi --midi /home/musician/song.mid --output /home/musician/bounce.wav --format 16
musician auricle convert /home/musician/take.wav /home/musician/recorded.wav --format 16
# Python is there because jackd2 needs it. Its module for WAV refuses the files' extensible header.
loudness() {
  musician python3 -c 'import array, sys
samples = open(sys.argv[1], "rb").read().partition(b"data")[2][4:]
print(max(map(abs, array.array("h", samples[: len(samples) // 2 * 2]))))' "/home/musician/$1"
}
for file in recorded.wav bounce.wav; do
  peak=$(loudness "$file")
  step "the peak of $file is $peak of 32768"
  [ "$peak" -ge 100 ] || fail "$file is silent"
done

step "running a session as a service"
# Root's own service manager, since it may make control groups.
service() { inside XDG_RUNTIME_DIR=/run/service SYSTEMD_IGNORE_CHROOT=1 systemctl --user "$@"; }
inside jackd --no-mlock --no-realtime -d dummy -r 48000 -p 1024 >"$3/jackd.log" 2>&1 &
inside install -d -m 700 /run/service /run/systemd/system
inside XDG_RUNTIME_DIR=/run/service /lib/systemd/systemd --user --log-target=console >"$3/systemd.log" 2>&1 &
manager=$!
for _ in {1..100}; do
  ! service show -P Version >/dev/null 2>&1 || break
  sleep 0.1
done
# The start ends when the session is ready.
service start auricle@layers || { cat "$3/systemd.log" >&2; fail "the service does not start"; }
status=$(service show -P StatusText auricle@layers)
step "the status of the service is '$status'"
[ "$status" = "ready: layers 48000 Hz, 1024 frames" ] || fail "that is no ready line"
service reload auricle@layers || fail "the service does not reload"
service stop auricle@layers
result=$(service show -P Result auricle@layers) # "success", or a reason
[ "$result" = success ] || fail "the service has ended with: $result"
kill $manager
wait $manager || true

step "removing it"
inside apt-get purge -y -q auricle >"$3/purge.log" 2>&1 || { cat "$3/purge.log" >&2; fail "apt could not remove the package"; }
rest=$(for file in $files; do [ ! -e "$root$file" ] || inside dpkg -S "$file" >/dev/null 2>&1 || echo "$file"; done)
# The manual's own cache, and the folders of users, are not the package's.
rest+=$(find "$root" -xdev -name '*auricle*' -not -path "$root/var/cache/man/*" -not -path "$root/run/*" \
  -not -path "$root/home/*" -printf '/%P ')
[ -z "$rest" ] || fail "apt purge leaves: $rest"
