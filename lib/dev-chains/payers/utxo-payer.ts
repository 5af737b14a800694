import type { NetworkConfig } from "#lib/chains/network.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { type CoreNode, openCoreNode } from "#lib/chains/utxo/core-client.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { isOurs } from "./development-node.ts";
import type { Payer } from "./types.ts";

const DECIMALS = 8;
const FEE_RATE = 2;
/** Another block may include the transaction again. Then it tries once more. */
const ATTEMPTS = 5;
/** The amount that the faucet pays itself with the coins of a reverted payment. */
const BACK = "0.0001";
/** Satoshis by which the block builder reduces a transaction's fee. */
const UNATTRACTIVE = -100_000_000;

/** Bitcoin Core on regtest. Its loaded wallet has coins. */
export function openUtxoPayer(config: NetworkConfig): Payer {
  const nodes = config.rpcUrls.map((url) => openCoreNode(url));
  const node = nodes[0];
  if (node === undefined) throw new Error(`${config.network} has no node`);
  const pay = async (to: string, amount: bigint) => {
    const fee = [null, "unset", false, FEE_RATE];
    const sent = [
      "sendtoaddress",
      [to, formatAmount(amount, DECIMALS), "", "", false, true, ...fee],
    ] as const;
    return String(await node.call(...sent));
  };
  return {
    isDevelopmentChain: () => isOurs(nodes, isRegtest),
    mine: (blocks) => mine(node, blocks),
    pay,
    async payTwice(to, amount, isSeen) {
      const replaced = await pay(to, amount);
      // No miner includes it before it is replaced.
      await node.call("prioritisetransaction", [replaced, 0, UNATTRACTIVE]);
      if (!(await isSeen(replaced))) return null;
      return { replaced, by: await bump(node, replaced, {}) };
    },
    async revert(txHash) {
      const head = Number(await node.call("getblockcount"));
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const { blockhash } = (await node.call("gettransaction", [txHash])) as { blockhash?: string };
        if (blockhash !== undefined) await node.call("invalidateblock", [blockhash]);
        // Its coins go elsewhere, or the next block would hold it again.
        const outputs = [{ [await ownAddress(node)]: BACK }];
        const spent = await bump(node, txHash, { outputs }).catch(refused);
        if (spent === null) continue;
        await mine(node, Math.max(1, head + 1 - Number(await node.call("getblockcount"))));
        return;
      }
      throw new NodeError("refused", `the blocks of ${txHash} could not be replaced`);
    },
  };
}

async function isRegtest(node: CoreNode): Promise<boolean> {
  const { chain } = (await node.call("getblockchaininfo")) as { chain?: unknown };
  return chain === "regtest";
}

async function ownAddress(node: CoreNode): Promise<string> {
  return String(await node.call("getnewaddress"));
}

async function mine(node: CoreNode, blocks: number): Promise<void> {
  await node.call("generatetoaddress", [blocks, await ownAddress(node)]);
}

/** Replaces a waiting transaction by one with the same coins and a higher fee. */
async function bump(node: CoreNode, txHash: string, options: object): Promise<string> {
  const { txid } = (await node.call("bumpfee", [txHash, options])) as { txid: string };
  return txid;
}

/** Returns null for an error with which the node refused. Throws any other. */
function refused(error: unknown): null {
  if (error instanceof NodeError && error.kind === "refused") return null;
  throw error;
}
