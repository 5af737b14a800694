import { type Provider, UNKNOWN, UNKNOWN_PLAN } from "./provider.ts";

/** Providers without EVM nodes, or with other limits for the others. */
export const OTHER_PROVIDERS: readonly Provider[] = [
  {
    ...UNKNOWN,
    name: "TronGrid",
    hosts: /^([\w-]+\.)*trongrid\.io$/i,
    networks: ["trc20"],
    free: { ...UNKNOWN_PLAN, name: "with a key", perSecond: 15, quota: "100,000 calls a day" },
    limitAnswer: "429 with a key, 403 without; the key is then suspended for up to 30 seconds",
    note: "figures of an older page; the current page has none and says that limits change",
    sources: [
      "https://developers.tron.network/reference/rate-limits",
      "https://developers.tron.network/reference-link/rate-limits",
    ],
  },
  {
    ...UNKNOWN,
    name: "Chainstack (solana)",
    hosts: /^solana-mainnet\.core\.chainstack\.com$/i,
    networks: ["solana"],
    free: { ...UNKNOWN_PLAN, name: "Developer", perSecond: 5, quota: "3,000,000 calls a month" },
    paid: { ...UNKNOWN_PLAN, name: "Growth", perSecond: 50, quota: "20,000,000 calls a month" },
    costs: "getSignaturesForAddress counts twice",
    note: "getTokenAccountsByOwner on paid plans only: without it every block is read; quotas are from a list of others",
    sources: [
      "https://docs.chainstack.com/docs/limits.md",
      "https://docs.chainstack.com/docs/solana-methods.md",
      "https://docs.chainstack.com/docs/request-units.md",
      "https://github.com/api-evangelist/chainstack",
    ],
  },
  {
    ...UNKNOWN,
    name: "Helius",
    hosts: /^([\w-]+\.)+helius-rpc\.com$/i,
    networks: ["solana"],
    free: { ...UNKNOWN_PLAN, perSecond: 10, quota: "1,000,000 credits a month" },
    paid: { ...UNKNOWN_PLAN, name: "Developer", perSecond: 50, quota: "10,000,000 credits a month" },
    sources: [
      "https://www.helius.dev/docs/billing/plans.md",
      "https://www.helius.dev/docs/de/billing/rate-limits",
    ],
  },
  {
    ...UNKNOWN,
    name: "Triton",
    hosts: /^([\w-]+\.)+rpcpool\.com$/i,
    networks: ["solana"],
    limitAnswer: "429",
    note: "limits for each address, each method and 10 seconds, as agreed; no free plan is named",
    sources: [
      "https://docs.triton.one/using-your-endpoint/rate-and-connection-limits.md",
      "https://docs.triton.one/solana/faq/error-handling/handle-429-rate-limit-errors",
    ],
  },
  {
    ...UNKNOWN,
    name: "Crypto APIs",
    hosts: /^([\w-]+\.)+cryptoapis\.io$/i,
    networks: ["bitcoin", "litecoin", "dogecoin"],
    note: "the key goes into the header X-API-Key; limits are in the account only",
    sources: ["https://developers.cryptoapis.io/technical-documentation/json-rpc"],
  },
  {
    ...UNKNOWN,
    name: "XRPL public servers",
    hosts: /^(xrplcluster\.com|xrpl\.ws|s[12]\.ripple\.com|([\w-]+\.)+rippletest\.net)$/i,
    networks: ["xrp"],
    note: "limits for each address. Ripple's are not for lasting or business use",
    sources: [
      "https://xrpl.org/docs/references/http-websocket-apis/api-conventions/rate-limiting.md",
      "https://xrpl.org/docs/tutorials/public-servers.md",
    ],
  },
];
