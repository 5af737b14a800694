#!/bin/sh
# Runs ops/install.sh on a bare Debian root twice, starts what it installed by hand, then updates it and looks whether the data are
# still there. As root; it needs debootstrap, the network and about ten minutes. No systemd runs in it: systemd-analyze checks the units.
#   sh tests/long/operators/try-install.sh /tmp/paylink-root
# NPM_CACHE is a folder of npm's cache to use.
set -eu
ROOT=${1:?the folder of the Debian root, new or made by an earlier run}
TREE=$(cd "$(dirname "$0")/../../.." && pwd)
[ -d "$ROOT/etc" ] || debootstrap --variant=minbase trixie "$ROOT"
for name in proc sys dev; do mountpoint -q "$ROOT/$name" || mount --rbind "/$name" "$ROOT/$name"; done
# Everything that runs in the root: a signal to chroot does not reach the program that runuser started.
stop_programs() {
  for place in /proc/[0-9]*; do
    case "$(readlink "$place/exe" 2>/dev/null)" in "$ROOT"/*/node | /srv/paylink/*/node) ;; *) continue ;; esac
    if [ "$(readlink "$place/root")" = "$ROOT" ]; then kill "${place#/proc/}" 2>/dev/null || true; fi
  done
}
finish() {
  stop_programs
  in_root sh -c 'pg_lsclusters -h | while read -r version name rest; do pg_ctlcluster $version $name stop -m fast; done; nginx -s stop' >/dev/null 2>&1 || true
  for name in dev sys proc; do umount -R -l "$ROOT/$name" || true; done
}
in_root() { chroot "$ROOT" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root NODE_EXTRA_CA_CERTS=/etc/ssl/extra.pem npm_config_cache=/var/cache/npm "$@"; }
trap finish EXIT
cp /etc/resolv.conf "$ROOT/etc/resolv.conf"
mkdir -p "$ROOT/etc/ssl" "$ROOT/root/paylink"
cp /etc/ssl/certs/ca-certificates.crt "$ROOT/etc/ssl/extra.pem"
[ -z "${NPM_CACHE:-}" ] || { mkdir -p "$ROOT/var/cache/npm" && cp -an "$NPM_CACHE/." "$ROOT/var/cache/npm/"; }
git -C "$TREE" archive HEAD | tar -x -C "$ROOT/root/paylink"

state() {
  (cd "$ROOT" && sha256sum etc/paylink/*.env etc/paylink/tls/* etc/nginx/conf.d/paylink.conf etc/systemd/system/paylink-* srv/paylink/.sources &&
    stat -c '%a %U %n' etc/paylink etc/paylink/*.env etc/paylink/tls var/lib/paylink var/backups/paylink)
}
say() { printf '\n== %s\n' "$*"; }
install_it() { in_root sh /root/paylink/ops/install.sh "$@"; }

say "first run"
install_it --domain pay.test.example
state >"$ROOT/tmp/first"
say "second run"
install_it --domain pay.test.example
state | diff "$ROOT/tmp/first" - && echo "the second run changed nothing"

say "units"
# The package has what the units are checked with. It does not run.
in_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends systemd >/dev/null
in_root systemd-analyze verify paylink-web@3000.service paylink-worker.service paylink-migrate.service && echo "units are valid"

say "start"
start() { # as the unit does: environment file, user, folder
  in_root runuser -u paylink -- sh -c 'set -a; . /etc/paylink/paylink.env; set +a; cd /srv/paylink; exec env '"$1"' node_modules/.bin/node lib/server/main.ts' >"$ROOT/tmp/$2.log" 2>&1 &
}
wait_for() { n=0; until curl -fsSk -o /dev/null "$@" 2>/dev/null; do n=$((n + 1)); [ $n -lt 120 ] || { for log in "$ROOT"/tmp/*.log; do tail -n 5 "$log"; done; exit 1; }; sleep 1; done; }
start 'ROLES=web PORT=3000 OPERATIONS_PORT=' web
start 'ROLES=worker OPERATIONS_PORT=3100' worker
in_root nginx
wait_for http://127.0.0.1:3000/readyz
wait_for http://127.0.0.1:3100/readyz
https() { curl -sSk --resolve pay.test.example:443:127.0.0.1 "$@"; }
echo "http: $(curl -s -o /dev/null -w '%{http_code} %{redirect_url}' -H 'Host: pay.test.example' http://127.0.0.1/status)"
echo "https: $(https -o /dev/null -w '%{http_code}' https://pay.test.example/status)"
echo "websocket: $(https --http1.1 -o /dev/null -m 3 -w '%{http_code}' -H 'Connection: Upgrade' -H 'Upgrade: websocket' \
  -H 'Sec-WebSocket-Version: 13' -H 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==' 'https://pay.test.example/realtime/?EIO=4&transport=websocket' || true)"
paylink() { in_root sh -c 'cd /srv/paylink && exec node_modules/.bin/node lib/cli/main.ts "$@"' paylink "$@"; }
paylink merchant create --email shop@example.com --name Shop >/dev/null || true

say "update"
stop_programs
echo >>"$ROOT/root/paylink/README.md"
install_it
paylink merchant list | grep -q shop@example.com && echo "the update kept the data"
ls "$ROOT/var/backups/paylink"
(cd "$ROOT" && sha256sum etc/paylink/*.env) | diff - "$ROOT/tmp/first" | grep -q '^<' || echo "keys and passwords are the same"
