import { join } from "node:path";
import { NETWORKS } from "#lib/chains/networks.ts";
import type { DevChain } from "#lib/dev-chains/dev-chain.ts";
import { writeWhole } from "#lib/dev-chains/write-whole.ts";
import { accountVariable } from "#lib/server/network-config.ts";
import { listVariablesOf } from "#lib/server/variables/names.ts";
import { deriveHotKey } from "#lib/signer/solana/hot-key.ts";
import { accountPublicKey, type DemoState } from "./state.ts";

/** A price for every token, so that every buy can be tried. */
export const FIXED_RATES =
  "usdt/usd=1,btc/usd=60000,eth/usd=3000,bnb/usd=600,ltc/usd=85,trx/usd=0.3,xrp/usd=2,sol/usd=150," +
  "doge/usd=0.2,bch/usd=450,shib/usd=0.000012,ada/usd=0.5,twt/usd=1.1,busd/usd=1,comp/usd=45,usdc/usd=1," +
  "usd/ngn=1600,usd/eur=0.92,usd/gbp=0.79,usd/ghs=15.5,usd/kes=129,usd/zar=18.2,usd/xof=605," +
  "usd/cad=1.37,usd/aed=3.6725,usd/inr=84";

/** Variables that the demo reads for itself. */
const OWN: ReadonlySet<string> = new Set(["DATA_DIR", "PORT"]);

/** Settings of the caller for the server (another node, other rates, a log level). They win over the demo's. */
const FOR_SERVER: ReadonlySet<string> = new Set(listVariablesOf("demo").filter((name) => !OWN.has(name)));

/** The networks that the demo has chains of its own for. */
const OWN_CHAINS = ["BITCOIN", "LITECOIN", "BEP20", "ERC20", "BASE", "TRC20", "SOLANA", "XRP"];
const NODE_VARIABLE = new RegExp(
  `^TEST_(${OWN_CHAINS.join("|")})_(RPC_URL|ZMQ_URL|CHAIN_ID|CHAIN|USDT_CONTRACT|ACCOUNT)$`,
);

/** Throws when the environment names another node: the wallet, the mining and demo.json would not use it. */
export function refuseForeignNodes(env: Readonly<Record<string, string | undefined>>): void {
  const names = Object.keys(env).filter((name) => NODE_VARIABLE.test(name) && env[name]);
  if (names.length === 0) return;
  const text = names.join(", ");
  throw new Error(`The demo uses its own chains. Unset ${text}, or use your own node with "npm run dev".`);
}

export interface DemoUrls {
  readonly web: string;
  readonly shop: string;
}

/** The things that the demo has started or chosen. */
export interface DemoParts {
  readonly dataDir: string;
  readonly state: DemoState;
  readonly databaseUrl: string;
  readonly urls: DemoUrls;
  readonly chains: readonly DevChain[];
}

/** All variables of the server. */
export function serverEnvironment(demo: DemoParts): Record<string, string> {
  const { dataDir, state, databaseUrl, urls, chains } = demo;
  const keys = chains.flatMap(({ network }) => {
    const variable = accountVariable("test", network);
    return variable === null ? [] : [[variable, accountPublicKey(state, network)]];
  });
  const given = Object.entries(process.env).filter(([name, value]) => FOR_SERVER.has(name) && value);
  return {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    HOST: "127.0.0.1",
    PORT: new URL(urls.web).port,
    PUBLIC_URL: urls.web,
    SECRET_KEY: state.secretKey,
    ROLES: "web,worker",
    LOG_LEVEL: "info",
    SANDBOX: "on",
    // The demo's shop runs on this machine.
    WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8,::1/128",
    FIXED_RATES,
    ...Object.assign({}, ...chains.map((chain) => chain.env)),
    // The signer pays from there. It is on no account key, so the configuration has to name it.
    TEST_SOLANA_OWN_ADDRESSES: deriveHotKey(state.mnemonic, { env: "test", data: NETWORKS.solana }).address,
    ...Object.fromEntries(keys),
    ...Object.fromEntries(given),
  };
}

/**
 * Writes demo.env (another process of either role joins with `node --env-file`) and demo.json (what a script
 * needs to create and pay links).
 */
export function writeDemoFiles(
  { dataDir, state, urls, chains }: DemoParts,
  env: Readonly<Record<string, string>>,
): void {
  const lines = Object.entries(env).map(([name, value]) => `${name}=${value}\n`);
  writeWhole(join(dataDir, "demo.env"), lines.join(""));
  const description = {
    base_url: `${urls.web}/v1`,
    payment_url: env.PAYMENT_URL ?? `${env.PUBLIC_URL}/pay`,
    database_url: env.DATABASE_URL,
    shop_url: urls.shop,
    merchant: state.merchant,
    chains: {
      bitcoin: null,
      litecoin: null,
      ...Object.fromEntries(chains.map((chain) => [chain.network, chain.forScripts])),
    },
  };
  writeWhole(join(dataDir, "demo.json"), `${JSON.stringify(description, null, 2)}\n`);
}
