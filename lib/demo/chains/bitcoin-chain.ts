import { join } from "node:path";
import { openCoreNode } from "#lib/networks/utxo/core-client.ts";
import { startCoreNode } from "../core-node.ts";
import { BITCOIND } from "../core-programs.ts";
import type { DevChain } from "./dev-chain.ts";

/** Bitcoin: a real bitcoind on regtest. Throws in one line when this machine can have none. */
export async function startBitcoin(dataDir: string): Promise<DevChain> {
  const node = await startCoreNode(BITCOIND, { datadir: join(dataDir, "bitcoin"), zmq: true });
  const core = openCoreNode(node.url);
  return {
    network: "bitcoin",
    title: "BTC on Bitcoin (bitcoind, regtest)",
    env: {
      TEST_BITCOIN_RPC_URL: node.url,
      TEST_BITCOIN_CHAIN: "regtest",
      ...(node.zmqUrl === null ? {} : { TEST_BITCOIN_ZMQ_URL: node.zmqUrl }),
    },
    forScripts: { rpc_url: node.url, zmq_url: node.zmqUrl },
    height: async () => Number(await core.call("getblockcount")),
    mine: async (blocks) => {
      const reward = await core.call("getnewaddress");
      await core.call("generatetoaddress", [blocks, reward]);
    },
    readRequest,
    send: async (address, amount) => String(await core.call("sendtoaddress", [address, amount])),
    stop: () => node.stop(),
  };
}

/** BIP21, or a bare regtest address. */
function readRequest(text: string) {
  const match = /^(?:bitcoin:)?(bcrt1[0-9a-z]{20,80}|[mn2][1-9A-HJ-NP-Za-km-z]{25,40})(?:\?(.*))?$/i.exec(
    text,
  );
  if (match?.[1] === undefined) return null;
  return { address: match[1], amount: new URLSearchParams(match[2] ?? "").get("amount") };
}
