import { type AccountKeyFormat, looksLikeExtendedPrivateKey } from "../account-keys.ts";
import type { FamilyDescriptor } from "../family.ts";
import { decodeClassicAddress, decodeXAddress, looksLikeXrpSecret, toClassicAddress } from "./address.ts";

const ADDRESS_WANTED = "must be the classic address (r…) of the account that receives";

/** All addresses are tags of one account. Its identity is its 20 bytes. */
const ACCOUNT: AccountKeyFormat = {
  variable: "ACCOUNT",
  // The first account of every ledger (xrpl.org, Special Addresses).
  example: "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh",
  parse(text) {
    const account = decodeClassicAddress(text);
    if (account !== null) return { ok: true, identity: Buffer.from(account).toString("hex") };
    const isSecret = looksLikeExtendedPrivateKey(text) || looksLikeXrpSecret(text);
    return { ok: false, reason: isSecret ? "private_key" : "malformed" };
  },
  describeProblem: (problem) =>
    problem === "private_key"
      ? "holds a SECRET. Anyone who has it can spend the money. It was not stored. Remove it from the environment, move the money if anyone else may have read it, and set the account's address (r…)"
      : ADDRESS_WANTED,
  // Wallets show the first key below the account path.
  getKeyPath: (accountPath) => `${accountPath}/0/0`,
  formatKey(key) {
    if (key.publicKey === null) throw new Error("The key has no public key.");
    return toClassicAddress(key.publicKey);
  },
};

/** Accounts without a known key (xrpl.org, Special Addresses). */
const BLACK_HOLES: ReadonlySet<string> = new Set([
  "rrrrrrrrrrrrrrrrrrrrrhoLvTp",
  "rrrrrrrrrrrrrrrrrrrrBZbvji",
  "rrrrrrrrrrrrrrrrrNAMEtxvNvQ",
  "rrrrrrrrrrrrrrrrrrrn5RM1rHd",
]);

export const XRP_FAMILY: FamilyDescriptor = {
  canonicalizeTransactionHash: (text) => (/^[0-9a-f]{64}$/i.test(text) ? text.toUpperCase() : null),
  accountKey: ACCOUNT,
  pool: null,
  contract: null,
  listTestChains: () => [],
  countCalls: ({ blocks, isIdle }) => (isIdle ? 5 : 1 + 2 * Math.min(1, blocks)),
  readsMempool: false,
  hasZmq: false,
  hasWalletUrl: false,
  hasTraces: false,
  hasOutputPositions: false,
  isBurnAddress: (address, env) => BLACK_HOLES.has(decodeXAddress(address, env)?.account ?? ""),
  balancePage: 1,
  feeCap: null,
  mostAheadMs: 600_000,
  sharesAddresses: false,
};
