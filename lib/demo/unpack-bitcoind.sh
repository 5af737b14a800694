#!/bin/sh
# Unpacks a current bitcoind (Bitcoin Knots, as Debian packages it) into a folder of its own: no root, nothing installed,
# about 30 MB fetched over the system's own apt sources and checked against Debian's keys. The package is linked against
# a newer libc than older systems have, so it comes with its libraries and runs through their loader.
# Usage: unpack-bitcoind.sh DIR   afterwards DIR/bitcoind runs. Two at once do no harm; the first to finish stays.
set -eu
target=$1
mkdir -p "$(dirname "$target")"
work=$(mktemp -d "$target.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/apt/state/lists/partial" "$work/apt/cache/archives/partial" "$work/debs" "$work/node/root"
# apt drops its rights to a user of its own when root runs it.
chmod 755 "$work" "$work/apt" "$work/debs"

keys=/usr/share/keyrings/debian-archive-keyring.gpg
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1)
[ -n "$mirror" ] && [ -r "$keys" ] || { echo "apt has no Debian sources" >&2; exit 1; }
for suite in trixie trixie-backports; do
  echo "deb [signed-by=$keys] $mirror $suite main"
done > "$work/apt/sources.list"

apt() {
  apt-get -qq -o "Dir::State=$work/apt/state" -o "Dir::Cache=$work/apt/cache" \
    -o "Dir::Etc::sourcelist=$work/apt/sources.list" -o Dir::Etc::sourceparts=- \
    -o APT::Get::List-Cleanup=false -o APT::Sandbox::User=root -o Acquire::Retries=2 "$@"
}
apt update
libraries='libc6 libgcc-s1 libstdc++6 libevent-core-2.1-7t64 libevent-extra-2.1-7t64 libevent-pthreads-2.1-7t64
  libsqlite3-0 libzmq5 libpgm-5.3-0t64 libsodium23 libnorm1t64 libgssapi-krb5-2 libkrb5-3 libk5crypto3 libcom-err2
  libkrb5support0 libkeyutils1 libbsd0 libmd0 libssl3t64'
(cd "$work/debs" && apt download bitcoin-knots/trixie-backports $(for name in $libraries; do echo "$name/trixie"; done))
for deb in "$work"/debs/*.deb; do dpkg -x "$deb" "$work/node/root"; done

loader=$(cd "$work/node/root" && find usr/lib -name 'ld-linux*.so.*' | head -n 1)
cat > "$work/node/bitcoind" <<EOF
#!/bin/sh
root=\$(CDPATH= cd -- "\$(dirname -- "\$0")" && pwd)/root
exec "\$root/$loader" --library-path "\$root/$(dirname "$loader")" "\$root/usr/bin/bitcoind" "\$@"
EOF
chmod 755 "$work/node/bitcoind"
"$work/node/bitcoind" --version > "$work/node/version"
mv -T "$work/node" "$target" 2>/dev/null || [ -x "$target/bitcoind" ]
