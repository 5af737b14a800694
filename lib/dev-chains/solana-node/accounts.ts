import { type Address, getBase58Decoder } from "@solana/kit";
import type { SolanaBlock, SolanaChain } from "./chain.ts";

/** The bytes of a token account without extensions. */
const TOKEN_ACCOUNT_BYTES = 165;

export type Options = Readonly<Record<string, unknown>>;

/** The newest block at a commitment. Every block that is not finalized counts as confirmed. */
export function newestAt(chain: SolanaChain, options: Options): SolanaBlock {
  const { commitment = "finalized" } = options;
  return commitment === "finalized" ? chain.finalized() : (chain.blocks().at(-1) ?? chain.finalized());
}

export function options(value: unknown): Options {
  return typeof value === "object" && value !== null ? (value as Options) : {};
}

/** As agave's encode_ui_account: the slice may begin or end behind the data, and "space" counts all of the data. */
export function accountJson(chain: SolanaChain, address: Address, given: Options): object | null {
  const account = chain.svm.getAccount(address);
  if (!account.exists) return null;
  const { executable, programAddress, space } = account;
  const { lamports, data } = stateAt(chain, account, newestAt(chain, given).slot) ?? account;
  if (Number(lamports) === 0) return null;
  const { offset = 0, length = data.length } = options(given.dataSlice);
  const slice = data.subarray(Number(offset), Number(offset) + Number(length));
  const content = [Buffer.from(slice).toString("base64"), "base64"];
  const value = { data: content, executable, lamports: Number(lamports), owner: programAddress };
  return { ...value, rentEpoch: 0, space: Number(space) };
}

type ExistingAccount = Extract<ReturnType<SolanaChain["svm"]["getAccount"]>, { readonly exists: true }>;

/**
 * Returns the state of an account before the transactions above a slot: the virtual machine has only the newest state. Null: none of them
 * names it. An account that was closed since is missing.
 */
function stateAt(
  chain: SolanaChain,
  account: ExistingAccount,
  slot: number,
): { readonly lamports: number; readonly data: Uint8Array } | null {
  const later = chain
    .blocks()
    .slice(chain.blocks().findLastIndex((block) => block.slot <= slot) + 1)
    .flatMap(({ transactions }) => transactions);
  const next = later.find(({ accounts }) => accounts.all.includes(account.address));
  if (next === undefined) return null;
  const index = next.accounts.all.indexOf(account.address);
  const data = Uint8Array.from(account.data);
  const tokens = next.before.tokens.find(({ accountIndex }) => accountIndex === index);
  if (tokens !== undefined) {
    new DataView(data.buffer).setBigUint64(64, BigInt(tokens.uiTokenAmount.amount), true);
  }
  return { lamports: next.before.lamports[index] ?? 0, data };
}

/** Owners are as the newest block left them: this front keeps no older state of accounts but what they held. */
export function listTokenAccounts(
  chain: SolanaChain,
  owner: Address,
  mint: Address,
  given: Options,
): readonly object[] {
  const names = new Set(
    chain.blocks().flatMap(({ transactions }) => transactions.flatMap(({ accounts }) => accounts.all)),
  );
  return [...names].flatMap((name) => {
    const account = chain.svm.getAccount(name as Address);
    if (!account.exists || account.data.length < TOKEN_ACCOUNT_BYTES) return [];
    const held = [account.data.slice(0, 32), account.data.slice(32, 64)].map((key) =>
      getBase58Decoder().decode(key),
    );
    if (held[0] !== mint || held[1] !== owner) return [];
    const json = accountJson(chain, name as Address, given);
    return json === null ? [] : { pubkey: name, account: json };
  });
}
