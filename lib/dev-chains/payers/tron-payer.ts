import type { NetworkConfig } from "#lib/chains/network.ts";
import { type NodeClient, openNodeClient } from "#lib/chains/node-client.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { openRpcClient } from "#lib/chains/rpc-client.ts";
import { jsonRpcUrl } from "#lib/chains/tron/tron-adapter.ts";
import { isOurs } from "./development-node.ts";
import { sendTronUsdt } from "./send-tron-usdt.ts";
import { FAUCET } from "./test-usdt.ts";
import type { Payer } from "./types.ts";

const TIMEOUT_MS = 30_000;
/** Another block may arrive in between and move the head. Then it tries once more. */
const ATTEMPTS = 5;

/** Pays through the TRON emulator (../tron-emulator). It identifies itself and accepts commands that no TRON node accepts. */
export function openTronPayer(config: NetworkConfig, contract: string): Payer {
  const nodes = config.rpcUrls.map((text) => {
    const url = jsonRpcUrl(text);
    const line = openNodeClient(url, { timeoutMs: TIMEOUT_MS, perSecond: 0 });
    return { url: new URL(".", url).href.replace(/\/$/, ""), line, rpc: openRpcClient(line) };
  });
  const node = nodes[0];
  if (node === undefined) throw new Error(`${config.network} has no node`);
  const { line, rpc, url } = node;
  const pay = (usdt: string, to: string, amount: bigint) =>
    sendTronUsdt({ url, usdt, privateKey: FAUCET.privateKey }, to, amount);
  return {
    isDevelopmentChain: () =>
      isOurs(nodes, async (one) =>
        String(await one.rpc.call("web3_clientVersion")).startsWith("TRON emulator/"),
      ),
    mine: async (blocks) => {
      await order(line, "mine", { blocks });
    },
    pay: (to, amount) => pay(contract, to, amount),
    async payOtherToken(to, amount) {
      const { contract: other } = await order(line, "token", {});
      return { txHash: await pay(String(other), to, amount), contract: String(other) };
    },
    async revert(txHash) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const receipt = await rpc.call("eth_getTransactionReceipt", [`0x${txHash}`]);
        if (receipt === null) {
          await order(line, "mine", {});
          return;
        }
        const { blockNumber } = receipt as { blockNumber: string };
        const head = Number(await rpc.call("eth_blockNumber"));
        await order(line, "reorg", { depth: head - Number(blockNumber) + 1, keep: true, without: [txHash] });
      }
      throw new NodeError("refused", `the blocks of ${txHash} could not be replaced`);
    },
  };
}

/** Commands that the emulator accepts and a real node does not. */
async function order(
  line: NodeClient,
  name: string,
  body: object,
): Promise<Readonly<Record<string, unknown>>> {
  const { status, text } = await line.post(JSON.stringify(body), 1, `emulator/${name}`);
  if (status !== 200) throw new NodeError("refused", `the emulator refused ${name}: ${text.slice(0, 200)}`);
  return JSON.parse(text) as Record<string, unknown>;
}
