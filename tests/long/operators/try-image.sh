#!/bin/sh
# Builds the image of the Dockerfile without a Docker engine or a registry of images, runs it, makes a payment link and opens its page.
# As root, with buildah, debootstrap and npm. It takes about twenty minutes and 15 GB.
#   sh tests/long/operators/try-image.sh /tmp/paylink-image
# The base is a Debian root that debootstrap makes, with npm's Node and a user "node", as the official image of Node has them.
set -eu
WORK=${1:?a folder for the base and the images}
TREE=$(cd "$(dirname "$0")/../../.." && pwd)
BASE=localhost/paylink-base
mkdir -p "$WORK"
bud() { buildah --storage-driver vfs --root "$WORK/storage" --runroot "$WORK/run" "$@"; }

if [ ! -e "$WORK/base/usr/local/bin/npm" ]; then
  [ -d "$WORK/base/etc" ] || debootstrap --variant=minbase --include=ca-certificates bookworm "$WORK/base"
  npm install --silent --prefix "$WORK/node" node@24 npm@11
  cp "$WORK/node/node_modules/node/bin/node" "$WORK/base/usr/local/bin/node"
  mkdir -p "$WORK/base/usr/local/lib/node_modules"
  cp -a "$WORK/node/node_modules/npm" "$WORK/base/usr/local/lib/node_modules/"
  chroot "$WORK/base" useradd --create-home --shell /bin/sh node
  # The certificates of this machine, which may have more than Debian's.
  cp /etc/ssl/certs/ca-certificates.crt "$WORK/base/etc/ssl/certs/ca-certificates.crt"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$WORK/base/usr/local/bin/npm"
fi

container=$(bud from scratch)
bud add --quiet "$container" "$WORK/base" /
bud config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
bud commit --quiet --format docker "$container" "$BASE" >/dev/null
bud rm "$container" >/dev/null

rm -rf "$WORK/tree" && mkdir "$WORK/tree"
git -C "$TREE" archive HEAD | tar -x -C "$WORK/tree"
bud bud --quiet --isolation chroot --format docker --pull-never --build-arg "BASE=$BASE" --tag localhost/paylink "$WORK/tree"
bud images

container=$(bud from --pull-never localhost/paylink)
run() { bud run --isolation chroot "$@"; }
PORT=${PORT:-3070}
server=''
trap 'kill $server 2>/dev/null || true; bud rm "$container" >/dev/null 2>&1 || true' EXIT
variables="--env SECRET_KEY=a-secret-key-of-the-image-for-one-test --env PORT=$PORT --env DATA_DIR=/tmp/data --env FIXED_RATES=usdt/usd=1
  --env TEST_BEP20_RPC_URL=http://127.0.0.1:1 --env PUBLIC_URL=http://127.0.0.1:$PORT"
# An account key whose words nobody has.
xpub=$(run "$container" node lib/cli/main.ts wallet new --format env 2>/dev/null | sed -n 's/^TEST_BEP20_XPUB=//p')
variables="$variables --env TEST_BEP20_XPUB=$xpub"
# Before the server: both use the embedded PostgreSQL.
# shellcheck disable=SC2086
key=$(run $variables "$container" node lib/cli/main.ts merchant create --email shop@example.com --name Shop |
  grep -o 'pl_test_[A-Za-z0-9_-]*' | head -n 1)
# shellcheck disable=SC2086
run $variables "$container" node lib/server/main.ts >"$WORK/server.log" 2>&1 &
server=$!
n=0
until curl -fsS -o /dev/null "http://127.0.0.1:$PORT/healthz" 2>/dev/null; do
  n=$((n + 1))
  [ $n -lt 180 ] || { tail -20 "$WORK/server.log"; exit 1; }
  sleep 1
done
answer=$(curl -sS "http://127.0.0.1:$PORT/v1/payment-links" -H "x-staging-api-key: $key" -H 'idempotency-key: image-1' \
  -d amount=25 -d amount_currency=usd -d payment_reference=IMAGE1 -d success_url=https://shop.example/thanks -d cancel_url=https://shop.example/cart \
  --data-urlencode 'customer_details={"email":"ada@example.com","first_name":"Ada","last_name":"Obi"}')
page=$(printf '%s' "$answer" | sed -n 's/.*"payment_link":"\([^"]*\)".*/\1/p')
[ -n "$page" ] || { echo "no link: $answer"; exit 1; }
code=$(curl -sS -o "$WORK/page.html" -w '%{http_code}' "$page")
[ "$code" = 200 ] && grep -q Shop "$WORK/page.html" || { echo "the page answers $code"; exit 1; }
curl -fsS "http://127.0.0.1:$PORT/readyz"
echo
bud inspect --type image --format '{{.Docker.Config.User}} {{.Docker.Config.Cmd}}' localhost/paylink
echo "the image runs: $page answers 200"
