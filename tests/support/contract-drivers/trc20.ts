import { TronWeb } from "tronweb";
import {
  broadcast,
  jsonRpc,
  newAccount,
  payMany,
  payUsdt,
  signedTransfer,
  startTronEmulator,
  trc20,
  wallet,
} from "../tron.ts";
import { ADDRESSES, type ContractDriver, WORDS } from "./driver.ts";
import { LOG_CUT, LOG_LIES, logBlock, staleLogNode } from "./log-answers.ts";

/** Ledger units of 10⁻⁶ USDT, which is what the token counts. */
const MICRO = 10n ** 12n;

/** Over the project's emulator of a TRON node: no node of TRON's can be had beside the tests. */
export async function openTrc20Driver(): Promise<ContractDriver> {
  const emulator = await startTronEmulator({ automine: false, solidifiedLag: 2 });
  const rpcUrl = `${emulator.url}/jsonrpc`;
  const sent = new Map<string, unknown>();
  const waiting = new Set<string>();
  const units = (amount: bigint): number => {
    if (amount % MICRO !== 0n) throw new Error(`${amount} is less than the token can count`);
    return Number(amount / MICRO);
  };
  const put = async (transaction: { txID: string }): Promise<string> => {
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
  const send = async (to: string, amount: bigint) => put(await signedTransfer(emulator, to, units(amount)));
  const version = await jsonRpc(emulator, "web3_clientVersion", []);

  return {
    network: "trc20",
    token: "usdt",
    node: String(version.result).replace("/v", " "),
    rpcUrl,
    contract: null,
    chainId: null,
    smallest: MICRO,
    positioned: true,
    rates: "usdt/usd=1",
    addresses: {
      vectors: [ADDRESSES.trc20, "TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK"],
      walletAddress: (path) => TronWeb.fromMnemonic(WORDS, path).address,
      spellings(shown) {
        const hex = TronWeb.address.toHex(shown);
        return [shown, hex, hex.toUpperCase(), `0x${hex}`, `0x${hex.slice(2)}`];
      },
      others: [ADDRESSES.bitcoin, ADDRESSES.trc20.toLowerCase(), ...ADDRESSES.none],
    },
    // The JSON-RPC of TRON's nodes does not know what waits.
    verdicts: { waiting: "unknown", failed: "failed", takenBack: "unknown" },
    showsMempool: false,
    blocksToCredit: 3,
    open: (...urls) => trc20({ url: urls[0] ?? "", usdt: emulator.usdt }),
    readUri(uri) {
      if (!TronWeb.isAddress(uri)) throw new Error(`${uri} is no address`);
      return { address: uri, amount: null, contract: null, chainId: null };
    },
    tip: () => logBlock(rpcUrl),
    block: (height) => logBlock(rpcUrl, height),
    mine,
    send,
    sendMany: (payments) =>
      payMany(
        emulator,
        payments.map(([to]) => to),
        payments.map(([, amount]) => units(amount)),
      ),
    async replace(hash, to, amount) {
      // Transactions of TRON have no numbers: what a payer can do is to have one taken back, and not to send it again.
      if (waiting.has(hash)) {
        await mine();
        await emulator.reorg(1);
      }
      return send(to, amount);
    },
    reorg: (depth, options) => emulator.reorg(depth, options),
    async resend(hash) {
      await put(sent.get(hash) as { txID: string });
    },
    sendFailing: (to) => payUsdt(emulator, to, 1, wallet(emulator, newAccount().privateKey)),
    async sendOthers(to) {
      await wallet(emulator).trx.sendTrx(to, 5_000_000);
    },
    async sendLookAlikes(to) {
      const usdt = await emulator.deployOtherToken();
      const named = await (await wallet(emulator).contract().at(usdt)).symbol!().call();
      if (named !== "USDT") throw new Error(`the token calls itself ${named}`);
      await payUsdt({ ...emulator, usdt }, to, 5_000_000);
    },
    async sendNothing(to) {
      await payUsdt(emulator, to, 0);
    },
    lies: LOG_LIES,
    cut: LOG_CUT,
    stale: (height) => staleLogNode(rpcUrl, height),
    close: () => emulator.stop(),
  };
}
