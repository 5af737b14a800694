import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Hex, isHex, type LocalAccount } from "viem";
import { rpc } from "#lib/dev-chains/rpc.ts";

/** A transaction as eth_sendTransaction takes it. */
export type Sending = Readonly<Record<string, string | undefined>>;

type Call = (params: readonly unknown[]) => Promise<unknown>;

const GWEI = 10n ** 9n;

/** A chain behind a front. */
export interface FrontedChain {
  readonly url: string;
  readonly chainId: number;
  /** Signs what this address sends. Throws where its key is not known. */
  account(address: string): LocalAccount;
  /** Resolves once there are this many more blocks, and what was sent is in one. */
  mine(blocks: number, sent: readonly Hex[]): Promise<void>;
  /** Null: nobody here chooses its branch. See GethChain. */
  readonly reorg: ((depth: number, blocks: readonly (readonly Hex[])[]) => Promise<void>) | null;
}

/**
 * anvil's development calls for other nodes: the helpers of the tests make them whatever the node is. Any other
 * request is passed on as it came, and its answer too.
 */
export async function startFront(chain: FrontedChain) {
  const node = chain.url;
  let sent: Hex[] = [];
  const mine: Call = async ([blocks = 1]) => {
    await chain.mine(Number(blocks), sent);
    sent = [];
    return null;
  };
  const calls: Readonly<Record<string, Call>> = {
    anvil_mine: mine,
    evm_mine: mine,
    async eth_sendTransaction([given]) {
      const signed = await sign(chain, given as Sending, "pending");
      const hash = (await rpc(node, "eth_sendRawTransaction", [signed])) as Hex;
      sent.push(hash);
      return hash;
    },
    async anvil_reorg([depth, transactions]) {
      if (!chain.reorg) throw new Error("this needs a development node");
      const count = Number(depth);
      const fork = `0x${(Number(await rpc(node, "eth_blockNumber")) - count).toString(16)}`;
      const blocks: Hex[][] = Array.from({ length: count }, () => []);
      for (const [given, offset] of transactions as [Hex | Sending, number][]) {
        blocks[offset]?.push(isHex(given) ? given : await sign(chain, given, fork));
      }
      await chain.reorg(count, blocks);
      return null;
    },
  };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { id, method, params } = parse(body);
    const call = calls[method];
    response.setHeader("content-type", "application/json");
    if (!call) {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(node, { method: "POST", headers, body });
      response.writeHead(answer.status).end(await answer.text());
      return;
    }
    const answer = await call(params).then(
      (result) => ({ result }),
      (error: Error) => ({ error: { code: -32_000, message: error.message } }),
    );
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function parse(body: string): { id: unknown; method: string; params: readonly unknown[] } {
  const { id, method = "", params = [] } = JSON.parse(body);
  return { id, method, params };
}

/** Its number, gas and fees are those of the node where they are not given. */
async function sign(
  { url: node, chainId, ...chain }: FrontedChain,
  given: Sending,
  at: string,
): Promise<Hex> {
  const account = chain.account(given.from ?? "");
  const { from, to, data, value = "0x0" } = given;
  const nonce = given.nonce ?? (await rpc(node, "eth_getTransactionCount", [from, at]));
  const gas = given.gas ?? (await rpc(node, "eth_estimateGas", [{ from, to, data, value }]));
  const price = BigInt(String(await rpc(node, "eth_gasPrice")));
  return account.signTransaction({
    type: "eip1559",
    chainId,
    nonce: Number(nonce),
    gas: given.gas ? BigInt(given.gas) : (BigInt(String(gas)) * 5n) / 4n,
    maxFeePerGas: BigInt(given.maxFeePerGas ?? 2n * price + GWEI),
    maxPriorityFeePerGas: BigInt(given.maxPriorityFeePerGas ?? GWEI),
    value: BigInt(value),
    ...(to && { to: to as Hex }),
    ...(data && { data: data as Hex }),
  });
}
