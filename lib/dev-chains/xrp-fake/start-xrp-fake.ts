/**
 * A fake rippled server of the XRP Ledger for development and tests. No real server is available that runs
 * next to the tests. It speaks the protocol and keeps accounts. It runs none of the ledger's own software
 * except the library that encodes and signs.
 *
 * As on a real server: the JSON-RPC shapes of API version 2 (xrpl.org) for server_info, server_state, fee,
 * ledger, account_info, account_tx, tx and submit; signatures, transaction hashes, sequences, fees, reserves, result
 * codes, delivered amounts, partial payments, pages with markers, history with gaps. The hashes of their
 * headers chain the ledgers.
 *
 * Not as on a real server: consensus and peers (one server validates what it closes), content hashes
 * (digests of the transactions, no trees), the exchange (an issuer buys its token for one XRP), tickets,
 * escrows, checks, channels, offers, fee escalation (the open ledger's fee is what it is set to; with less, a transaction waits in
 * the queue).
 */
import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ECDSA, Wallet } from "xrpl";
import { type Ledgers, openLedgers } from "./ledgers.ts";
import { type FakeContext, METHODS, type Result } from "./methods.ts";
import { type Fields, readBlob } from "./transaction.ts";

export interface XrpFakeOptions {
  /** File that keeps the ledgers when it is killed. Absent: they end with the process. */
  readonly statePath?: string;
  /** Default: the network id of Testnet. */
  readonly networkId?: number;
  /** The most transactions in one answer of account_tx. Default: a public server's. */
  readonly pageLimit?: number;
}

export interface XrpFake {
  readonly url: string;
  /** Holds all XRP, as on a stand-alone server. Its secret is public and worth nothing. */
  readonly faucet: Wallet;
  readonly ledgers: Ledgers;
  /** Closes ledgers, the first one with all waiting transactions. */
  mine(count?: number): void;
  stop(): Promise<void>;
}

/**
 * From the words "masterpassphrase": the account that a new ledger starts with (xrpl.org, Stand-Alone Mode).
 */
const GENESIS_SEED = "snoPBrXtMeMyMHUVTgbuqAfg1SUTb";
const LEDGER_EPOCH = 946_684_800;
const BODY_MAX = 1024 * 1024;

/** Starts the fake on a free port of 127.0.0.1. */
export async function startXrpFake(options: XrpFakeOptions = {}): Promise<XrpFake> {
  const faucet = Wallet.fromSeed(GENESIS_SEED, { algorithm: ECDSA.secp256k1 });
  const ledgers = openLedgers(faucet.classicAddress);
  const note = openJournal(options.statePath ?? null, ledgers);
  const mine = (count = 1): void => {
    for (let i = 0; i < count; i++) {
      const { closeTime } = ledgers.close(Math.floor(Date.now() / 1_000) - LEDGER_EPOCH);
      note(String(closeTime));
    }
  };
  // The account exists from the start: only the first ledger has no parent.
  if (ledgers.history.newest() === undefined) mine(3);
  const context: FakeContext = {
    ledgers,
    networkId: options.networkId ?? 1,
    pageLimit: options.pageLimit ?? 200,
    onAccepted: ({ blob }) => note(blob),
  };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) {
      body += String(chunk);
      if (body.length > BODY_MAX) return response.writeHead(413).end("too large");
    }
    const answer = answerTo(body, context);
    response.writeHead(answer === null ? 400 : 200, { "content-type": "application/json" });
    response.end(answer === null ? "Unable to parse request: " : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faucet,
    ledgers,
    mine,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Returns null if the body is not a JSON-RPC call. */
function answerTo(body: string, context: FakeContext): Result | null {
  let request: { id?: unknown; method?: unknown; params?: unknown };
  try {
    request = Object(JSON.parse(body)) as typeof request;
  } catch {
    return null;
  }
  const { id, method } = request;
  if (typeof method !== "string") return null;
  const [params = {}] = (Array.isArray(request.params) ? request.params : []) as Fields[];
  const result = resultOf(method, params, context);
  const echoed = { command: method, ...params };
  const status = "error" in result ? { status: "error", request: echoed } : { status: "success" };
  return { result: { ...result, ...status }, ...(id !== undefined && { id }) };
}

function resultOf(method: string, params: Fields, context: FakeContext): Result {
  const run = METHODS[method];
  if (run === undefined) return { error: "unknownCmd", error_code: 32, error_message: "Unknown method." };
  if (params.api_version !== 2)
    return { error: "invalid_API_version", error_message: "only version 2 is faked" };
  return run(params, context);
}

/**
 * An append-only file of events. A line of digits is a ledger closed at that time, any other line a
 * transaction. Replayed in order they give the same ledgers. An incomplete last line is removed. Returns the
 * function that appends.
 */
function openJournal(path: string | null, ledgers: Ledgers): (line: string) => void {
  if (path === null) return () => {};
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole !== text) truncateSync(path, Buffer.byteLength(whole));
  for (const line of whole.split("\n").filter((one) => one !== "")) {
    if (/^[0-9]{1,12}$/.test(line)) ledgers.close(Number(line));
    else ledgers.submit(readBlob(line));
  }
  return (line) => appendFileSync(path, `${line}\n`);
}
