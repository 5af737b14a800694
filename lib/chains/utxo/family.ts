import { createXpubFormat } from "../account-keys.ts";
import type { FamilyDescriptor } from "../family.ts";
import { canonicalizeUtxoAddress, encodeAddressScript } from "./address.ts";
import { getUtxoData } from "./chains.ts";
import { readUtxoAccountKey } from "./derive-address.ts";
import { isLostScript } from "./lost-script.ts";

export const UTXO_FAMILY: FamilyDescriptor = {
  canonicalizeTransactionHash: (text) => (/^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : null),
  accountKey: createXpubFormat((text, env, data) =>
    readUtxoAccountKey(text, getUtxoData(data).accountKeys[env]),
  ),
  pool: null,
  contract: null,
  listTestChains: (data) => getUtxoData(data).test.map(({ name }) => name),
  // The head and the mempool's summary, and a list of the mempool now and then.
  countCalls: ({ blocks }) => 2.5 + 3 * blocks,
  readsMempool: true,
  hasZmq: true,
  hasWalletUrl: false,
  hasTraces: false,
  hasOutputPositions: true,
  isBurnAddress(address, env, data) {
    const { live, test } = getUtxoData(data);
    const chain = (env === "live" ? [live] : test).find(
      (one) => canonicalizeUtxoAddress(address, one) === address,
    );
    return chain !== undefined && isLostScript(encodeAddressScript(address, chain));
  },
  balancePage: 10_000,
  feeCap: { name: "max_fee_per_vbyte", decimals: 3 },
  // The rules of the chain allow two hours.
  mostAheadMs: 7_800_000,
  sharesAddresses: false,
};
