import type { PlayedPlan, Refusal } from "./server.ts";

/**
 * How hosted providers refuse, in their own words, and what their free plans allow. Written down from their documents and
 * from reports of their users (`sources`), not from this program.
 */
export interface PlayedProvider extends Omit<PlayedPlan, "host"> {
  /** As in lib/chains/providers. */
  readonly name: string;
  readonly plan: string;
  /** Paid plans, the smallest first, and their units a day. Infinity: all are billed. */
  readonly paid: readonly { readonly plan: string; readonly perDay: number }[];
  /** The quota of a day is one of requests, not of units. */
  readonly countsRequests?: boolean;
  /** Units of a call on networks with another price. The calls a second are the same there. */
  readonly priceOn?: Readonly<Record<string, number>>;
  /** The host of a node, by network. */
  readonly hosts: Readonly<Record<string, string>>;
  readonly sources: readonly string[];
}

/** The operator's key of every plan. It must be in no log. */
export const KEY = "3f1c9a7be05d4826";
const DAYS = 30;
const refuse = (status: number, code: number | undefined, message: string): Refusal =>
  code === undefined ? { status, message } : { status, code, message };

/** The default behavior of a provider's node. */
export const PLAIN: Pick<
  PlayedProvider,
  "path" | "prices" | "price" | "missing" | "batch" | "logBlocks" | "paid"
> & {
  readonly says: PlayedPlan["says"];
} = {
  path: `/${KEY}`,
  prices: {},
  price: 1,
  missing: [],
  batch: null,
  logBlocks: null,
  paid: [],
  says: {
    rate: refuse(429, undefined, "Too Many Requests"),
    day: refuse(429, undefined, "Too Many Requests"),
    batch: refuse(413, undefined, "Payload Too Large"),
    logs: refuse(200, -32_000, "block range too large"),
    missing: refuse(200, -32_601, "the method does not exist/is not available"),
    key: refuse(401, undefined, "Unauthorized"),
  },
};

const EVM: readonly PlayedProvider[] = [
  {
    ...PLAIN,
    ...{ name: "QuickNode", plan: "trial", path: `/${KEY}/` },
    hosts: {
      bep20: "cool-name.bsc.quiknode.pro",
      erc20: "cool-name.quiknode.pro",
      base: "cool-name.base-mainnet.quiknode.pro",
      trc20: "cool-name.tron-mainnet.quiknode.pro",
      bitcoin: "cool-name.btc.quiknode.pro",
      litecoin: "cool-name.ltc-mainnet.quiknode.pro",
      dogecoin: "cool-name.doge-mainnet.quiknode.pro",
      xrp: "cool-name.xrp-mainnet.quiknode.pro",
    },
    ...{ perSecond: 15 * 20, price: 20, perDay: 10_000_000 / DAYS, logBlocks: 5 },
    priceOn: { bitcoin: 10, litecoin: 10, dogecoin: 10, trc20: 30, xrp: 40 },
    paid: [
      { plan: "Build", perDay: 80_000_000 / DAYS },
      { plan: "Accelerate", perDay: 450_000_000 / DAYS },
    ],
    says: {
      ...PLAIN.says,
      rate: refuse(
        429,
        -32_007,
        "15/second request limit reached - reduce calls per second or upgrade your account at quicknode.com",
      ),
      logs: refuse(413, -32_614, "eth_getLogs is limited to a 5 range"),
    },
    sources: [
      "https://www.quicknode.com/docs/ethereum/error-references",
      "https://github.com/OffchainLabs/arbitrum-sdk/issues/609",
      "https://github.com/foundry-rs/foundry/issues/4894",
      "https://github.com/erpc/erpc/blob/main/thirdparty/quicknode_credit_units_test.go",
      "https://www.quicknode.com/pricing",
      "https://www.quicknode.com/api-credits/btc",
    ],
  },
  {
    ...PLAIN,
    ...{ name: "Alchemy", plan: "free", path: `/v2/${KEY}` },
    hosts: {
      bep20: "bnb-mainnet.g.alchemy.com",
      erc20: "eth-mainnet.g.alchemy.com",
      base: "base-mainnet.g.alchemy.com",
      ...{ litecoin: "litecoin-mainnet.g.alchemy.com", dogecoin: "dogecoin-mainnet.g.alchemy.com" },
      ...{ solana: "solana-mainnet.g.alchemy.com" },
    },
    ...{ perSecond: 500, perDay: 30_000_000 / DAYS, logBlocks: 10, batch: 1_000, price: 20 },
    prices: { eth_chainId: 0, eth_call: 26, eth_getLogs: 60, getBlock: 40 },
    paid: [{ plan: "pay as you go", perDay: Number.POSITIVE_INFINITY }],
    says: {
      ...PLAIN.says,
      rate: refuse(
        429,
        429,
        "Your app has exceeded its compute units per second capacity. If you have retries enabled, you can safely " +
          "ignore this message. If not, check out https://docs.alchemy.com/reference/throughput",
      ),
      day: refuse(
        429,
        429,
        "Monthly capacity limit exceeded. Visit https://dashboard.alchemy.com/settings/billing to upgrade your " +
          "scaling policy for continued service.",
      ),
      logs: refuse(
        400,
        -32_600,
        "Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range. Based on your " +
          "parameters, this block range should work: [0x1, 0xa]. Upgrade to PAYG for expanded block range.",
      ),
    },
    sources: [
      "https://www.alchemy.com/docs/reference/compute-unit-costs",
      "https://www.alchemy.com/docs/reference/throughput.md",
      "https://github.com/alchemyplatform/aa-sdk/discussions/2414",
      "https://github.com/boundless-xyz/boundless/issues/838",
    ],
  },
  {
    ...PLAIN,
    ...{ name: "Infura", plan: "free", path: `/v3/${KEY}` },
    hosts: { bep20: "bsc-mainnet.infura.io", erc20: "mainnet.infura.io", base: "base-mainnet.infura.io" },
    ...{ perSecond: 500, perDay: 3_000_000, price: 80, logBlocks: 10_000 },
    paid: [
      { plan: "Developer", perDay: 15_000_000 },
      { plan: "Team", perDay: 75_000_000 },
    ],
    says: {
      ...PLAIN.says,
      rate: refuse(429, -32_005, "project ID request rate exceeded"),
      day: refuse(402, 402, "Payment Required"),
      logs: refuse(200, -32_602, "range 20000 exceeds limit of 10000"),
    },
    sources: [
      "https://docs.metamask.io/services/get-started/pricing",
      "https://docs.metamask.io/services/get-started/pricing/credit-cost/",
      "https://docs.metamask.io/services/how-to/avoid-rate-limiting/",
      "https://github.com/INFURA/infura/issues/237",
    ],
  },
  {
    ...PLAIN,
    ...{ name: "Ankr", plan: "free", path: `/chain/${KEY}` },
    hosts: Object.fromEntries(["bep20", "erc20", "base", "xrp"].map((network) => [network, "rpc.ankr.com"])),
    ...{ perSecond: 30, perDay: null, logBlocks: 3_000 },
    says: {
      ...PLAIN.says,
      rate: refuse(429, -32_090, "Too many requests, reason: call rate limit exhausted, retry in 10s"),
      logs: refuse(200, -32_600, "block range is too wide"),
    },
    sources: [
      "https://github.com/beefyfinance/beefy-v2/pull/1531",
      "https://github.com/ponder-sh/ponder/blob/main/packages/utils/src/getLogsRetryHelper.ts",
    ],
  },
  {
    ...PLAIN,
    ...{ name: "dRPC", plan: "free", path: "/" },
    hosts: { bep20: "bsc.drpc.org", erc20: "eth.drpc.org", base: "base.drpc.org" },
    // Under load; 40 eth_call a second are 21 units each.
    ...{ perSecond: 840, price: 21, perDay: 210_000_000 / DAYS, batch: 3, logBlocks: 100 },
    paid: [{ plan: "paid", perDay: Number.POSITIVE_INFINITY }],
    says: {
      ...PLAIN.says,
      rate: refuse(429, 15, "Too many request, try again later"),
      batch: refuse(
        500,
        31,
        "Batch of more than 3 requests are not allowed on free tier, to use this feature register paid account at drpc.org",
      ),
      // It says 10,000 and refuses more than 100.
      logs: refuse(400, 35, "ranges over 10000 blocks are not supported on free plan"),
    },
    sources: [
      "https://drpc.org/docs/howitworks/ratelimiting",
      "reports of its users: the refusal of batches (HTTP 500, code 31) and of ranges (HTTP 400, code 35, at 101 blocks)",
    ],
  },
  {
    ...PLAIN,
    ...{ name: "Chainstack", plan: "Developer" },
    hosts: {
      bep20: "bsc-mainnet.core.chainstack.com",
      erc20: "ethereum-mainnet.core.chainstack.com",
      base: "base-mainnet.core.chainstack.com",
      bitcoin: "bitcoin-mainnet.core.chainstack.com",
      trc20: "tron-mainnet.core.chainstack.com",
      xrp: "ripple-mainnet.core.chainstack.com",
    },
    ...{ perSecond: 25, perDay: 3_000_000 / DAYS, logBlocks: 100 },
    paid: [
      { plan: "Growth", perDay: 20_000_000 / DAYS },
      { plan: "Pro", perDay: 80_000_000 / DAYS },
    ],
    says: {
      ...PLAIN.says,
      // With status 200.
      rate: refuse(200, -32_005, "You've exceeded the RPS limit available on the current plan."),
      logs: refuse(
        200,
        -32_602,
        "Block range limit exceeded. See more details at https://docs.chainstack.com/docs/limits",
      ),
    },
    sources: [
      "https://docs.chainstack.com/docs/rps-plan-limits.md",
      "https://github.com/api-evangelist/chainstack",
      "https://github.com/BobTheBuidler/dank_mids",
      "https://github.com/ponder-sh/ponder/blob/main/packages/utils/src/getLogsRetryHelper.ts",
    ],
  },
  {
    ...PLAIN,
    // The free plan's 50,000 units are 2,500 calls a day on an EVM network. Litecoin and dogecoin lack needed methods.
    ...{ name: "GetBlock", plan: "Starter" },
    hosts: Object.fromEntries(
      ["bep20", "erc20", "base", "bitcoin"].map((network) => [network, "go.getblock.io"]),
    ),
    ...{ perSecond: 250 * 20, price: 20, perDay: 90_000_000 / DAYS },
    priceOn: { bitcoin: 10 },
    sources: [
      "https://docs.getblock.io/getting-started/plans-and-limits/cu-and-rate-limits",
      "https://docs.getblock.io/getting-started/plans-and-limits/what-counts-as-a-cu",
    ],
  },
  {
    ...PLAIN,
    ...{ name: "PublicNode", plan: "public", path: "/" },
    hosts: {
      bep20: "bsc-rpc.publicnode.com",
      erc20: "ethereum-rpc.publicnode.com",
      base: "base-rpc.publicnode.com",
    },
    ...{ perSecond: null, perDay: null, logBlocks: 50_000 },
    says: { ...PLAIN.says, logs: refuse(200, -32_701, "exceed maximum block range: 50000") },
    sources: ["https://github.com/ponder-sh/ponder/blob/main/packages/utils/src/_test/publicnode.test.ts"],
  },
  {
    ...PLAIN,
    ...{ name: "BSC dataseed", plan: "public", path: "/" },
    hosts: { bep20: "bsc-dataseed.bnbchain.org" },
    ...{ perSecond: 33, perDay: null, missing: ["eth_getLogs"] },
    says: { ...PLAIN.says, missing: refuse(200, -32_005, "limit exceeded") },
    sources: [
      "https://docs.bnbchain.org/bnb-smart-chain/developers/json_rpc/json-rpc-endpoint",
      "https://github.com/bnb-chain/docs-site/issues/621",
    ],
  },
  {
    ...PLAIN,
    ...{ name: "Cloudflare", plan: "public", path: "/" },
    hosts: { erc20: "cloudflare-eth.com" },
    ...{ perSecond: null, perDay: null, logBlocks: 800 },
    says: {
      ...PLAIN.says,
      logs: refuse(
        200,
        -32_047,
        "Invalid eth_getLogs request. 'fromBlock'-'toBlock' range too large. Max range: 800",
      ),
    },
    sources: ["https://github.com/ponder-sh/ponder/blob/main/packages/utils/src/getLogsRetryHelper.ts"],
  },
];

const OTHERS: readonly PlayedProvider[] = [
  {
    ...PLAIN,
    ...{ name: "TronGrid", plan: "with a key", path: "/", header: ["TRON-PRO-API-KEY", KEY] },
    hosts: { trc20: "api.trongrid.io" },
    ...{ perSecond: 15, perDay: 100_000, suspendedMs: 30_000, countsRequests: true },
    says: {
      ...PLAIN.says,
      rate: refuse(
        429,
        undefined,
        '{"Error":"The key exceeds the frequency limit(15), and the query server is suspended for 30s"}',
      ),
    },
    sources: ["https://developers.tron.network/reference/rate-limits"],
  },
  {
    ...PLAIN,
    // On Developer an hour is read block by block at 5 calls a second, which takes half an hour here.
    ...{ name: "Chainstack (solana)", plan: "Growth" },
    hosts: { solana: "solana-mainnet.core.chainstack.com" },
    ...{ perSecond: 50, perDay: 20_000_000 / DAYS, prices: { getSignaturesForAddress: 2 } },
    sources: [
      "https://docs.chainstack.com/docs/limits.md",
      "https://docs.chainstack.com/docs/solana-methods.md",
      "https://docs.chainstack.com/docs/request-units.md",
      "https://github.com/chainstacklabs/pumpfun-bonkfun-bot/issues/44",
    ],
  },
  {
    ...PLAIN,
    ...{ name: "Helius", plan: "free", path: `/?api-key=${KEY}` },
    hosts: { solana: "mainnet.helius-rpc.com" },
    ...{ perSecond: 10, perDay: 1_000_000 / DAYS },
    paid: [
      { plan: "Developer", perDay: 10_000_000 / DAYS },
      { plan: "Business", perDay: 100_000_000 / DAYS },
    ],
    says: { ...PLAIN.says, rate: refuse(429, -32_429, "rate limited") },
    sources: [
      "https://www.helius.dev/docs/billing/plans.md",
      "https://www.helius.dev/docs/billing/rate-limits",
    ],
  },
  {
    ...PLAIN,
    ...{ name: "Triton", plan: "as agreed" },
    hosts: { solana: "name.mainnet.rpcpool.com" },
    ...{ perSecond: 20, perDay: null },
    sources: ["https://docs.triton.one/using-your-endpoint/rate-and-connection-limits.md"],
  },
  {
    ...PLAIN,
    ...{ name: "Crypto APIs", plan: "shared node", path: "/nodes/shared", header: ["X-API-Key", KEY] },
    hosts: Object.fromEntries(
      ["litecoin", "dogecoin"].map((network) => [network, "gcp-europe-west1-c.json-rpc.cryptoapis.io"]),
    ),
    ...{ perSecond: null, perDay: null },
    sources: ["https://developers.cryptoapis.io/technical-documentation/json-rpc"],
  },
  {
    ...PLAIN,
    ...{ name: "XRPL public servers", plan: "public", path: "/" },
    hosts: { xrp: "s1.ripple.com" },
    ...{ perSecond: 10, perDay: null },
    says: {
      ...PLAIN.says,
      rate: refuse(
        200,
        undefined,
        '{"result":{"error":"slowDown","error_code":10,"error_message":"You are placing too much load on the server.","status":"error"}}',
      ),
    },
    sources: [
      "https://xrpl.org/docs/references/http-websocket-apis/api-conventions/rate-limiting.md",
      "https://github.com/XRPLF/clio/blob/develop/tests/unit/web/ServerTests.cpp",
    ],
  },
];

export const PLAYED: readonly PlayedProvider[] = [...EVM, ...OTHERS];

/** A node of a provider. */
export type PlayedNode = PlayedProvider & { readonly host: string };

/** The plans that are played for a network. */
export function listPlayed(network: string): readonly PlayedNode[] {
  return PLAYED.flatMap((played) => {
    const host = played.hosts[network];
    const price = played.priceOn?.[network] ?? played.price;
    const perSecond = played.perSecond && (played.perSecond * price) / played.price;
    return host === undefined ? [] : [{ ...played, host, price, perSecond }];
  });
}
