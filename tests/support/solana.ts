import { mnemonicToSeedSync } from "@scure/bip39";
import { type Address, generateKeyPairSigner, type KeyPairSigner } from "@solana/kit";
import { getCreateAccountInstruction, getTransferSolInstruction } from "@solana-program/system";
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from "@solana-program/token";
import type { AddressBook } from "#lib/chains/address-book.ts";
import type { AdapterTools, NetworkAdapter, NetworkConfig, NetworkRegistry } from "#lib/chains/network.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { deriveSolanaAddress } from "#lib/chains/solana/address.ts";
import { isSolanaSending } from "#lib/chains/solana/sending.ts";
import { rpc } from "#lib/dev-chains/rpc.ts";
import { faucet, USDT_MINT } from "#lib/dev-chains/solana-node/genesis.ts";
import { sendInstructions } from "#lib/dev-chains/solana-node/pay.ts";
import { importAddresses } from "#lib/domain/wallets/import-addresses.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { hereBy } from "./acts.ts";
import { log } from "./watched-network.ts";

export { USDT_MINT } from "#lib/dev-chains/solana-node/genesis.ts";

const SEED = mnemonicToSeedSync(
  "legal winner thank year wave sausage worth useful legal winner thank yellow",
);

/** The test environment's solana on a development chain, over these nodes. */
export function solana(...rpcUrls: string[]): NetworkRegistry {
  return solanaWith({ usdt: USDT_MINT }, rpcUrls);
}

/** The same with these mints. */
export function solanaWith(
  contracts: NetworkConfig["contracts"],
  rpcUrls: readonly string[],
  { chain = "development", log: ownLog = log, ...tools }: { chain?: string | null } & AdapterTools = {},
): NetworkRegistry {
  const node = { env: "test", network: "solana", rpcUrls, accountKey: "", zmqUrl: null } as const;
  return openNetworks([{ ...node, chain, chainId: null, contracts }], { ...tools, log: ownLog });
}

/** The adapter over these nodes. */
export const solanaAdapter = (...rpcUrls: string[]): NetworkAdapter =>
  solana(...rpcUrls).find("test", "solana")!;

/** The requests of a signer to these nodes. */
export function solanaSending(...rpcUrls: string[]) {
  const { sending } = solanaAdapter(...rpcUrls);
  if (!isSolanaSending(sending)) throw new Error("solana does not send");
  return sending;
}

/** The answer of a node at a slot to getTokenAccountsByOwner: the units of token accounts. */
export function tokenAccountsAnswer(slot: number, accounts: ReadonlyMap<string, bigint> = new Map()) {
  const value = [...accounts].map(([pubkey, units]) => {
    const amount = Buffer.alloc(8);
    amount.writeBigUInt64LE(units);
    return { pubkey, account: { data: [amount.toString("base64"), "base64"] } };
  });
  return { context: { slot }, value };
}

/** A book of these addresses, as a watcher has one. */
export function bookOf(addresses: () => readonly string[]): AddressBook {
  const entries = () => addresses().map((address, i) => ({ address, id: i + 1 }));
  return {
    listBefore: async (before, limit) =>
      entries()
        .toReversed()
        .filter(({ id }) => before === null || id < before)
        .slice(0, limit),
    listAfter: async () => [],
    listPaidAbove: async () => [],
    listDue: async () => [],
    findRecordedBlocks: async () => new Map(),
    findSetAside: async () => new Set(),
  };
}

/** Address number `index` of the tests' mnemonic. */
export function solanaAddress(index: number): string {
  return deriveSolanaAddress(SEED, `m/44'/501'/${index}'/0'`);
}

/** Imports this many addresses into the test environment's pool, from number `first` on. */
export async function fillPool(db: Db, count: number, first = 0): Promise<void> {
  const lines = Array.from({ length: count }, (_, i) => solanaAddress(first + i));
  const text = lines.join("\n");
  const done = await db.transaction((tx) =>
    importAddresses(hereBy(tx), { env: "test", network: "solana", text }),
  );
  if (!done.ok) throw new Error(JSON.stringify(done));
}

/** An account with coins for fees and nothing else. The caller mines. */
export async function newPayer(url: string): Promise<KeyPairSigner> {
  const [source, payer] = [await faucet(), await generateKeyPairSigner()];
  const amount = 10_000_000_000n;
  await sendInstructions(url, source, [
    getTransferSolInstruction({ source, destination: payer.address, amount }),
  ]);
  return payer;
}

export async function tokenAccountOf(
  owner: string,
  mint: Address,
  tokenProgram: Address = TOKEN_PROGRAM_ADDRESS,
): Promise<Address> {
  return (await findAssociatedTokenPda({ owner: owner as Address, mint, tokenProgram }))[0];
}

/** In one transaction an unlisted token with USDT's decimals, and some of it for this address. */
export async function sendOtherToken(url: string, to: string): Promise<string> {
  const [payer, mint] = [await faucet(), await generateKeyPairSigner()];
  const space = getMintSize();
  const rent = BigInt(Number(await rpc(url, "getMinimumBalanceForRentExemption", [space])));
  const owner = to as Address;
  const ata = await tokenAccountOf(to, mint.address);
  return sendInstructions(url, payer, [
    getCreateAccountInstruction({
      payer,
      newAccount: mint,
      lamports: rent,
      space,
      programAddress: TOKEN_PROGRAM_ADDRESS,
    }),
    getInitializeMint2Instruction({ mint: mint.address, decimals: 6, mintAuthority: payer.address }),
    getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner, mint: mint.address }),
    getMintToInstruction({ mint: mint.address, token: ata, mintAuthority: payer, amount: 5_000_000n }),
  ]);
}
