#!/bin/sh
# Unpacks litecoind (Litecoin Core 0.21, as Debian 12 packages it) into a folder of its own: no root, nothing installed,
# about 10 MB fetched over the system's own apt sources and checked against Debian's keys. It comes with its libraries and
# runs through their loader, whatever the system's own are. Debian builds it without ZMQ.
# Usage: unpack-litecoind.sh DIR   afterwards DIR/litecoind runs. Two at once do no harm; the first to finish stays.
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
echo "deb [signed-by=$keys] $mirror bookworm main" > "$work/apt/sources.list"

apt() {
  apt-get -qq -o "Dir::State=$work/apt/state" -o "Dir::Cache=$work/apt/cache" \
    -o "Dir::Etc::sourcelist=$work/apt/sources.list" -o Dir::Etc::sourceparts=- \
    -o APT::Get::List-Cleanup=false -o APT::Sandbox::User=root -o Acquire::Retries=2 "$@"
}
apt update
libraries='libc6 libgcc-s1 libstdc++6 libboost-filesystem1.74.0 libboost-thread1.74.0 libdb5.3++ libdb5.3 libevent-2.1-7
  libevent-pthreads-2.1-7 libfmt9 libleveldb1d libsnappy1v5 libminiupnpc17 libssl3'
(cd "$work/debs" && apt download litecoind/bookworm $(for name in $libraries; do echo "$name/bookworm"; done))
for deb in "$work"/debs/*.deb; do dpkg -x "$deb" "$work/node/root"; done

root=$work/node/root
loader=$(cd "$root" && find lib usr/lib -name 'ld-linux*.so.*' | head -n 1)
program=$(cd "$root" && find usr/lib -name litecoind -type f | head -n 1)
libraries=$(cd "$root" && find lib usr/lib -name 'libc.so.6' -o -name 'libssl.so.3' | xargs -n 1 dirname | sort -u)
path=$(for folder in $libraries; do printf '$root/%s:' "$folder"; done)
cat > "$work/node/litecoind" <<EOF
#!/bin/sh
root=\$(CDPATH= cd -- "\$(dirname -- "\$0")" && pwd)/root
exec "\$root/$loader" --library-path "${path%:}" "\$root/$program" "\$@"
EOF
chmod 755 "$work/node/litecoind"
"$work/node/litecoind" --version > "$work/node/version"
mv -T "$work/node" "$target" 2>/dev/null || [ -x "$target/litecoind" ]
