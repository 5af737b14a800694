import { type AnvilNode, type AnvilOptions, startAnvil } from "#lib/dev-chains/anvil.ts";
import { rpc } from "#lib/dev-chains/rpc.ts";

/** Anvil's own limit of a block. */
const GAS_LIMIT = "0x1c9c380";
/**
 * A node with more blocks in all is not used again. Anvil moves the states of its oldest blocks to disk after 500, and a
 * reorg to such a block fails, or leaves contracts without code. The next test may mine the other half.
 */
const MOST_BLOCKS = 250;

interface Pooled {
  readonly node: AnvilNode;
  /** The snapshot of the chain as `prepare` left it. */
  snapshot: unknown;
  /** The base fee of the block after it. */
  readonly baseFee: string;
  /** Blocks of all chains that it had. */
  blocks: number;
}

const unused = new Map<string, Pooled[]>();

/**
 * A node that the tests of this process use one after another. Each finds the chain as `prepare` left it: `stop` and `kill`
 * only give the node back. Tests that end, stop or starve a node start their own (startAnvil).
 */
export async function takeAnvil(
  options: AnvilOptions,
  prepare: ((node: AnvilNode) => Promise<unknown>) | null = null,
): Promise<AnvilNode> {
  const kind = JSON.stringify([options, prepare !== null]);
  const free = unused.get(kind) ?? [];
  unused.set(kind, free);
  const pooled = free.pop() ?? (await startPooled(options, prepare));
  let isTaken = true;
  const giveBack = async () => {
    if (!isTaken) return;
    isTaken = false;
    if (await restore(pooled)) free.push(pooled);
    else await pooled.node.kill();
  };
  return { ...pooled.node, stop: giveBack, kill: giveBack };
}

async function startPooled(
  options: AnvilOptions,
  prepare: ((node: AnvilNode) => Promise<unknown>) | null,
): Promise<Pooled> {
  const node = await startAnvil(options);
  await prepare?.(node);
  const { baseFeePerGas: baseFee } = (await rpc(node.url, "eth_getBlockByNumber", ["pending", false])) as {
    baseFeePerGas: string;
  };
  return { node, snapshot: await rpc(node.url, "evm_snapshot"), baseFee, blocks: 0 };
}

/** False if the node cannot be used again. */
async function restore(pooled: Pooled): Promise<boolean> {
  const { url } = pooled.node;
  pooled.blocks += Number(await rpc(url, "eth_blockNumber"));
  if (pooled.blocks > MOST_BLOCKS) return false;
  await rpc(url, "anvil_dropAllTransactions");
  // Anvil cannot revert to a block that a reorg has replaced.
  const reverted = await rpc(url, "evm_revert", [pooled.snapshot]).catch(() => false);
  if (reverted !== true) return false;
  pooled.snapshot = await rpc(url, "evm_snapshot");
  await rpc(url, "evm_setAutomine", [false]);
  await rpc(url, "evm_setBlockGasLimit", [GAS_LIMIT]);
  // A snapshot does not hold it: a test that made blocks dear would leave them dear to the next one.
  await rpc(url, "anvil_setNextBlockBaseFeePerGas", [pooled.baseFee]);
  // The chain's clock went back with its blocks.
  await rpc(url, "evm_setTime", [Math.floor(Date.now() / 1_000)]);
  return true;
}
