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
# The checksum of the site that was written last, the services that an update stopped, and a sign that the database is not made yet.
SITE_WRITTEN=$SETTINGS/site.sha256
STOPPED=$SETTINGS/stopped-units
UNFINISHED=$SETTINGS/database-unfinished
domain='' email=''

say() { printf '%s\n' "$*"; }
fail() { say "$*" >&2; exit 1; }
has_systemd() { [ -d /run/systemd/system ]; }

# The first value of a variable in paylink.env, without quotes.
read_setting() {
  [ -f "$SETTINGS/paylink.env" ] || return 0
  sed -n "s/^$1=//p" "$SETTINGS/paylink.env" | head -n 1 | sed "s/^'\(.*\)'\$/\1/; s/^\"\(.*\)\"\$/\1/"
}

# Tests of what goes into commands and files of root. In a subshell, since PostgreSQL takes its locale from the environment.
is_host() (LC_ALL=C; case $1 in '' | *[!a-z0-9.-]* | [.-]* | *[.-]) return 1 ;; esac)
is_folder() (LC_ALL=C; case $1 in *[!A-Za-z0-9/._-]* | */../* | */..) return 1 ;; /*) return 0 ;; *) return 1 ;; esac)

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
# Settings of an earlier version belong to the program's user. Only root may change what root reads.
if [ -f "$SETTINGS/paylink.env" ] && [ "$(stat -c %U "$SETTINGS/paylink.env")" != root ]; then
  chown root:paylink "$SETTINGS/paylink.env"
  chmod 640 "$SETTINGS/paylink.env"
fi
url=$(read_setting PUBLIC_URL)
known=${url#https://}
known=${known%/}
if [ -n "$url" ]; then
  is_host "$known" || fail "PUBLIC_URL in $SETTINGS/paylink.env must be https:// and a host of a-z, 0-9, dots and hyphens"
  [ -n "$domain" ] || domain=$known
  [ "$domain" = "$known" ] || fail "PUBLIC_URL in $SETTINGS/paylink.env is of $known: change it there first, or leave --domain out"
fi
is_host "$domain" || fail "--domain NAME is the host under which people reach the payment page: a-z, 0-9, dots and hyphens"
backup_dir=$(read_setting BACKUP_DIR)
backup_dir=${backup_dir:-$BACKUPS}
is_folder "$backup_dir" || fail "BACKUP_DIR in $SETTINGS/paylink.env must be a whole path of letters, digits, dots, hyphens and underscores"

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

# True if the query finds something. A server that does not answer ends the run.
finds() {
  found=$(as_postgres psql -p "$port" -d "$1" -tAc "$2") || fail "PostgreSQL does not answer on port $port"
  [ -n "$found" ]
}
has_role() { finds postgres "select 1 from pg_roles where rolname = '$1'"; }
has_database() { finds postgres "select 1 from pg_database where datname = 'paylink'"; }

# Roles and database are each looked for, so that a run after an interrupted one makes the rest.
make_database() {
  if has_role paylink_owner && has_role paylink_app && has_database; then
    for file in owner.env paylink.env; do
      [ -f "$SETTINGS/$file" ] || fail "the database exists, but $SETTINGS/$file does not: put it back from your copy"
    done
    rm -f "$UNFINISHED"
    return 0
  fi
  if [ -f "$SETTINGS/owner.env" ] && [ ! -f "$UNFINISHED" ]; then
    fail "$SETTINGS/owner.env exists, but a role or the database does not: restore the database (docs/operate/backup.md)." \
      "If no run ever came to its end here: touch $UNFINISHED, and run this again"
  fi
  say "creating the database and its two roles"
  touch "$UNFINISHED"
  # The settings first: a password that no file has could not be found again.
  write_settings
  OWNER_PASSWORD=$(read_password owner.env MIGRATE_DATABASE_URL paylink_owner)
  APP_PASSWORD=$(read_password paylink.env DATABASE_URL paylink_app)
  [ -n "$OWNER_PASSWORD" ] && [ -n "$APP_PASSWORD" ] || fail "owner.env or paylink.env in $SETTINGS has no password of this script"
  export OWNER_PASSWORD APP_PASSWORD
  has_role paylink_owner || create 'role paylink_owner'
  has_role paylink_app || create 'role paylink_app'
  has_database || create 'database paylink'
  unset OWNER_PASSWORD APP_PASSWORD
  rm -f "$UNFINISHED"
}

# One statement of roles.sql. runuser keeps the environment, so that no password is among the arguments of a process.
create() {
  grep -e '^\\getenv ' -e "^create $1 " "$SOURCE/lib/platform/db/roles.sql" | as_postgres psql -p "$port" --quiet --set=ON_ERROR_STOP=1
}

read_password() { sed -n "s#^$2=postgres://$3:\([0-9a-f]*\)@.*#\1#p" "$SETTINGS/$1" | head -n 1; }

# Files that exist stay. A new one gets its name when it is whole.
write_settings() {
  (
    umask 077
    if [ ! -f "$SETTINGS/owner.env" ]; then
      cat >"$SETTINGS/owner.env.new" <<END
MIGRATE_DATABASE_URL=postgres://paylink_owner:$(openssl rand -hex 24)@127.0.0.1:$port/paylink
END
      mv "$SETTINGS/owner.env.new" "$SETTINGS/owner.env"
    fi
    if [ ! -f "$SETTINGS/paylink.env" ]; then
      cat >"$SETTINGS/paylink.env.new" <<END
# Every variable: docs/operate/settings.md. Keep a copy of SECRET_KEY apart from the database.
SECRET_KEY=$(openssl rand -hex 32)
DATABASE_URL=postgres://paylink_app:$(openssl rand -hex 24)@127.0.0.1:$port/paylink
PUBLIC_URL=https://$domain
TRUSTED_PROXIES=127.0.0.1
DATA_DIR=$DATA
BACKUP_DIR=$BACKUPS
END
      # The program reads it, and only root changes it.
      chown root:paylink "$SETTINGS/paylink.env.new"
      chmod 640 "$SETTINGS/paylink.env.new"
      mv "$SETTINGS/paylink.env.new" "$SETTINGS/paylink.env"
    fi
  )
}

# A checksum of the sources, so that the same ones are not built twice.
describe_source() {
  (cd "$1" && find . \( -name node_modules -o -path ./.git -o -path ./.next -o -path ./dist -o -path ./data \) -prune -o \
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
  for public in "$PROGRAM/public" "$PROGRAM.old/public"; do
    [ ! -d "$public" ] || find "$public" -name 'checkout-*.js' -exec cp -n {} "$PROGRAM.new/public/" \;
  done
  ln -sfn "$SETTINGS/paylink.env" "$PROGRAM.new/.env"
  printf '%s\n' "$sources" >"$PROGRAM.new/.sources"
  # A sign that the tables may be older than this program, until migrate_database takes it away.
  touch "$PROGRAM.new/.unmigrated"
}

paylink() { (cd "$PROGRAM" && node_modules/.bin/node --import ./lib/platform/require-node.mjs lib/cli/main.ts "$@"); }
as_owner() { (set -a && . "$SETTINGS/owner.env" && set +a && paylink "$@"); }

is_local() { grep -q "@127.0.0.1:$port/paylink" "$SETTINGS/owner.env"; }

has_tables() {
  # Databases on another server: the command looks for itself.
  is_local || return 0
  finds paylink "select to_regclass('public.merchants')"
}

replace_program() {
  [ "$is_new" = yes ] || return 0
  if [ -f "$PROGRAM/.unmigrated" ]; then
    # Programs whose migration failed never ran. The one before them, and its backup, stay.
    say "the last migration did not end: the backup from before it stays"
    stop_units
    rm -rf "$PROGRAM"
  elif [ -d "$PROGRAM" ]; then
    if has_tables; then
      say "backing up the database"
      # Variables of the environment win over those of the file.
      (export BACKUP_DIR="$backup_dir" && as_owner backup)
    fi
    stop_units
    rm -rf "$PROGRAM.old"
    mv "$PROGRAM" "$PROGRAM.old"
  fi
  mv "$PROGRAM.new" "$PROGRAM"
}

# Runs without a new program do it too, so that the one after a failed migration heals.
migrate_database() {
  set -- --grant paylink_app
  if is_local && has_role paylink_signer; then set -- "$@" --grant-signer paylink_signer; fi
  as_owner migrate "$@"
  rm -f "$PROGRAM/.unmigrated"
}

# Names of the services that run are kept in a file until they run again, also if this run fails.
stop_units() {
  has_systemd || return 0
  systemctl list-units --no-legend --plain --state=active,activating 'paylink-web@*.service' paylink-worker.service 'paylink-signer*.service' |
    cut -d' ' -f1 >>"$STOPPED"
  systemctl stop 'paylink-web@*' paylink-worker 'paylink-signer*.service'
}

install_units() {
  for unit in paylink-web@ paylink-worker paylink-migrate; do
    cmp -s "$PROGRAM/docs/operate/systemd/$unit.service" "$UNITS/$unit.service" ||
      install -m 644 "$PROGRAM/docs/operate/systemd/$unit.service" "$UNITS/$unit.service"
  done
  has_systemd || { say "systemd does not run here: start the services yourself"; return 0; }
  systemctl daemon-reload
  start_units
}

# Services that ran before an update; the first time one of each.
start_units() {
  if [ -s "$STOPPED" ]; then
    # shellcheck disable=SC2046
    systemctl start $(sort -u "$STOPPED")
  elif ! is_any_enabled; then
    systemctl enable --now paylink-worker paylink-web@3000
  elif [ -f "$STOPPED" ]; then
    say "no service of Paylink ran before the update, so none was started"
  fi
  rm -f "$STOPPED"
}

is_any_enabled() {
  for link in "$UNITS"/*.wants/paylink-web@*.service "$UNITS"/*.wants/paylink-worker.service; do
    [ ! -L "$link" ] || return 0
  done
  return 1
}

make_certificate() {
  install -d -m 700 "$SETTINGS/tls"
  [ ! -e "$SETTINGS/tls/key.pem" ] || return 0
  say "signing a certificate for $domain"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 -subj "/CN=$domain" \
    -addext "subjectAltName=DNS:$domain" -keyout "$SETTINGS/tls/key.pem" -out "$SETTINGS/tls/cert.pem" 2>/dev/null
}

sum() { sha256sum <"$1" | cut -d' ' -f1; }
is_site_ours() { [ -f "$SITE_WRITTEN" ] && [ "$(cat "$SITE_WRITTEN")" = "$(sum "$SITE")" ]; }

# A site that somebody changed stays.
write_site() {
  new=$(mktemp)
  sed "s/DOMAIN/$domain/g" "$SOURCE/ops/nginx.conf" >"$new"
  if [ ! -e "$SITE" ] || cmp -s "$new" "$SITE" || is_site_ours; then
    cmp -s "$new" "$SITE" || install -m 644 "$new" "$SITE"
    sum "$SITE" >"$SITE_WRITTEN"
    rm -f "$SITE.new"
  else
    install -m 644 "$new" "$SITE.new"
    say "$SITE was changed by hand, so it stays. The one of this version: $SITE.new, which nginx does not read"
  fi
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
migrate_database
install_units
make_certificate
write_site
request_certificate
say "Paylink is installed for https://$domain. Next, in $PROGRAM:"
say "  add networks and account keys to $SETTINGS/paylink.env (docs/operate/nodes.md, wallets.md), restart, and run"
say "  npm run -s paylink -- doctor"
say "  npm run -s paylink -- merchant create --email you@example.com --name 'Your shop'"
