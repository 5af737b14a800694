import { createHash } from "node:crypto";
import { Address, RawTx } from "@scure/btc-signer";
import { type Bitcoin, REGTEST, scriptOf } from "./bitcoind.ts";

/** A script that anyone can spend, OP_TRUE, behind its hash: its transactions need no signature. */
const ANYBODY = Uint8Array.of(0x51);
const ANYBODY_ADDRESS = Address(REGTEST).encode({
  type: "wsh",
  hash: createHash("sha256").update(ANYBODY).digest(),
});
/** The wallet makes no larger transaction. */
const COINS_A_TRANSACTION = 2_000;

/**
 * Mines one block of `transactions` and its coinbase, which share these addresses among their outputs, 1,000
 * satoshis each. Returns its hash. Mines a few blocks before it.
 */
export async function mineBigBlock(
  bitcoin: Bitcoin,
  transactions: number,
  addresses: readonly string[],
): Promise<string> {
  const coins: { txid: string; vout: number }[] = [];
  while (coins.length < transactions) {
    const count = Math.min(COINS_A_TRANSACTION, transactions - coins.length);
    const txid = await bitcoin.payMany(
      Array.from({ length: count }, () => [ANYBODY_ADDRESS, "0.0001"] as const),
    );
    await bitcoin.mine();
    for (let vout = 0; vout < count; vout++) coins.push({ txid, vout });
  }
  const share = addresses.length / transactions;
  const raw = coins.map(({ txid, vout }, i) =>
    RawTx.encode({
      version: 2,
      segwitFlag: true,
      inputs: [
        {
          txid: Buffer.from(txid, "hex"),
          index: vout,
          finalScriptSig: new Uint8Array(),
          sequence: 0xffff_fffd,
        },
      ],
      outputs: addresses
        .slice(Math.floor(i * share), Math.floor((i + 1) * share))
        .map((address) => ({ amount: 1_000n, script: scriptOf(address) })),
      witnesses: [[ANYBODY]],
      lockTime: 0,
    }),
  );
  return bitcoin.mineOnly(raw.map((bytes) => Buffer.from(bytes).toString("hex")));
}
