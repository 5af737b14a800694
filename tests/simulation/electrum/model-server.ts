import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { Random } from "../random.ts";
import {
  type ElectrumBlock,
  type ElectrumChain,
  type ElectrumState,
  historyOf,
  merkleBranch,
  statusOf,
} from "./electrum-chain.ts";

/** An error as e-x answers it. */
class Refusal extends Error {}

/** An Electrum server before the chain of a history. It shows the chain as it was at its last update. */
export class ModelServer {
  readonly #chain: ElectrumChain;
  readonly #random: Random;
  readonly #sessions = new Set<Session>();
  readonly #server: Server;
  #view: ElectrumState;

  constructor(chain: ElectrumChain, random: Random) {
    this.#chain = chain;
    this.#random = random;
    this.#view = chain.state;
    this.#server = createServer((socket) => {
      const session = new Session(socket, () => this.#view);
      this.#sessions.add(session);
      socket.on("close", () => this.#sessions.delete(session));
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `electrum+tcp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Learns the chain of now, and reports what changed. */
  update(): void {
    this.#view = this.#chain.state;
    const isHeaderFirst = this.#random.chance(0.5);
    for (const session of this.#sessions) session.report(isHeaderFirst);
  }

  endConnections(): void {
    for (const { socket } of this.#sessions) socket.destroy();
  }

  async close(): Promise<void> {
    this.endConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const newestHeader = ({ blocks }: ElectrumState) => {
  const { header, height } = blocks.at(-1) as ElectrumBlock;
  return { hex: header.toString("hex"), height };
};

/** One connection of a client. */
class Session {
  readonly socket: Socket;
  readonly #view: () => ElectrumState;
  readonly #statuses = new Map<string, string | null>();
  #header: string | null = null;

  constructor(socket: Socket, view: () => ElectrumState) {
    this.socket = socket;
    this.#view = view;
    let rest = "";
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      const lines = (rest + String(chunk)).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#answer(JSON.parse(line));
    });
  }

  report(isHeaderFirst: boolean): void {
    const newest = newestHeader(this.#view());
    const parts = [() => this.#reportHeader(newest), () => this.#reportStatuses()];
    for (const part of isHeaderFirst ? parts : parts.reverse()) part();
  }

  #reportHeader(newest: ReturnType<typeof newestHeader>): void {
    if (this.#header === null || this.#header === newest.hex) return;
    this.#header = newest.hex;
    this.#send({ method: "blockchain.headers.subscribe", params: [newest] });
  }

  #reportStatuses(): void {
    for (const [scriptHash, before] of this.#statuses) {
      const status = statusOf(historyOf(this.#view(), scriptHash));
      if (status === before) continue;
      this.#statuses.set(scriptHash, status);
      this.#send({ method: "blockchain.scripthash.subscribe", params: [scriptHash, status] });
    }
  }

  #answer({ id, method, params = [] }: { id: number; method: string; params?: readonly unknown[] }): void {
    try {
      this.#send({ id, result: this.#ask(method, params) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#send({ id, error: { code: 1, message: error.message } });
    }
  }

  #ask(method: string, [first, second]: readonly unknown[]): unknown {
    const view = this.#view();
    switch (method) {
      case "server.version":
        return ["model", "1.4"];
      case "server.ping":
        return null;
      case "blockchain.headers.subscribe": {
        const newest = newestHeader(view);
        this.#header = newest.hex;
        return newest;
      }
      case "blockchain.scripthash.subscribe": {
        const status = statusOf(historyOf(view, String(first)));
        this.#statuses.set(String(first), status);
        return status;
      }
      case "blockchain.scripthash.get_history":
        return historyOf(view, String(first));
      case "blockchain.block.header":
        return blockAt(view, Number(first)).header.toString("hex");
      case "blockchain.block.headers": {
        const headers = view.blocks.slice(Number(first), Number(first) + Number(second));
        return { hex: headers.map(({ header }) => header.toString("hex")).join(""), count: headers.length };
      }
      case "blockchain.transaction.get":
        return transactionOf(view, String(first)).hex;
      case "blockchain.transaction.get_merkle": {
        const { txids } = blockAt(view, Number(second));
        const pos = txids.indexOf(String(first));
        if (pos < 0) throw new Refusal(`tx ${String(first)} not in block at height ${String(second)}`);
        return { block_height: Number(second), merkle: merkleBranch(txids, pos), pos };
      }
      default:
        throw new Refusal(`unknown method "${method}"`);
    }
  }

  #send(message: object): void {
    if (!this.socket.destroyed) this.socket.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
}

function blockAt({ blocks }: ElectrumState, height: number): ElectrumBlock {
  const block = blocks[height];
  if (block === undefined) throw new Refusal(`height ${height} out of range`);
  return block;
}

function transactionOf({ blocks, waiting }: ElectrumState, txid: string) {
  const all = [...blocks.flatMap(({ transactions }) => transactions), ...waiting];
  const found = all.find((one) => one.txid === txid);
  if (found === undefined) throw new Refusal(`no transaction ${txid}`);
  return found;
}
