import { join } from "node:path";
import { parseUnits } from "viem";
import { canonicalizeSolanaAddress } from "#lib/chains/solana/address.ts";
import type { DevChain } from "./dev-chain.ts";
import { USDT_DECIMALS, USDT_MINT } from "./solana-node/genesis.ts";
import { sendSol, sendSolanaUsdt } from "./solana-node/pay.ts";
import { startSolanaNode } from "./solana-node/start-solana-node.ts";

/** Slots until a block is final. The main network's 32 slots would make the first visitor wait for no reason. */
export const FINALIZED_LAG = 2;
const SOL_DECIMALS = 9;

/**
 * Solana: LiteSVM behind our own JSON-RPC front, since no validator is available. It has its own test USDT.
 */
export async function startSolana(dataDir: string): Promise<DevChain> {
  const node = await startSolanaNode({
    finalizedLag: FINALIZED_LAG,
    statePath: join(dataDir, "solana.jsonl"),
  });
  const { url, chain } = node;
  return {
    network: "solana",
    title: "USDT on Solana (LiteSVM)",
    env: {
      TEST_SOLANA_RPC_URL: url,
      TEST_SOLANA_CHAIN: "development",
      TEST_SOLANA_USDT_CONTRACT: USDT_MINT,
    },
    forScripts: { rpc_url: url, usdt: USDT_MINT },
    height: async () => chain.blocks().at(-1)?.slot ?? 0,
    mine: async (blocks) => chain.mine(blocks),
    readRequest,
    send: (address, amount, { coin = false } = {}) =>
      coin
        ? sendSol(url, [[address, parseUnits(amount, SOL_DECIMALS)]])
        : sendSolanaUsdt(url, [[address, parseUnits(amount, USDT_DECIMALS)]]),
    stop: () => node.stop(),
  };
}

/** A Solana Pay transfer request for the test USDT, or an address. */
function readRequest(text: string) {
  if (canonicalizeSolanaAddress(text) !== null) return { address: text, amount: null };
  const [, address = "", query = ""] = /^solana:([1-9A-HJ-NP-Za-km-z]+)\?(.+)$/.exec(text) ?? [];
  const asked = new URLSearchParams(query);
  if (canonicalizeSolanaAddress(address) === null || asked.get("spl-token") !== USDT_MINT) return null;
  return { address, amount: asked.get("amount") };
}
