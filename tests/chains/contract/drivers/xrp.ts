import { classicAddressToXAddress, isValidXAddress, xAddressToClassicAddress } from "xrpl";
import { askServer, destinationOf } from "#lib/dev-chains/xrp-fake/xrp-payer.ts";
import type { Twist } from "#tests/support/fake-node.ts";
import { LOOK_ALIKE_CURRENCY, startXrpWorld, type XrpWorld, xrpNetwork } from "#tests/support/xrp.ts";
import { ADDRESSES, type ContractDriver, type NodeBlock } from "./driver.ts";

type Entry = Record<string, unknown> & { readonly meta: object; readonly tx_json: object };
type Page = Record<string, unknown> & { readonly transactions: readonly Entry[] };

const LEDGER_EPOCH = 946_684_800;
/** The account that wallets show for the words of the other networks' vectors. */
const WORDS_ACCOUNT = "rHsMGQEkVNJmpGWs8XUBoTBiAAbwxZN5v3";

/** With the project's fake of a server: no XRP Ledger server is available for the tests. */
export async function openXrpDriver(): Promise<ContractDriver> {
  const world = await startXrpWorld();
  const { url, account, payer, pauper } = world;
  const send = (to: string, amount: bigint) => world.pay(payer, to, amount);

  return {
    network: "xrp",
    token: "xrp",
    node: "a fake of rippled",
    rpcUrl: url,
    contract: null,
    chainId: null,
    smallest: 1n,
    positioned: false,
    rates: "xrp/usd=2",
    addresses: {
      vectors: ["XVMFQQBMhdouRqhPMuawgBMN1AVFToUENPog68xVFnq7ief"],
      account: WORDS_ACCOUNT,
      path: (index) => `tag ${index + 1}`,
      walletAddress: (path) => classicAddressToXAddress(WORDS_ACCOUNT, Number(path.slice(4)), false),
      extra: (shown) => String(xAddressToClassicAddress(shown).tag),
      spellings: (shown) => [shown],
      // An address of the live network is not one of this network.
      others: [
        classicAddressToXAddress(WORDS_ACCOUNT, 1, false),
        ADDRESSES.bitcoin,
        ADDRESSES.bep20,
        ADDRESSES.trc20,
        ...ADDRESSES.none,
      ],
    },
    statusKinds: { waiting: "pending", failed: "failed", reverted: "unknown" },
    showsMempool: false,
    blocksToCredit: 1,
    open: (...urls) => xrpNetwork(account, ...urls),
    readUri(uri) {
      if (!isValidXAddress(uri)) throw new Error(`${uri} is no address`);
      return { address: uri, amount: null, contract: null, chainId: null };
    },
    tip: () => readBlock(url, "validated"),
    block: (height) => readBlock(url, height),
    mine: async (blocks) => world.mine(blocks),
    send,
    sendMany: () => Promise.reject(new Error("a payment of the XRP Ledger has one destination")),
    replace: (hash, to, amount) => replace(world, hash, to, amount),
    reorg: () => Promise.reject(new Error("a validated ledger is never replaced")),
    resend: () => Promise.reject(new Error("transactions are never reverted")),
    sendFailing: (to) => world.pay(pauper, to, 1_000_000_000n),
    async sendOthers(to) {
      await world.pay(payer, to, world.token("5"));
    },
    async sendLookAlikes(to) {
      const { tag } = xAddressToClassicAddress(to);
      await world.pay(payer, to, world.token("5", LOOK_ALIKE_CURRENCY));
      await world.pay(payer, classicAddressToXAddress(pauper.classicAddress, tag, true), 5_000_000n);
      await world.pay(payer, account, 5_000_000n, { SourceTag: Number(tag) });
    },
    async sendNothing(to) {
      const refused = await world.pay(payer, to, 0n).then(
        () => false,
        () => true,
      );
      if (!refused) throw new Error("a payment of nothing was taken");
    },
    lies: LIES,
    cut: {
      outcome: "asked again in parts",
      twist({ method, params }) {
        // The server sends one transaction at a time, whatever the request says.
        if (method === "account_tx") Object.assign(Object(params[0]), { limit: 1 });
        return undefined;
      },
    },
    stale: (height) => staleNode(url, height),
    close: () => world.stop(),
  };
}

async function readBlock(url: string, index: number | "validated"): Promise<NodeBlock> {
  const { ledger } = await askServer(url, "ledger", { ledger_index: index });
  const { ledger_index, ledger_hash, parent_hash, close_time } = ledger as Record<string, string | number>;
  return {
    height: Number(ledger_index),
    hash: String(ledger_hash),
    parentHash: String(parent_hash),
    time: new Date((Number(close_time) + LEDGER_EPOCH) * 1_000),
  };
}

/** Another payment with the same sequence and a higher fee: one of the two is included. */
async function replace(world: XrpWorld, hash: string, to: string, amount: bigint): Promise<string> {
  const { tx_json } = await askServer(world.url, "tx", { transaction: hash });
  const { Sequence } = tx_json as { Sequence: number };
  return world.submit(world.payer, {
    TransactionType: "Payment",
    ...destinationOf(to),
    Amount: String(amount),
    Sequence,
    Fee: "100",
  });
}

function changePage(change: (page: Page) => unknown): Twist {
  return async ({ method }, pass) => (method === "account_tx" ? change((await pass()) as Page) : undefined);
}

function changeEntries(change: (entry: Entry) => unknown): Twist {
  return changePage((page) => ({ ...page, transactions: page.transactions.map(change) }));
}

function changeLedger(change: (answer: Record<string, unknown>) => unknown): Twist {
  return async ({ method }, pass) =>
    method === "ledger" ? change((await pass()) as Record<string, unknown>) : undefined;
}

const LIES: ContractDriver["lies"] = {
  "transactions that are no list": changePage((page) => ({ ...page, transactions: {} })),
  "transactions of another account": changePage((page) => ({ ...page, account: WORDS_ACCOUNT })),
  "transactions that are not validated": changeEntries((entry) => ({ ...entry, validated: false })),
  "a range that is shorter at its end": changePage((page) => ({
    ...page,
    ledger_index_max: Number(page.ledger_index_max) - 1,
  })),
  "a range that begins later": changePage((page) => ({
    ...page,
    ledger_index_min: Number(page.ledger_index_min) + 1,
  })),
  async "a page that leads back to itself"({ method, params }, pass) {
    if (method !== "account_tx") return undefined;
    Object.assign(Object(params[0]), { marker: undefined });
    return { ...((await pass()) as Page), marker: { ledger: 1, seq: 0 } };
  },
  "a payment that does not say what it delivered": changeEntries((entry) => ({
    ...entry,
    meta: { ...entry.meta, delivered_amount: undefined },
  })),
  "an amount that is a number": changeEntries((entry) => ({
    ...entry,
    meta: { ...entry.meta, delivered_amount: 5_000_000 },
  })),
  "an amount with a fraction": changeEntries((entry) => ({
    ...entry,
    meta: { ...entry.meta, delivered_amount: "5.5" },
  })),
  "a tag that is no number": changeEntries((entry) => ({
    ...entry,
    tx_json: { ...entry.tx_json, DestinationTag: "1" },
  })),
  "a payment of another ledger": changeEntries((entry) => ({ ...entry, ledger_hash: "AB".repeat(32) })),
  "a payment of a ledger that it does not know": changeEntries((entry) => ({
    ...entry,
    ledger_hash: "00".repeat(32),
  })),
  "a payment that was not asked for": changeEntries((entry) => ({ ...entry, ledger_index: 1 })),
  "a ledger that is not validated": changeLedger((answer) => ({ ...answer, validated: false })),
  "a ledger without a hash": changeLedger((answer) => ({ ...answer, ledger_hash: null })),
  "a ledger of another height": changeLedger((answer) => ({ ...answer, ledger_index: 2 })),
};

/** The server as it was at a height. */
async function staleNode(url: string, height: number): Promise<Twist> {
  const old = await askServer(url, "ledger", { ledger_index: height });
  const error = (code: string) => ({ status: "error", error: code });
  return async ({ method, params }, pass) => {
    const { ledger_index, ledger_index_max } = Object(params[0]) as Record<string, unknown>;
    if (method === "ledger" && ledger_index === "validated") return old;
    if (method === "ledger" && Number(ledger_index) > height) return error("lgrNotFound");
    if (method === "account_tx" && Number(ledger_index_max) > height) return error("lgrIdxMalformed");
    if (method !== "tx") return undefined;
    const found = (await pass()) as Record<string, unknown>;
    return Number(found.ledger_index) > height ? error("txnNotFound") : found;
  };
}
