import { type Hex, isHex } from "viem";
import { UNABLE } from "#tests/chains/contract/drivers/drivers.ts";
import { openElectrumDriver } from "#tests/chains/contract/drivers/electrum.ts";
import { EVM_CONTRACT_ROWS, type EvmRow, openEvmDriver } from "#tests/chains/contract/drivers/evm.ts";
import type { ContractRow } from "#tests/chains/contract/suite.ts";
import { keepSecrets, keepSecretsOf } from "#tests/support/kept-logs.ts";
import { openExDriver } from "./electrum-nodes/e-x-worlds.ts";
import { openNamedNode, startGethNode } from "./evm-nodes/evm-node.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The rows of the contract suite for the nodes that these variables name (docs/develop.md). Throws when they name none,
 * or a URL without a key.
 */
export function namedNodes(env: Variables): ContractRow[] {
  keepSecretsOf(env);
  const rows = EVM_CONTRACT_ROWS.flatMap(({ name, row }) => evmRows(env, name, row));
  const { NODES_E_X: ex, NODES_ELECTRUM: electrum, NODES_ELECTRUM_BITCOIND: bitcoind } = env;
  const name = "bitcoin (electrum)";
  const addElectrum = (open: ContractRow["open"]) =>
    rows.push({ name, open, unable: UNABLE[name] ?? [], lacks: [] });
  if (ex !== undefined) addElectrum(() => openExDriver(ex));
  if (electrum !== undefined && bitcoind !== undefined)
    addElectrum(() => openElectrumDriver({ url: electrum, nodeUrl: bitcoind }));
  if (rows.length === 0) {
    throw new Error("no node is named: set NODES_GETH, NODES_<NETWORK>_URL, NODES_E_X or NODES_ELECTRUM");
  }
  return rows;
}

function evmRows(env: Variables, name: string, row: EvmRow): ContractRow[] {
  const unable = UNABLE[name] ?? [];
  const rows: ContractRow[] = [];
  const { NODES_GETH: geth, NODES_EVM_KEY: key = "" } = env;
  if (geth !== undefined) {
    const open = () => openEvmDriver({ ...row, start: (network) => startGethNode(geth, network) });
    rows.push({ name, open, unable, lacks: [] });
  }
  const url = env[`NODES_${row.network.toUpperCase()}_URL`];
  if (url !== undefined) {
    if (!isHex(key))
      throw new Error("NODES_EVM_KEY is missing: a private key (0x…) with coins on that chain");
    keepSecrets(key);
    const open = () => openEvmDriver({ ...row, start: (network) => openNamedNode(url, key as Hex, network) });
    rows.push({ name, open, unable, lacks: ["mine on demand", "be reorganized"] });
  }
  return rows;
}
