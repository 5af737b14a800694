import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { LOG_SPAN } from "#lib/chains/learned-sizes.ts";
import { NETWORK_CODES } from "#lib/chains/networks.ts";
import { getDefaultCallRate, openNodeClient } from "#lib/chains/node-client.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import {
  describeProvider,
  findProvider,
  PROVIDERS,
  toTableRow,
} from "#lib/chains/providers/find-provider.ts";
import { openRpcClient } from "#lib/chains/rpc-client.ts";
import { readNetworks } from "#lib/server/network-config.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../../../docs/operate/providers.md"), "utf8");

const HOSTS = {
  "api.trongrid.io": "TronGrid",
  "nile.trongrid.io": "TronGrid",
  "cool-name.bsc.quiknode.pro": "QuickNode",
  "eth-mainnet.g.alchemy.com": "Alchemy",
  "mainnet.infura.io": "Infura",
  "rpc.ankr.com": "Ankr",
  "eth.drpc.org": "dRPC",
  "lb.drpc.live": "dRPC",
  "bsc-mainnet.core.chainstack.com": "Chainstack",
  "solana-mainnet.core.chainstack.com": "Chainstack (solana)",
  "go.getblock.io": "GetBlock",
  "bsc-rpc.publicnode.com": "PublicNode",
  "bsc-dataseed1.defibit.io": "BSC dataseed",
  "bsc-dataseed.bnbchain.org": "BSC dataseed",
  "cloudflare-eth.com": "Cloudflare",
  "mainnet.helius-rpc.com": "Helius",
  "name.mainnet.rpcpool.com": "Triton",
  "gcp-europe-west1-c.json-rpc.cryptoapis.io": "Crypto APIs",
  "s1.ripple.com:51234": "XRPL public servers",
};

const open = (host: string, perSecond: number | null = null) =>
  openNodeClient(`https://${host}/key`, { timeoutMs: 1_000, perSecond });

test("recognizes a provider by the whole host name only", () => {
  for (const [host, name] of Object.entries(HOSTS)) {
    assert.equal(findProvider(`https://${host}/key`)?.name, name, host);
    const bare = host.split(":")[0] ?? "";
    for (const other of [`evil-${bare}.example.org`, `${bare}.example.org`, `example.org/${bare}`]) {
      assert.equal(findProvider(`https://${other}`), null, other);
    }
  }
  assert.equal(findProvider("https://evil-alchemy.com"), null);
  assert.deepEqual([...new Set(Object.values(HOSTS))].sort(), PROVIDERS.map(({ name }) => name).sort());
});

test("each provider has a source, a day, and a row in the documentation", () => {
  for (const provider of PROVIDERS) {
    assert.ok(provider.sources.length > 0, provider.name);
    for (const source of provider.sources) assert.ok(URL.canParse(source), source);
    assert.match(provider.read, /^\d{4}-\d\d-\d\d$/);
    assert.ok(PAGE.includes(toTableRow(provider)), toTableRow(provider));
    assert.match(describeProvider(provider).join("\n"), /source: https:/);
  }
});

test("the documentation has settings for three providers and an own node of each network, and they are valid", () => {
  const blocks = [...PAGE.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, lines = ""]) => lines);
  const settings = blocks
    .flatMap((block) => block.split(/^# .*\n/m))
    .filter((lines) => lines.startsWith("LIVE_"));
  const found = settings.map((lines) => {
    const given = Object.fromEntries(
      lines
        .trim()
        .split("\n")
        .map((line) => [line.split("=", 1)[0], line.slice(line.indexOf("=") + 1)]),
    );
    const { problems } = readNetworks(given);
    assert.deepEqual(problems, [], lines);
    const [name = "", url = ""] = Object.entries<string>(given)[0] ?? [];
    const network = name.split("_")[1]?.toLowerCase();
    const { hostname, protocol } = new URL(url.split(",", 1)[0] ?? "");
    const provider = hostname === "127.0.0.1" ? "own" : findProvider(url.split(",", 1)[0] ?? "");
    if (protocol.startsWith("http")) assert.ok(provider, url);
    if (typeof provider === "object")
      assert.ok(provider?.networks.some((one) => one === network) ?? true, url);
    return { network, hosted: typeof provider === "object" && provider !== null, own: provider === "own" };
  });
  for (const network of NETWORK_CODES) {
    const nodes = found.filter((one) => one.network === network);
    assert.ok(nodes.filter(({ hosted }) => hosted).length >= 3, network);
    assert.equal(nodes.filter(({ own }) => own).length, 1, network);
  }
});

test("starts with the limits of the provider's free plan, unless the operator set a rate", () => {
  assert.equal(getDefaultCallRate("https://solana-mainnet.core.chainstack.com/key"), 5);
  assert.equal(getDefaultCallRate("https://eth.drpc.org/"), 25);
  assert.equal(getDefaultCallRate("https://rpc.ankr.com/eth"), 25);
  const free = open("eth-mainnet.g.alchemy.com");
  assert.equal(free.sizes.get(LOG_SPAN, 500), 10);
  const paid = open("eth-mainnet.g.alchemy.com", 100);
  assert.equal(paid.sizes.get(LOG_SPAN, 500), 500);
  assert.equal(open("eth.drpc.org").batchSize(), 3);
  assert.ok(open("eth.drpc.org", 100).batchSize() > 3);
});

test("takes a method that the provider does not have for missing, not for called too often", async (t) => {
  const error = { code: -32_005, message: "limit exceeded" };
  t.mock.method(globalThis, "fetch", async () => Response.json({ jsonrpc: "2.0", id: 0, error }));
  const client = openRpcClient(open("bsc-dataseed.bnbchain.org", 0));
  const kindOf = (method: string) =>
    client.call(method).then(
      () => "",
      (failure: unknown) => (failure instanceof NodeError ? failure.kind : failure),
    );
  assert.equal(await kindOf("eth_getLogs"), "refused");
  assert.equal(await kindOf("eth_blockNumber"), "rate_limited");
});
