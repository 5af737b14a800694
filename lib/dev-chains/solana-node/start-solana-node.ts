/**
 * A Solana chain for development and tests: LiteSVM, Solana's own virtual machine without a cluster, behind
 * our own JSON-RPC front. No validator is available that runs next to the tests.
 *
 * LiteSVM does: programs, fees, rent, lookup tables, signatures. The front does: slots, blocks and their
 * hashes, skipped slots, finality, the age of a blockhash, the shapes and error codes of answers. Missing:
 * stake, votes, rewards, forks, durable nonces, subscriptions, blocks too full for a low priority fee, and methods that
 * nothing needed.
 */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { openSolanaChain, type SolanaChain } from "./chain.ts";
import { answerSolanaRpc } from "./json-rpc.ts";

export interface SolanaNodeOptions {
  /** Default: a free port. */
  readonly port?: number;
  /** File that keeps the chain when it is killed. Absent: the chain ends with the process. */
  readonly statePath?: string;
  /**
   * Slots between the newest block and the finalized one. Default 32, about as on the main network. Fewer
   * make a demo quick.
   */
  readonly finalizedLag?: number;
  /** The widest range of getBlocks. Default: Agave's. */
  readonly longestRange?: number;
}

export interface SolanaNode {
  readonly url: string;
  readonly chain: SolanaChain;
  stop(): Promise<void>;
}

const BODY_MAX = 1024 * 1024;
const LONGEST_RANGE = 500_000;

/** Starts it on 127.0.0.1. The caller creates the blocks. Throws when the port is in use. */
export async function startSolanaNode(options: SolanaNodeOptions = {}): Promise<SolanaNode> {
  const { finalizedLag = 32, statePath = null, longestRange = LONGEST_RANGE, port = 0 } = options;
  const chain = openSolanaChain({ finalizedLag, statePath });
  const context = { chain, longestRange };
  const server = createServer(async (request, response) => {
    response.setHeader("content-type", "application/json");
    try {
      response.end(JSON.stringify(answerSolanaRpc(JSON.parse(await readBody(request)), context)));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32_700, message } }));
    }
  });
  await listen(server, port);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    chain,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_MAX) throw new Error("the request is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve());
  });
}
