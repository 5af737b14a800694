#!/bin/sh
# Installs Paylink on Debian 13 as services with PostgreSQL and nginx, or updates it: docs/operate/install.md. As root, in a folder with
# this repository:
#   sh ops/install.sh --domain pay.shop.example --email you@shop.example     certificate of Let's Encrypt
#   sh ops/install.sh --domain pay.shop.example                             certificate that it signs itself
# Run again, it changes what is missing or new and nothing else. Keys, passwords, settings, certificates and data stay.
set -eu
umask 022

SOURCE=$(cd "$(dirname "$0")/.." && pwd)
PROGRAM=/srv/paylink
SETTINGS=/etc/paylink
DATA=/var/lib/paylink
BACKUPS=/var/backups/paylink
UNITS=/etc/systemd/system
SITE=/etc/nginx/conf.d/paylink.conf
domain='' email=''

say() { printf '%s\n' "$*"; }
fail() { say "$*" >&2; exit 1; }
has_systemd() { [ -d /run/systemd/system ]; }

while [ $# -gt 0 ]; do
  case $1 in
    --domain) [ $# -gt 1 ] || fail "--domain needs a name"; domain=$2; shift 2 ;;
    --email) [ $# -gt 1 ] || fail "--email needs an address"; email=$2; shift 2 ;;
    *) fail "usage: sh ops/install.sh --domain NAME [--email ADDRESS]" ;;
  esac
done
cd /
[ "$(id -u)" = 0 ] || fail "run it as root"
[ "$SOURCE" != "$PROGRAM" ] || fail "run it in another folder than $PROGRAM, which it replaces: git clone $PROGRAM ~/paylink"
if [ -z "$domain" ] && [ -f "$SETTINGS/paylink.env" ]; then
  domain=$(sed -n 's#^PUBLIC_URL=https://##p' "$SETTINGS/paylink.env")
fi
printf '%s' "$domain" | grep -Eq '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$' || fail "--domain NAME is the host under which people reach the payment page"

install_packages() {
  packages='ca-certificates npm nginx openssl postgresql postgresql-client'
  [ -z "$email" ] || packages="$packages certbot"
  missing=''
  for package in $packages; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q ' installed$' || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  say "installing$missing"
  apt-get -qq update
  # Without recommended packages: npm recommends a compiler.
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $missing >/dev/null
}

make_user_and_folders() {
  id paylink >/dev/null 2>&1 || useradd --system --home-dir "$DATA" --shell /usr/sbin/nologin paylink
  install -d -m 711 "$SETTINGS"
  install -d -m 700 -o paylink -g paylink "$DATA"
  install -d -m 700 "$BACKUPS"
}

# The newest cluster of Debian's PostgreSQL: its port.
start_postgres() {
  cluster=$(pg_lsclusters --no-header | tail -n 1)
  [ -n "$cluster" ] || fail "PostgreSQL has no cluster: pg_createcluster 17 main"
  # shellcheck disable=SC2086
  set -- $cluster
  version=$1 port=$3
  pg_ctlcluster "$version" "$2" status >/dev/null 2>&1 && return 0
  if has_systemd; then systemctl start "postgresql@$version-$2"; else pg_ctlcluster "$version" "$2" start; fi
}

as_postgres() { runuser -u postgres -- "$@"; }

make_database() {
  role=$(as_postgres psql -p "$port" -tAc "select 1 from pg_roles where rolname = 'paylink_owner'")
  [ -z "$role" ] || return 0
  [ ! -f "$SETTINGS/owner.env" ] || fail "$SETTINGS/owner.env exists, but the role paylink_owner does not: restore the database (docs/operate/backup.md)"
  say "creating the database and its two roles"
  OWNER_PASSWORD=$(openssl rand -hex 24) APP_PASSWORD=$(openssl rand -hex 24)
  export OWNER_PASSWORD APP_PASSWORD
  # The settings first: a password that no file has could not be found again.
  write_settings
  # runuser keeps the environment, so that no password is among the arguments of a process.
  as_postgres psql -p "$port" --quiet --set=ON_ERROR_STOP=1 <"$SOURCE/lib/platform/db/roles.sql"
}

write_settings() {
  (
    umask 077
    cat >"$SETTINGS/owner.env" <<END
MIGRATE_DATABASE_URL=postgres://paylink_owner:$OWNER_PASSWORD@127.0.0.1:$port/paylink
END
    [ -f "$SETTINGS/paylink.env" ] || cat >"$SETTINGS/paylink.env" <<END
# Every variable: docs/operate/settings.md. Keep a copy of SECRET_KEY apart from the database.
SECRET_KEY=$(openssl rand -hex 32)
DATABASE_URL=postgres://paylink_app:$APP_PASSWORD@127.0.0.1:$port/paylink
PUBLIC_URL=https://$domain
TRUSTED_PROXIES=127.0.0.1
DATA_DIR=$DATA
BACKUP_DIR=$BACKUPS
END
  )
  chown paylink "$SETTINGS/paylink.env"
}

# A checksum of the sources, so that the same ones are not built twice.
describe_source() {
  (cd "$1" && find . \( -name node_modules -o -name .git -o -name .next -o -name dist -o -name data \) -prune -o \
    -type f ! -path './public/checkout*' ! -name .env ! -name .sources ! -name next-env.d.ts ! -name '*.tsbuildinfo' -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -d' ' -f1)
}

# Builds the new program in a folder of its own. The old one runs meanwhile.
build() {
  sources=$(describe_source "$SOURCE")
  is_new=no
  if [ -f "$PROGRAM/.sources" ] && [ "$(cat "$PROGRAM/.sources")" = "$sources" ]; then
    say "the program is up to date"
    return 0
  fi
  is_new=yes
  say "building the program (some minutes)"
  rm -rf "$PROGRAM.new"
  mkdir -p "$PROGRAM.new"
  tar -C "$SOURCE" -cf - --exclude=./node_modules --exclude=./.git --exclude=./.next --exclude=./dist --exclude=./data \
    --exclude=./.env --exclude='./public/checkout*' . | tar -C "$PROGRAM.new" --no-same-owner -xf -
  (cd "$PROGRAM.new" && npm ci --no-audit --no-fund --loglevel=error && npm run --silent build)
  # Shops that pinned a version of the script keep it.
  [ ! -d "$PROGRAM/public" ] || find "$PROGRAM/public" -name 'checkout-*.js' -exec cp -n {} "$PROGRAM.new/public/" \;
  ln -sfn "$SETTINGS/paylink.env" "$PROGRAM.new/.env"
  printf '%s\n' "$sources" >"$PROGRAM.new/.sources"
}

paylink() { (cd "$PROGRAM" && node_modules/.bin/node lib/cli/main.ts "$@"); }
as_owner() { (set -a && . "$SETTINGS/owner.env" && set +a && paylink "$@"); }

replace_program() {
  [ "$is_new" = yes ] || return 0
  if [ -d "$PROGRAM" ]; then
    say "backing up the database"
    as_owner backup
    if has_systemd; then systemctl stop 'paylink-web@*' paylink-worker; fi
    rm -rf "$PROGRAM.old"
    mv "$PROGRAM" "$PROGRAM.old"
  fi
  mv "$PROGRAM.new" "$PROGRAM"
  as_owner migrate --grant paylink_app
}

install_units() {
  for unit in paylink-web@ paylink-worker paylink-migrate; do
    cmp -s "$PROGRAM/docs/operate/systemd/$unit.service" "$UNITS/$unit.service" ||
      install -m 644 "$PROGRAM/docs/operate/systemd/$unit.service" "$UNITS/$unit.service"
  done
  has_systemd || { say "systemd does not run here: start the services yourself"; return 0; }
  systemctl daemon-reload
  systemctl enable --now paylink-worker paylink-web@3000
}

make_certificate() {
  install -d -m 700 "$SETTINGS/tls"
  [ ! -e "$SETTINGS/tls/key.pem" ] || return 0
  say "signing a certificate for $domain"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 -subj "/CN=$domain" \
    -addext "subjectAltName=DNS:$domain" -keyout "$SETTINGS/tls/key.pem" -out "$SETTINGS/tls/cert.pem" 2>/dev/null
}

write_site() {
  new=$(mktemp)
  sed "s/DOMAIN/$domain/g" "$SOURCE/ops/nginx.conf" >"$new"
  if ! cmp -s "$new" "$SITE"; then install -m 644 "$new" "$SITE"; fi
  rm -f "$new"
  nginx -q -t
  if has_systemd; then systemctl enable --now nginx && systemctl reload nginx; fi
}

# nginx answers the question of Let's Encrypt, so it comes after the site.
request_certificate() {
  [ -n "$email" ] || return 0
  certbot certonly --non-interactive --agree-tos --keep-until-expiring --email "$email" --webroot -w /var/www/html -d "$domain" \
    --deploy-hook 'systemctl reload nginx'
  ln -sfn "/etc/letsencrypt/live/$domain/privkey.pem" "$SETTINGS/tls/key.pem"
  ln -sfn "/etc/letsencrypt/live/$domain/fullchain.pem" "$SETTINGS/tls/cert.pem"
  if has_systemd; then systemctl reload nginx; fi
}

install_packages
make_user_and_folders
start_postgres
make_database
build
replace_program
install_units
make_certificate
write_site
request_certificate
say "Paylink is installed for https://$domain. Next, in $PROGRAM:"
say "  add networks and account keys to $SETTINGS/paylink.env (docs/operate/nodes.md, wallets.md), restart, and run"
say "  npm run -s paylink -- doctor"
say "  npm run -s paylink -- merchant create --email you@example.com --name 'Your shop'"
