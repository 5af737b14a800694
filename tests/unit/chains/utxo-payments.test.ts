import assert from "node:assert/strict";
import { test } from "node:test";
import { RawTx } from "@scure/btc-signer";
import { NETWORKS } from "#lib/chains/networks.ts";
import { encodeAddressScript } from "#lib/chains/utxo/address.ts";
import { parseUtxoTransaction } from "#lib/chains/utxo/block.ts";
import { getUtxoChain, getUtxoData } from "#lib/chains/utxo/chains.ts";
import { readUtxoPayments } from "#lib/chains/utxo/fetch-payments.ts";

test("an address that a node writes counts only with its own script", () => {
  const chain = getUtxoChain(getUtxoData(NETWORKS.dogecoin), "live", null);
  const address = "DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L";
  const own = encodeAddressScript(address, chain);
  // A key itself, and a multisig of one key: old nodes write the address of the key's hash.
  const key = Uint8Array.of(0x21, 0x02, ...new Uint8Array(32).fill(7), 0xac);
  const multisig = Uint8Array.of(0x51, ...key.subarray(0, 34), 0x51, 0xae);
  const raw = RawTx.encode({
    version: 1,
    segwitFlag: false,
    inputs: [{ txid: new Uint8Array(32).fill(1), index: 0, finalScriptSig: new Uint8Array(), sequence: 0 }],
    outputs: [own, key, multisig].map((script) => ({ amount: 5n, script })),
    witnesses: [],
    lockTime: 0,
  });
  const hex = Buffer.from(raw).toString("hex");
  const { txid } = parseUtxoTransaction(Buffer.from(raw));
  for (const shown of [{ addresses: [address] }, { address }]) {
    const vout = [1, 2, 3].map(() => ({ scriptPubKey: shown }));
    const coin = { token: "doge", decimals: 8, blockExtra: undefined, chain } as const;
    const { payments } = readUtxoPayments({ hex, vout }, coin, txid, null);
    assert.deepEqual(
      payments?.map((one) => one.address),
      [address, null, null],
    );
  }
});
