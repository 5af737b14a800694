import type { FamilyDescriptor } from "../family.ts";
import { canonicalizeSolanaAddress, deriveSolanaAddress, isKeyPairAddress } from "./address.ts";
import { SOLANA_TEST_CHAINS } from "./chains.ts";

export const SOLANA_FAMILY: FamilyDescriptor = {
  // A signature: 64 bytes in base58, which is case sensitive. Nearly all have 87 or 88 characters.
  canonicalizeTransactionHash: (text) => (/^[1-9A-HJ-NP-Za-km-z]{80,88}$/.test(text) ? text : null),
  accountKey: null,
  pool: {
    findProblem(address) {
      if (canonicalizeSolanaAddress(address) === null) return "is not a valid address";
      return isKeyPairAddress(address)
        ? null
        : "is the address of a token account or a program, which has no private key";
    },
    // Wallets show live account n at m/44'/501'/n'/0'. Test addresses use m/44'/501'/n'/1'.
    deriveAddress(seed, env, index, { accountPath }) {
      const path = `m/${accountPath}/${index}'/${env === "live" ? 0 : 1}'`;
      return { address: deriveSolanaAddress(seed, path), path };
    },
  },
  contract: {
    parse: (text) => canonicalizeSolanaAddress(text),
    description: "a mint's address, base58",
  },
  listTestChains: () => SOLANA_TEST_CHAINS,
  // Idle: the head, the slots and a header, what 100 addresses hold, and an address in turn with every third pass.
  countCalls: ({ blocks, isIdle }) => (isIdle ? 8 : 3 + blocks),
  readsMempool: false,
  hasZmq: false,
  hasWalletUrl: false,
  hasTraces: false,
  hasOutputPositions: false,
  // The system program and the incinerator.
  isBurnAddress: (address) => /^(?:1{32}|1nc1nerator1{32})$/.test(address),
  balancePage: 25,
  feeCap: null,
  mostAheadMs: 600_000,
  sharesAddresses: false,
};
