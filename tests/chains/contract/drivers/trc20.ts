import { TronWeb } from "tronweb";
import type { Twist } from "#tests/support/fake-node.ts";
import {
  broadcast,
  jsonRpc,
  newAccount,
  payMany,
  payTrc10,
  payUsdt,
  rebuilt,
  type Signed,
  signedTransfer,
  signedTrx,
  startTestTron,
  type TronNode,
  trc20,
  wallet,
} from "#tests/support/tron.ts";
import { ADDRESSES, type ContractDriver, WORDS } from "./driver.ts";
import { LOG_CUT, LOG_LIES, logBlock, staleLogNode } from "./log-answers.ts";
import { BLOCK_LIES, staleBlocks, TRX_LIES } from "./tron-answers.ts";

/** Differences between the coin and the token. Amounts are in their smallest units. */
interface Money {
  readonly token: "trx" | "usdt";
  /** Ledger units of the chain's smallest unit. */
  readonly unit: bigint;
  readonly rates: string;
  readonly failed: ContractDriver["statusKinds"]["failed"];
  sign(to: string, amount: number): Promise<Signed>;
  sendMany(payments: readonly (readonly [to: string, amount: number])[]): Promise<string>;
  /** Resolves to its hash. */
  sendFailing(to: string): Promise<string>;
  sendOthers(to: string): Promise<unknown>;
  sendLookAlikes(to: string): Promise<unknown>;
  sendNothing(to: string): Promise<unknown>;
  readonly lies: ContractDriver["lies"];
}

/** USDT with the project's emulator of a TRON node: no TRON node is available for the tests. */
export function openTrc20Driver(): Promise<ContractDriver> {
  return openDriver(usdtOf);
}

/** TRX, with the same emulator. */
export function openTrxDriver(): Promise<ContractDriver> {
  return openDriver(trxOf);
}

/** No block of the JSON-RPC is asked for by its height where TRX is read. */
const { "a block of another height": _, ...logLies } = LOG_LIES;

type Emulator = Awaited<ReturnType<typeof startTestTron>>;

function usdtOf(emulator: Emulator): Money {
  return {
    token: "usdt",
    unit: 10n ** 12n,
    rates: "usdt/usd=1",
    failed: "failed",
    sign: (to, amount) => signedTransfer(emulator, to, amount),
    sendMany: (payments) =>
      payMany(
        emulator,
        payments.map(([to]) => to),
        payments.map(([, amount]) => amount),
      ),
    sendFailing: (to) => payUsdt(emulator, to, 1, wallet(emulator, newAccount().privateKey)),
    sendOthers: (to) => payTrc10(emulator, to, 5_000_000),
    async sendLookAlikes(to) {
      const usdt = await emulator.deployOtherToken();
      const named = await (await wallet(emulator).contract().at(usdt)).symbol!().call();
      if (named !== "USDT") throw new Error(`the token calls itself ${named}`);
      await payUsdt({ ...emulator, usdt }, to, 5_000_000);
    },
    sendNothing: (to) => payUsdt(emulator, to, 0),
    lies: { ...logLies, ...BLOCK_LIES },
  };
}

function trxOf(emulator: Emulator): Money {
  let signed = 0;
  return {
    token: "trx",
    unit: 1n,
    rates: "trx/usd=0.25",
    // A TRX transfer that fails is included in no block.
    failed: "unknown",
    // tronweb uses the time of the newest block, so two equal transfers on one block would be one
    // transaction.
    async sign(to, amount) {
      signed += 1;
      return rebuilt(emulator, await signedTrx(emulator, to, amount), (raw) => {
        raw.timestamp = Number(raw.timestamp) + signed;
      });
    },
    async sendMany() {
      throw new Error("a transaction moves TRX to one address");
    },
    async sendFailing(to) {
      const poor = wallet(emulator, newAccount().privateKey);
      return refused(emulator, await signedTrx(emulator, to, 1, poor), /does not exist/);
    },
    async sendOthers(to) {
      const usdt = await emulator.deployOtherToken();
      await payUsdt({ ...emulator, usdt }, to, 5_000_000);
    },
    // With the number of a token instead of TRX's, and otherwise the same.
    sendLookAlikes: (to) => payTrc10(emulator, to, 5_000_000),
    async sendNothing(to) {
      const nothing = await rebuilt(emulator, await signedTrx(emulator, to, 1), ({ contract }) => {
        contract[0].parameter.value.amount = 0;
      });
      await refused(emulator, nothing, /Amount must be greater than 0/);
    },
    lies: { ...BLOCK_LIES, ...TRX_LIES },
  };
}

/** The node refuses it for this reason. Resolves to its hash. */
async function refused(node: TronNode, transaction: Signed, reason: RegExp): Promise<string> {
  const { result, message = "" } = await broadcast(node, transaction);
  const said = Buffer.from(message, "hex").toString();
  if (result || !reason.test(said)) throw new Error(`not refused as it should be: ${said}`);
  return transaction.txID;
}

async function openDriver(moneyOf: (emulator: Emulator) => Money): Promise<ContractDriver> {
  const emulator = await startTestTron({});
  const money = moneyOf(emulator);
  const rpcUrl = `${emulator.url}/jsonrpc`;
  const sent = new Map<string, Signed>();
  const waiting = new Set<string>();
  const units = (amount: bigint): number => {
    if (amount % money.unit !== 0n) throw new Error(`${amount} is less than ${money.token} can count`);
    return Number(amount / money.unit);
  };
  const put = async (transaction: Signed): Promise<string> => {
    const { result, message = "" } = await broadcast(emulator, transaction);
    if (!result) throw new Error(Buffer.from(message, "hex").toString());
    sent.set(transaction.txID, transaction);
    waiting.add(transaction.txID);
    return transaction.txID;
  };
  const mine = async (blocks = 1) => {
    await emulator.mine(blocks);
    waiting.clear();
  };
  const send = async (to: string, amount: bigint) => put(await money.sign(to, units(amount)));
  const version = await jsonRpc(emulator, "web3_clientVersion", []);

  return {
    network: "trc20",
    token: money.token,
    node: String(version.result).replace("/v", " "),
    rpcUrl,
    contract: null,
    chainId: null,
    smallest: money.unit,
    positioned: money.token === "usdt",
    rates: money.rates,
    addresses: {
      vectors: [ADDRESSES.trc20, "TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK"],
      walletAddress: (path) => TronWeb.fromMnemonic(WORDS, path).address,
      spellings(shown) {
        const hex = TronWeb.address.toHex(shown);
        return [shown, hex, hex.toUpperCase(), `0x${hex}`];
      },
      others: [ADDRESSES.bitcoin, ADDRESSES.bep20, ADDRESSES.trc20.toLowerCase(), ...ADDRESSES.none],
    },
    statusKinds: { waiting: "pending", failed: money.failed, reverted: "unknown" },
    showsMempool: false,
    blocksToCredit: 3,
    open: (...urls) => trc20({ url: urls[0] ?? "", usdt: emulator.usdt }),
    openWith: (changes, url) => trc20({ url, usdt: emulator.usdt }, changes),
    readUri(uri) {
      if (!TronWeb.isAddress(uri)) throw new Error(`${uri} is no address`);
      return { address: uri, amount: null, contract: null, chainId: null };
    },
    tip: () => logBlock(rpcUrl),
    block: (height) => logBlock(rpcUrl, height),
    mine,
    send,
    sendMany: (payments) => money.sendMany(payments.map(([to, amount]) => [to, units(amount)])),
    async replace(hash, to, amount) {
      // TRON transactions have no nonce. A payer can only have one reverted and not send it again.
      if (waiting.has(hash)) {
        await mine();
        await emulator.reorg(1);
      }
      return send(to, amount);
    },
    reorg: (depth, options) => emulator.reorg(depth, options),
    async resend(hash) {
      await put(sent.get(hash) as Signed);
    },
    sendFailing: money.sendFailing,
    async sendOthers(to) {
      await money.sendOthers(to);
    },
    async sendLookAlikes(to) {
      await money.sendLookAlikes(to);
    },
    async sendNothing(to) {
      await money.sendNothing(to);
    },
    lies: money.lies,
    cut: LOG_CUT,
    async stale(height): Promise<Twist> {
      const [logs, blocks] = [await staleLogNode(rpcUrl, height), staleBlocks(height)];
      return (call, pass) => (call.method.startsWith("wallet/") ? blocks(call, pass) : logs(call, pass));
    },
    close: () => emulator.stop(),
  };
}
