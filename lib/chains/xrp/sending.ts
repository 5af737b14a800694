import { createHash } from "node:crypto";
import { fetchFate, type TransactionFate, type TransactionTrace } from "../fate.ts";
import type { ChainReader } from "../network.ts";
import { NodeError } from "../node-error.ts";
import type { NodePool } from "../node-pool.ts";
import type { AccountSending, Check, Sending } from "../sending.ts";
import { checkAnswer, shareSending } from "../share-sending.ts";
import { readDrops, readInteger, readObject } from "./parse-ledger.ts";
import type { RippledAnswer, RippledClient } from "./rippled-client.ts";
import type { XrpDestinationState, XrpSendState } from "./types.ts";

/** Sends transactions of the one account. Accounts are classic addresses. Every failure is a NodeError. */
export interface XrpSending extends AccountSending {
  readonly kind: "xrp";
  /** See NetworkData.chainId. */
  readonly networkId: number;
  /** The one account, which receives and pays. */
  hotAccount(): string;
  fetchState(destination: string, check?: Check<XrpSendState>): Promise<XrpSendState>;
  /** `expires`: the last ledger that may contain it. Every server is asked: one that does not know it proves nothing alone. */
  fetchFate(hash: string, expires: number): Promise<TransactionFate>;
  /** Sends a signed transaction (hex) to every server. Accepts one that a server has already. Throws if none took it. */
  broadcast(raw: string): Promise<void>;
}

/** Narrows the sending of a network to that of the XRP Ledger. */
export const isXrpSending = (sending: Sending | null): sending is XrpSending => sending?.kind === "xrp";

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
  pool: NodePool<ChainReader & { readonly client: RippledClient }>,
): XrpSending {
  return {
    kind: "xrp",
    networkId,
    hotAccount: () => account,
    ...shareSending(pool, ({ client }) => readForSending(client, account)),
    fetchFate: (hash, expires) => fetchFate(pool, ({ client }) => fetchTrace(client, hash, expires)),
  };
}

/** Opens the signer's requests to one server. */
const readForSending = (
  client: RippledClient,
  account: string,
): Pick<XrpSending, "fetchBalances" | "fetchState" | "broadcast"> => ({
  fetchBalances: async (asked) =>
    new Map([["xrp", readDrops("a balance", (await fetchAccount(client, asked))?.Balance ?? "0")]]),
  fetchState: (destination, check) => checkAnswer(fetchSendState(client, account, destination), check),
  broadcast: (raw) => broadcastBlob(client, raw),
});

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
async function fetchTrace(client: RippledClient, hash: string, expires: number): Promise<TransactionTrace> {
  const range = { min_ledger: Math.max(1, expires - SEARCHED_LEDGERS), max_ledger: expires };
  const asked = { transaction: hash, binary: false, ...range };
  const answer = await client.askKeepingError("tx", asked, ["txnNotFound"]);
  if (answer.error === undefined) return answer.validated === true ? "final" : "known";
  return answer.searched_all === true ? "absent" : "unknown";
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
