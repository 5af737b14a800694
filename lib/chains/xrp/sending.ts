import { createHash } from "node:crypto";
import { askChecked } from "../ask-checked.ts";
import { broadcastToAll } from "../broadcast-to-all.ts";
import type { ChainReader, NodeAnswer } from "../network.ts";
import { NodeError } from "../node-error.ts";
import type { NodePool } from "../node-pool.ts";
import type { AccountSending, Check, Sending } from "../sending.ts";
import { readDrops, readInteger, readObject } from "./parse-ledger.ts";
import type { RippledAnswer, RippledClient } from "./rippled-client.ts";
import type { XrpDestinationState, XrpSendState } from "./types.ts";

/**
 * The fate of a signed transaction. final: a validated ledger has it. dead: it is proven that none can (fateOf). open:
 * anything else.
 */
export type XrpFate = "final" | "dead" | "open";

/**
 * The answer of one server about a transaction. known: it has it, not validated. absent: it has every ledger that could contain it.
 * unknown: not all.
 */
type XrpTrace = "final" | "known" | "absent" | "unknown";

/** Sends transactions of the one account. Accounts are classic addresses. Every failure is a NodeError. */
export interface XrpSending extends AccountSending {
  readonly kind: "xrp";
  /** See NetworkData.chainId. */
  readonly networkId: number;
  /** The one account, which receives and pays. */
  hotAccount(): string;
  fetchState(destination: string, check?: Check<XrpSendState>): Promise<XrpSendState>;
  /** `expires`: the last ledger that may contain it. Every server is asked: one that does not know it proves nothing alone. */
  fetchFate(hash: string, expires: number): Promise<XrpFate>;
  /** Sends a signed transaction (hex) to every server. Accepts one that a server has already. Throws if none took it. */
  broadcast(raw: string): Promise<void>;
}

/** Narrows the sending of a network to that of the XRP Ledger. */
export const isXrpSending = (sending: Sending | null): sending is XrpSending => sending?.kind === "xrp";

/** The requests to one server. */
export interface XrpNodeForSending {
  fetchBalance(account: string): Promise<bigint>;
  fetchSendState(account: string, destination: string): Promise<XrpSendState>;
  fetchTrace(hash: string, expires: number): Promise<XrpTrace>;
  broadcast(raw: string): Promise<void>;
}

/** Ledgers before its last one that are searched for a transaction: more than the life of any that the signer has signed. */
const SEARCHED_LEDGERS = 200;
/** Flags of an account (xrpl.org, AccountRoot). */
const REQUIRES_TAG = 0x0002_0000;
const DEPOSIT_AUTH = 0x0100_0000;
/** Fields of accounts that the ledger itself controls. */
const CONTROLLED = ["AMMID", "VaultID", "LoanBrokerID"];

/** Sends from the account through the pool's servers. */
export function openXrpSending(
  account: string,
  networkId: number,
  pool: NodePool<ChainReader & XrpNodeForSending>,
): XrpSending {
  return {
    kind: "xrp",
    networkId,
    hotAccount: () => account,
    fetchBalances: async (asked) => new Map([["xrp", await pool.use((node) => node.fetchBalance(asked))]]),
    fetchState: (destination, check) =>
      askChecked(pool, (node) => node.fetchSendState(account, destination), check),
    async fetchFate(hash, expires) {
      const answers = await pool.askEachNode((node) => node.fetchTrace(hash, expires));
      if (!answers.some(({ ok }) => ok))
        throw new NodeError("unreachable", "no server answered about a transaction");
      return fateOf(answers);
    },
    broadcast: (raw) => broadcastToAll(pool, (node) => node.broadcast(raw)),
  };
}

/** Opens the signer's requests to one server. */
export function readForSending(client: RippledClient): XrpNodeForSending {
  return {
    fetchBalance: async (account) =>
      readDrops("a balance", (await fetchAccount(client, account))?.Balance ?? "0"),
    fetchSendState: (account, destination) => fetchSendState(client, account, destination),
    fetchTrace: (hash, expires) => fetchTrace(client, hash, expires),
    broadcast: (raw) => broadcastBlob(client, raw),
  };
}

async function fetchSendState(
  client: RippledClient,
  account: string,
  destination: string,
): Promise<XrpSendState> {
  const state = readObject("its state", (await client.ask("server_state", {}))?.state);
  const validated = readObject("its validated ledger", state.validated_ledger);
  const drops = readObject("its fees", (await client.ask("fee", {}))?.drops);
  const own = await fetchAccount(client, account);
  if (own === null) throw new NodeError("inconsistent", `${client.name} does not know the account that pays`);
  const receiver = await fetchAccount(client, destination);
  const baseReserve = BigInt(readInteger("its reserve", validated.reserve_base));
  const perObject = BigInt(readInteger("its reserve for each object", validated.reserve_inc));
  return {
    ledger: readInteger("its validated ledger", validated.seq),
    balance: readDrops("a balance", own.Balance),
    sequence: readInteger("an account's sequence", own.Sequence),
    reserve: baseReserve + perObject * BigInt(readInteger("an account's objects", own.OwnerCount)),
    baseReserve,
    fee: readDrops("its fee", drops.open_ledger_fee),
    destination: receiver && readDestination(receiver),
  };
}

function readDestination(account: RippledAnswer): XrpDestinationState {
  const flags = readInteger("an account's flags", account.Flags);
  return {
    requiresTag: (flags & REQUIRES_TAG) !== 0,
    refuses: (flags & DEPOSIT_AUTH) !== 0 || CONTROLLED.some((field) => account[field] !== undefined),
  };
}

/** The account's entry in the newest validated ledger. Null if it does not exist. */
async function fetchAccount(client: RippledClient, account: string): Promise<RippledAnswer | null> {
  const answer = await client.ask("account_info", { account, ledger_index: "validated" }, ["actNotFound"]);
  return answer && readObject("an account", answer.account_data);
}

/** A server that has searched every ledger of the range says so (xrpl.org, tx, "searched_all"). */
async function fetchTrace(client: RippledClient, hash: string, expires: number): Promise<XrpTrace> {
  const range = { min_ledger: Math.max(1, expires - SEARCHED_LEDGERS), max_ledger: expires };
  const asked = { transaction: hash, binary: false, ...range };
  const answer = await client.askKeepingError("tx", asked, ["txnNotFound"]);
  if (answer.error === undefined) return answer.validated === true ? "final" : "known";
  return answer.searched_all === true ? "absent" : "unknown";
}

/** Dead: every server answers, none knows it, and one has every ledger that could contain it. A wrong "dead" could pay twice. */
export function fateOf(answers: readonly NodeAnswer<XrpTrace>[]): XrpFate {
  const says = (trace: XrpTrace) => (answer: NodeAnswer<XrpTrace>) => answer.ok && answer.result === trace;
  if (answers.some(says("final"))) return "final";
  const isDenied = answers.every((answer) => answer.ok && answer.result !== "known");
  return isDenied && answers.some(says("absent")) ? "dead" : "open";
}

/** Results with which a server keeps a transaction or has applied it (xrpl.org, Transaction Results). */
const KEPT = /^(tes|tec)|^(terQUEUED|tefALREADY)$/;

async function broadcastBlob(client: RippledClient, raw: string): Promise<void> {
  const answer = (await client.ask("submit", { tx_blob: raw })) ?? {};
  const result = String(answer.engine_result);
  if (KEPT.test(result) || answer.kept === true) return;
  // A server that has it refuses its sequence the second time.
  const asked = { transaction: hashOf(raw), binary: false };
  if ((await client.ask("tx", asked, ["txnNotFound"])) !== null) return;
  throw new NodeError("refused", `${client.name} refused a transaction: ${result.slice(0, 40)}`);
}

/** The hash of a signed transaction (xrpl.org, Transaction Hashes). */
function hashOf(raw: string): string {
  const whole = createHash("sha512").update("TXN\0").update(Buffer.from(raw, "hex"));
  return whole.digest("hex").slice(0, 64).toUpperCase();
}
