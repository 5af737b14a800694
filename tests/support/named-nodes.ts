import { UNABLE } from "./contract-drivers/drivers.ts";
import type { EvmRow } from "./contract-drivers/evm.ts";
import { openEvmDriver } from "./contract-drivers/evm.ts";
import type { ContractRow } from "./contract-suite.ts";
import { startGethNode } from "./evm-nodes/evm-node.ts";

const EVM: Readonly<Record<string, EvmRow>> = {
  bep20: { network: "bep20", token: "usdt", blocksToCredit: 3 },
  "bep20 (bnb)": { network: "bep20", token: "bnb", blocksToCredit: 3 },
  erc20: { network: "erc20", token: "usdt", blocksToCredit: 12 },
  base: { network: "base", token: "usdt", blocksToCredit: 20 },
  "base (eth)": { network: "base", token: "eth", blocksToCredit: 20 },
};

/** The rows of the contract suite for the nodes that these variables name. Throws when they name none. */
export async function namedNodes(env: Readonly<Record<string, string | undefined>>): Promise<ContractRow[]> {
  const rows: ContractRow[] = [];
  const { NODES_GETH: geth } = env;
  if (geth !== undefined) {
    for (const [name, row] of Object.entries(EVM)) {
      const open = () => openEvmDriver({ ...row, start: (network) => startGethNode(geth, network) });
      rows.push({ name, open, unable: UNABLE[name] ?? [], lacks: [] });
    }
  }
  if (rows.length === 0) throw new Error("no node is named: set NODES_GETH (docs/develop.md)");
  return rows;
}
