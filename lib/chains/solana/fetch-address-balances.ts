import { ed25519 } from "@noble/curves/ed25519.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { base58 } from "@scure/base";
import type { AddressBalances } from "../custody.ts";
import { NodeError } from "../node-error.ts";
import { parseFields, parseList, parseUint, throwMalformed } from "../parse-json.ts";
import type { RpcClient } from "../rpc-client.ts";
import { toLedgerUnits } from "../units.ts";
import { askAt, FINALIZED } from "./fetch-blocks.ts";
import type { SolanaToken } from "./match-balances.ts";

const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const ASSOCIATED_PROGRAM = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";
/** Offsets in a token account: the mint, the owner, the amount (little-endian). */
const TOKEN_ACCOUNT = { owner: 32, amount: 64, end: 72 } as const;

/** An account whose units are asked for: of SOL the address itself, of a token the account that wallets use. */
interface AskedAccount {
  readonly owner: string;
  /** Null for SOL. */
  readonly mint: string | null;
  readonly account: string;
}

/** The most accounts that one call returns (docs.anza.xyz, getMultipleAccounts). */
export const MOST_ACCOUNTS = 100;

/** The account that holds an owner's SOL, or its tokens where it is the one that wallets use. */
export function accountOf(owner: string, mint: string | null): AskedAccount {
  return { owner, mint, account: mint === null ? owner : associatedAccount(owner, mint) };
}

/**
 * The units of accounts, all at one final slot of `at` or later. Null: there is no such token account, or it is not of this
 * owner and mint.
 */
export async function fetchHeld(
  client: RpcClient,
  asked: readonly AskedAccount[],
  at = 0,
): Promise<{ readonly slot: number; readonly units: readonly (bigint | null)[] }> {
  const options = {
    ...FINALIZED,
    ...(at > 0 && { minContextSlot: at }),
    encoding: "base64",
    dataSlice: { offset: 0, length: TOKEN_ACCOUNT.end },
  };
  const params = [asked.map(({ account }) => account), options];
  const answer = await askAt(client, at, { method: "getMultipleAccounts", params });
  const { context, value } = parseFields("accounts", answer);
  const accounts = parseList("accounts", value);
  if (accounts.length !== asked.length) throwMalformed("accounts", accounts.length);
  const slot = parseUint("its slot", parseFields("a context", context).slot);
  if (slot < at) throw new NodeError("inconsistent", `the node is at slot ${slot}, not yet at ${at}`);
  return { slot, units: asked.map((one, i) => readUnits(accounts[i], one)) };
}

/** See Custody.fetchBalances. SOL of each address, and the tokens of its associated token accounts, at one slot. */
export async function fetchSolanaAddressBalances(
  client: RpcClient,
  tokens: readonly SolanaToken[],
  addresses: readonly string[],
): Promise<AddressBalances> {
  const pairs = addresses.flatMap((address) => tokens.map((token) => ({ address, token })));
  const asked = pairs.map(({ address, token }) => accountOf(address, token.mint));
  const { slot, units } = await fetchHeld(client, asked);
  const balances = pairs.flatMap(({ address, token }, i) =>
    units[i] ? { address, token: token.token, amount: toLedgerUnits(units[i], token) } : [],
  );
  return { block: { height: slot, hash: null }, balances };
}

function readUnits(account: unknown, { owner, mint }: AskedAccount): bigint | null {
  if (account === null) return mint === null ? 0n : null;
  const { lamports, data } = parseFields("an account", account);
  if (mint === null) return BigInt(parseUint("lamports", lamports));
  const [text] = parseList("an account's data", data);
  const bytes = Buffer.from(String(text), "base64");
  const isOurs =
    bytes.length >= TOKEN_ACCOUNT.end &&
    base58.encode(bytes.subarray(0, TOKEN_ACCOUNT.owner)) === mint &&
    base58.encode(bytes.subarray(TOKEN_ACCOUNT.owner, TOKEN_ACCOUNT.amount)) === owner;
  return isOurs ? bytes.readBigUInt64LE(TOKEN_ACCOUNT.amount) : null;
}

/** The token account that wallets use for an owner and a mint: the first derived address that is not on the curve. */
function associatedAccount(owner: string, mint: string): string {
  const program = base58.decode(ASSOCIATED_PROGRAM);
  const seeds = [owner, TOKEN_PROGRAM, mint].map((text) => base58.decode(text));
  for (let bump = 255; bump >= 0; bump--) {
    const derived = sha256(
      concatBytes(...seeds, Uint8Array.of(bump), program, utf8ToBytes("ProgramDerivedAddress")),
    );
    if (!isOnCurve(derived)) return base58.encode(derived);
  }
  throw new Error(`no token account of ${owner}`);
}

function isOnCurve(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(bytes);
    return true;
  } catch {
    return false;
  }
}
