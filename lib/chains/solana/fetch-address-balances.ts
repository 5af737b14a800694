import { ed25519 } from "@noble/curves/ed25519.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { base58 } from "@scure/base";
import type { AddressBalances } from "../network.ts";
import { parseFields, parseList, parseUint, throwMalformed } from "../parse-json.ts";
import type { RpcClient } from "../rpc-client.ts";
import { toLedgerUnits } from "../units.ts";
import { FINALIZED } from "./fetch-blocks.ts";
import type { SolanaToken } from "./match-balances.ts";

const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const ASSOCIATED_PROGRAM = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";
/** Offsets in a token account: the mint, the owner, the amount (little-endian). */
const TOKEN_ACCOUNT = { owner: 32, amount: 64, end: 72 } as const;

/** See ChainReader.fetchAddressBalances. SOL of each address, and the tokens of its associated token accounts, at one slot. */
export async function fetchSolanaAddressBalances(
  client: RpcClient,
  tokens: readonly SolanaToken[],
  addresses: readonly string[],
): Promise<AddressBalances> {
  const asked = addresses.flatMap((address) =>
    tokens.map((token) => ({
      address,
      token,
      account: token.mint === null ? address : associatedAccount(address, token.mint),
    })),
  );
  const options = { ...FINALIZED, encoding: "base64", dataSlice: { offset: 0, length: TOKEN_ACCOUNT.end } };
  const answer = await client.call("getMultipleAccounts", [asked.map(({ account }) => account), options]);
  const { context, value } = parseFields("accounts", answer);
  const accounts = parseList("accounts", value);
  if (accounts.length !== asked.length) throwMalformed("accounts", accounts.length);
  const balances = asked.flatMap(({ address, token }, i) => {
    const units = readUnits(accounts[i], address, token.mint);
    return units === 0n ? [] : { address, token: token.token, amount: toLedgerUnits(units, token) };
  });
  const height = parseUint("its slot", parseFields("a context", context).slot);
  return { block: { height, hash: null }, balances };
}

function readUnits(account: unknown, owner: string, mint: string | null): bigint {
  if (account === null) return 0n;
  const { lamports, data } = parseFields("an account", account);
  if (mint === null) return BigInt(parseUint("lamports", lamports));
  const [text] = parseList("an account's data", data);
  const bytes = Buffer.from(String(text), "base64");
  const isOurs =
    bytes.length >= TOKEN_ACCOUNT.end &&
    base58.encode(bytes.subarray(0, TOKEN_ACCOUNT.owner)) === mint &&
    base58.encode(bytes.subarray(TOKEN_ACCOUNT.owner, TOKEN_ACCOUNT.amount)) === owner;
  return isOurs ? bytes.readBigUInt64LE(TOKEN_ACCOUNT.amount) : 0n;
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
