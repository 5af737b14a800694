#!/bin/sh
# Unpacks a program from Debian's packages into a folder of its own: no root, nothing installed, 10 to 40 MB fetched over
# the system's own apt sources and checked against Debian's keys. It comes with its libraries and runs through their
# loader, whatever the system's own are.
# Usage: unpack-debian.sh bitcoind|litecoind|postgresql|promtool|patroni DIR   afterwards the programs stand in DIR, and DIR/version says
# which they are. Two at once do no harm; the first to finish stays.
set -eu
case $1 in
  # Bitcoin Knots.
  bitcoind)
    programs=bitcoind suites='trixie trixie-backports' package=bitcoin-knots/trixie-backports
    libraries='libc6 libgcc-s1 libstdc++6 libevent-core-2.1-7t64 libevent-extra-2.1-7t64 libevent-pthreads-2.1-7t64
      libsqlite3-0 libzmq5 libpgm-5.3-0t64 libsodium23 libnorm1t64 libgssapi-krb5-2 libkrb5-3 libk5crypto3 libcom-err2
      libkrb5support0 libkeyutils1 libbsd0 libmd0 libssl3t64' ;;
  # Litecoin Core 0.21; Debian builds it without ZMQ.
  litecoind)
    programs=litecoind suites=bookworm package=litecoind/bookworm
    libraries='libc6 libgcc-s1 libstdc++6 libboost-filesystem1.74.0 libboost-thread1.74.0 libdb5.3++ libdb5.3
      libevent-2.1-7 libevent-pthreads-2.1-7 libfmt9 libleveldb1d libsnappy1v5 libminiupnpc17 libssl3' ;;
  # PostgreSQL 17, server and client; not the compiler of queries, which needs all of LLVM and is done without.
  postgresql)
    programs='postgres initdb pg_dump pg_restore psql' suites=trixie package=postgresql-17/trixie
    libraries='postgresql-client-17 libpq5 libc6 libgcc-s1 libstdc++6 libgssapi-krb5-2 libkrb5-3 libk5crypto3 libcom-err2
      libkrb5support0 libkeyutils1 libicu76 libldap2 libsasl2-2 liblz4-1 libzstd1 libxxhash0 zlib1g liblzma5 libxml2
      libpam0g libaudit1 libcap-ng0 libselinux1 libpcre2-8-0 libsystemd0 libcap2 libssl3t64 libreadline8t64 libtinfo6' ;;
  # Checks rules of Prometheus.
  promtool)
    programs=promtool suites=trixie package=promtool/trixie libraries=libc6 ;;
  # PostgreSQL 17 that fails over: Patroni with its Python, etcd, HAProxy and PgBouncer.
  patroni)
    programs='python3.13 etcd haproxy pgbouncer postgres initdb pg_ctl pg_basebackup pg_rewind pg_controldata pg_isready psql'
    suites=trixie package=patroni/trixie
    libraries='etcd-server haproxy pgbouncer postgresql-17 postgresql-client-17 python3.13-minimal libpython3.13-minimal
      libpython3.13-stdlib python3-psycopg2 python3-etcd python3-dnspython python3-urllib3 python3-click python3-dateutil
      python3-six python3-prettytable python3-wcwidth python3-psutil python3-yaml libyaml-0-2 libexpat1 libffi8 libbz2-1.0
      libuuid1 libcrypt1 libjemalloc2 liblua5.4-0 libopentracing-c-wrapper0t64 libopentracing1 libcares2 libevent-2.1-7t64
      libpq5 libc6 libgcc-s1 libstdc++6 libgssapi-krb5-2 libkrb5-3 libk5crypto3 libcom-err2 libkrb5support0 libkeyutils1
      libicu76 libldap2 libsasl2-2 liblz4-1 libzstd1 libxxhash0 zlib1g liblzma5 libxml2 libpam0g libaudit1 libcap-ng0
      libselinux1 libpcre2-8-0 libsystemd0 libcap2 libssl3t64 libreadline8t64 libtinfo6' ;;
  *) echo "unpack-debian.sh does not know $1" >&2; exit 2 ;;
esac
target=$2
mkdir -p "$(dirname "$target")"
work=$(mktemp -d "$target.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/apt/state/lists/partial" "$work/apt/cache/archives/partial" "$work/debs" \
  "$work"/unpacked/root/lib "$work"/unpacked/root/usr/bin "$work"/unpacked/root/usr/sbin "$work"/unpacked/root/usr/lib
# apt drops its rights to a user of its own when root runs it.
chmod 755 "$work" "$work/apt" "$work/debs"

keys=/usr/share/keyrings/debian-archive-keyring.gpg
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1)
[ -n "$mirror" ] && [ -r "$keys" ] || { echo "apt has no Debian sources" >&2; exit 1; }
for suite in $suites; do echo "deb [signed-by=$keys] $mirror $suite main"; done > "$work/apt/sources.list"
apt() {
  apt-get -qq -o "Dir::State=$work/apt/state" -o "Dir::Cache=$work/apt/cache" \
    -o "Dir::Etc::sourcelist=$work/apt/sources.list" -o Dir::Etc::sourceparts=- \
    -o APT::Get::List-Cleanup=false -o APT::Sandbox::User=root -o Acquire::Retries=2 "$@"
}
apt update
(cd "$work/debs" && apt download "$package" $(for name in $libraries; do echo "$name/${suites%% *}"; done))
root=$work/unpacked/root
for deb in "$work"/debs/*.deb; do dpkg -x "$deb" "$root"; done
rm -rf "$root"/usr/share/doc "$root"/usr/share/locale "$root"/usr/share/man \
  "$root"/usr/lib/postgresql/*/lib/bitcode "$root"/usr/lib/postgresql/*/lib/llvmjit*

# Each program gives way to a script that runs it through the loader, under its own name: PostgreSQL's find each other,
# and their files, from where they stand.
loader=$(cd "$root" && find lib usr/lib -name 'ld-linux*.so.*' | head -n 1)
folders=$(cd "$root" && find lib usr/lib -name libc.so.6 -o -name 'libssl.so.3' | xargs -n 1 dirname | sort -u)
path=$(for folder in $folders; do printf '$root/%s:' "$folder"; done)
for name in $programs; do
  # In usr/bin there may be a script before it.
  program=$(cd "$root" && find usr/lib usr/bin usr/sbin -name "$name" -type f -perm -100 | head -n 1)
  mv "$root/$program" "$root/$program.elf"
  cat > "$root/$program" <<EOF
#!/bin/sh
self=\$(readlink -f -- "\$0")
root=\${self%/$program}
exec "\$root/$loader" --argv0 "\$self" --library-path "${path%:}" "\$self.elf" "\$@"
EOF
  chmod 755 "$root/$program"
  ln -s "root/$program" "$work/unpacked/$name"
done
if [ "$1" = patroni ]; then
  cat > "$work/unpacked/patroni" <<'EOF'
#!/bin/sh
here=$(dirname "$(readlink -f -- "$0")")
export PYTHONHOME="$here/root/usr" PYTHONPATH="$here/root/usr/lib/python3/dist-packages" PYTHONDONTWRITEBYTECODE=1
exec "$here/root/usr/bin/python3.13" "$here/root/usr/bin/patroni" "$@"
EOF
  chmod 755 "$work/unpacked/patroni"
fi
chmod 755 "$work/unpacked"
"$work/unpacked/${programs%% *}" --version > "$work/unpacked/version"
mv -T "$work/unpacked" "$target" 2>/dev/null || [ -x "$target/${programs%% *}" ]
