import { base58 } from "@scure/base";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { TransactionFate } from "../fate.ts";
import { NodeError } from "../node-error.ts";
import type { NodePool } from "../node-pool.ts";
import { parseFields, parseList, parseUint, throwMalformed } from "../parse-json.ts";
import type { RpcCall, RpcClient } from "../rpc-client.ts";
import type { AccountSending, Check, Sending } from "../sending.ts";
import { checkAnswer, shareSending } from "../share-sending.ts";
import { toLedgerUnits } from "../units.ts";
import { FINALIZED } from "./fetch-blocks.ts";
import { fetchSolanaFate, isFinal } from "./fetch-fate.ts";
import type { SolanaToken } from "./match-balances.ts";
import { readKey } from "./parse-block.ts";
import type { SolanaAccount, SolanaNode, SolanaSendState, SolanaTokenAccount } from "./types.ts";

/** in_block: in a block that is not final. absent: the node knows none with this signature. */
type SolanaStatus = "final" | "in_block" | "absent";

/** Sends transactions on Solana. Raw transactions are base64, hashes are signatures. Every failure is a NodeError. */
export interface SolanaSending extends AccountSending {
  readonly kind: "solana";
  /** Only the signer's words derive it. */
  hotAccount(): null;
  /** The mint of a listed token with its decimals. The mint is null for SOL. */
  findToken(token: TokenCode): { readonly mint: string | null; readonly decimals: number } | null;
  /** At most 100 accounts. */
  fetchState(accounts: readonly string[], check?: Check<SolanaSendState>): Promise<SolanaSendState>;
  /** The token accounts that each owner has of a mint, and the lamports of each owner. */
  fetchHoldings(
    owners: readonly string[],
    mints: readonly string[],
  ): Promise<
    readonly { readonly lamports: bigint; readonly tokens: readonly (readonly SolanaTokenAccount[])[] }[]
  >;
  /** Compute units of a transaction without signatures. Null if it would fail now. */
  simulate(raw: string): Promise<number | null>;
  /** The height of the newest final block, and each signature's status (at most 256). */
  fetchStatuses(
    signatures: readonly string[],
  ): Promise<{ readonly finalHeight: number; readonly statuses: readonly SolanaStatus[] }>;
  /** The height of the newest final block, from each node that answers. */
  fetchFinalHeights(): Promise<readonly number[]>;
  /** The nodes' proof about a transaction. See fetchSolanaFate. */
  fetchFate(
    signature: string,
    range: { readonly lastValid: number; readonly blocks?: number },
  ): Promise<TransactionFate>;
}

/** Narrows the sending of a network to that of Solana. */
export const isSolanaSending = (sending: Sending | null): sending is SolanaSending =>
  sending?.kind === "solana";

export function openSolanaSending(tokens: readonly SolanaToken[], pool: NodePool<SolanaNode>): SolanaSending {
  return {
    kind: "solana",
    hotAccount: () => null,
    findToken: (token) => tokens.find((one) => one.token === token) ?? null,
    ...shareSending(pool, ({ client }) => readForSending(client, tokens)),
    fetchFinalHeights: async () =>
      (await pool.askEach(({ client }) => fetchStatuses(client, []))).flatMap((answer) =>
        answer.ok ? answer.result.finalHeight : [],
      ),
    fetchFate: (signature, range) => fetchSolanaFate(pool, signature, range),
  };
}

/** Opens the signer's requests to one node. */
const readForSending = (
  client: RpcClient,
  tokens: readonly SolanaToken[],
): Pick<
  SolanaSending,
  "fetchBalances" | "fetchState" | "fetchHoldings" | "simulate" | "fetchStatuses" | "broadcast"
> => ({
  fetchBalances: (account) => fetchBalances(client, account, tokens),
  fetchState: (accounts, check) => checkAnswer(fetchState(client, accounts), check),
  fetchHoldings: (owners, mints) => fetchHoldings(client, owners, mints),
  simulate: (raw) => simulate(client, raw),
  fetchStatuses: (signatures) => fetchStatuses(client, signatures),
  broadcast: (raw) => broadcastRaw(client, raw),
});

/** A block that two thirds of the stake have voted for. Such a block was never dropped. A blockhash of a final block would live shorter. */
const CONFIRMED = { commitment: "confirmed" } as const;
/** Bytes of a token account. */
const TOKEN_ACCOUNT_BYTES = 165;
/** Where a token account keeps its amount, 8 bytes little-endian. */
const AMOUNT_OFFSET = 64;
const AMOUNT_END = 72;
/** The data of accounts as far as it is needed. The destination belongs to a stranger, and may have ten megabytes. */
const ACCOUNTS = { ...CONFIRMED, encoding: "base64", dataSlice: { offset: 0, length: AMOUNT_END } } as const;

/** The same of our own token accounts, which are needed whole. */
const OWN_ACCOUNTS = { ...ACCOUNTS, dataSlice: { offset: 0, length: TOKEN_ACCOUNT_BYTES } } as const;
/** Whether it can be used, and who may close it, in the data of a token account (spl-token, Account). */
const STATE_OFFSET = 108;
const FROZEN = 2;
const CLOSE_AUTHORITY_OFFSET = 129;

/** The amount of a token account, in the token's unit on this chain. */
export function readTokenAmount({ data, space }: Pick<SolanaAccount, "data" | "space">): bigint {
  if (space < TOKEN_ACCOUNT_BYTES || data.length < AMOUNT_END) throwMalformed("a token account", space);
  return new DataView(data.buffer, data.byteOffset).getBigUint64(AMOUNT_OFFSET, true);
}

async function fetchBalances(
  client: RpcClient,
  account: string,
  tokens: readonly SolanaToken[],
): Promise<ReadonlyMap<TokenCode, bigint>> {
  const mints = tokens.flatMap(({ mint }) => mint ?? []);
  const [holding] = await fetchHoldings(client, [account], mints);
  const amounts = new Map(
    mints.map((mint, at) => [mint, holding?.tokens[at]?.reduce((sum, { amount }) => sum + amount, 0n) ?? 0n]),
  );
  return new Map(
    tokens.map((listed) => {
      const amount = listed.mint === null ? (holding?.lamports ?? 0n) : (amounts.get(listed.mint) ?? 0n);
      return [listed.token, toLedgerUnits(amount, listed)];
    }),
  );
}

async function fetchState(client: RpcClient, accounts: readonly string[]): Promise<SolanaSendState> {
  const [latest, found, empty, tokenAccount, recent] = await client.batch([
    { method: "getLatestBlockhash", params: [CONFIRMED] },
    { method: "getMultipleAccounts", params: [accounts, ACCOUNTS] },
    { method: "getMinimumBalanceForRentExemption", params: [0] },
    { method: "getMinimumBalanceForRentExemption", params: [TOKEN_ACCOUNT_BYTES] },
    { method: "getRecentPrioritizationFees", params: [accounts.slice(0, 1)] },
  ]);
  const { blockhash, lastValidBlockHeight } = parseFields(
    "its newest blockhash",
    parseFields("its newest blockhash", latest).value,
  );
  const listed = parseList("accounts", parseFields("accounts", found).value);
  if (listed.length !== accounts.length) throwMalformed("accounts", listed.length);
  return {
    blockhash: readKey("a blockhash", blockhash),
    lastValidBlockHeight: parseUint("a block height", lastValidBlockHeight),
    accounts: listed.map((account) => (account === null ? null : parseAccount(account))),
    rent: {
      empty: BigInt(parseUint("a rent", empty)),
      tokenAccount: BigInt(parseUint("a rent", tokenAccount)),
    },
    unitPrice: readUnitPrice(recent),
  };
}

function readUnitPrice(recent: unknown): bigint {
  const prices = parseList("its recent fees", recent)
    .map((entry) => parseUint("a recent fee", parseFields("a recent fee", entry).prioritizationFee))
    .sort((one, other) => one - other);
  return BigInt(prices[Math.floor((prices.length * 3) / 4)] ?? 0);
}

function parseAccount(value: unknown): SolanaAccount {
  const { lamports, owner, data, executable, space } = parseFields("an account", value);
  const [content, encoding] = parseList("an account's data", data);
  if (typeof content !== "string" || encoding !== "base64") throwMalformed("an account's data", data);
  return {
    // Exact up to nine million SOL. For a destination only its existence counts.
    lamports: BigInt(Math.floor(Number(lamports))),
    owner: readKey("an account's owner", owner),
    data: Uint8Array.from(Buffer.from(content as string, "base64")),
    // With a slice, the data does not say how long it is (solana.com, getMultipleAccounts, "space").
    space: parseUint("an account's space", space),
    executable: executable === true,
  };
}

async function fetchHoldings(
  client: RpcClient,
  owners: readonly string[],
  mints: readonly string[],
): ReturnType<SolanaSending["fetchHoldings"]> {
  const calls = owners.flatMap((owner): RpcCall[] => [
    { method: "getBalance", params: [owner, CONFIRMED] },
    ...mints.map((mint) => ({
      method: "getTokenAccountsByOwner",
      params: [owner, { mint }, OWN_ACCOUNTS],
    })),
  ]);
  const answers = await client.batch(calls);
  return owners.map((_, at) => {
    const [balance, ...lists] = answers
      .slice(at * (1 + mints.length), (at + 1) * (1 + mints.length))
      .map((answer) => parseFields("a balance", answer).value);
    return {
      lamports: BigInt(parseUint("a balance", balance)),
      tokens: lists.map((list) =>
        parseList("an owner's token accounts", list).map((entry) =>
          parseTokenAccount(entry, owners[at] ?? ""),
        ),
      ),
    };
  });
}

function parseTokenAccount(entry: unknown, owner: string): SolanaTokenAccount {
  const { pubkey, account } = parseFields("a token account", entry);
  const parsed = parseAccount(account);
  return {
    address: readKey("a token account", pubkey),
    amount: readTokenAmount(parsed),
    lamports: parsed.lamports,
    isFrozen: parsed.data[STATE_OFFSET] === FROZEN,
    closedByOwner: isClosedBy(parsed.data, owner),
  };
}

/** No authority of its own means the owner. A shorter account than the classic program's is left open. */
function isClosedBy(data: Uint8Array, owner: string): boolean {
  if (data.length < TOKEN_ACCOUNT_BYTES) return false;
  const authority = data.subarray(CLOSE_AUTHORITY_OFFSET + 4, TOKEN_ACCOUNT_BYTES);
  return data[CLOSE_AUTHORITY_OFFSET] === 0 || base58.encode(authority) === owner;
}

async function simulate(client: RpcClient, raw: string): Promise<number | null> {
  // The node may not have the blockhash yet, which says nothing about the transfer.
  const options = { ...CONFIRMED, encoding: "base64", sigVerify: false, replaceRecentBlockhash: true };
  const answer = await client.call("simulateTransaction", [raw, options]);
  const { err, unitsConsumed } = parseFields("a simulation", parseFields("a simulation", answer).value);
  return err === null ? parseUint("compute units", unitsConsumed) : null;
}

async function fetchStatuses(
  client: RpcClient,
  signatures: readonly string[],
): ReturnType<SolanaSending["fetchStatuses"]> {
  const [height, found] = await client.batch([
    { method: "getBlockHeight", params: [FINALIZED] },
    { method: "getSignatureStatuses", params: [signatures] },
  ]);
  const listed = parseList("statuses", parseFields("statuses", found).value);
  if (listed.length !== signatures.length) throwMalformed("statuses", listed.length);
  return {
    finalHeight: parseUint("its final block height", height),
    statuses: listed.map((entry) => {
      if (entry === null) return "absent";
      return isFinal(entry) ? "final" : "in_block";
    }),
  };
}

const KNOWN = /already been processed/i;

/** Sends a signed transaction to one node, which tries it first. A node that has it already took it, too. */
async function broadcastRaw(client: RpcClient, raw: string): Promise<void> {
  const options = { encoding: "base64", preflightCommitment: CONFIRMED.commitment };
  try {
    await client.call("sendTransaction", [raw, options]);
  } catch (error) {
    if (error instanceof NodeError && error.kind === "refused" && KNOWN.test(error.message)) return;
    throw error;
  }
}
