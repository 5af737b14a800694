import { join } from "node:path";
import { openCoreNode } from "#lib/chains/utxo/core-client.ts";
import { startCoreNode } from "./core-node.ts";
import { BITCOIND, type CoreProgram, LITECOIND } from "./core-programs.ts";
import type { DevChain, PayRequest } from "./dev-chain.ts";

/** How the networks of Bitcoin Core's family differ. */
interface CoreChain {
  readonly network: "bitcoin" | "litecoin";
  readonly program: CoreProgram;
  readonly title: string;
  /** The program was built with ZMQ. */
  readonly zmq: boolean;
  /** A payment URI (BIP 21), or an address of the private chain: address, then query. */
  readonly request: RegExp;
}

/** Bitcoin: a real bitcoind. */
export function startBitcoin(dataDir: string): Promise<DevChain> {
  return startCoreChain(join(dataDir, "bitcoin"), {
    network: "bitcoin",
    program: BITCOIND,
    title: "BTC on Bitcoin (bitcoind, regtest)",
    zmq: true,
    request: /^(?:bitcoin:)?(bcrt1[0-9a-z]{20,80}|[mn2][1-9A-HJ-NP-Za-km-z]{25,40})(?:\?(.*))?$/i,
  });
}

/** Litecoin: a real litecoind. Legacy addresses are not accepted: on regtest they start like bitcoin's. */
export function startLitecoin(dataDir: string): Promise<DevChain> {
  return startCoreChain(join(dataDir, "litecoin"), {
    network: "litecoin",
    program: LITECOIND,
    title: "LTC on Litecoin (litecoind, regtest)",
    zmq: false,
    request: /^(?:litecoin:)?(rltc1[0-9a-z]{20,80})(?:\?(.*))?$/i,
  });
}

/**
 * Starts a real node on regtest that keeps its chain below `datadir`. Throws one line when the machine has
 * no such program.
 */
async function startCoreChain(datadir: string, chain: CoreChain): Promise<DevChain> {
  const { network, program, title, zmq } = chain;
  const node = await startCoreNode(program, { datadir, zmq });
  const core = openCoreNode(node.url);
  const prefix = `TEST_${network.toUpperCase()}`;
  return {
    network,
    title,
    env: {
      [`${prefix}_RPC_URL`]: node.url,
      [`${prefix}_CHAIN`]: "regtest",
      ...(node.zmqUrl === null ? {} : { [`${prefix}_ZMQ_URL`]: node.zmqUrl }),
    },
    forScripts: { rpc_url: node.url, zmq_url: node.zmqUrl },
    height: async () => Number(await core.call("getblockcount")),
    mine: async (blocks) => {
      const reward = await core.call("getnewaddress");
      await core.call("generatetoaddress", [blocks, reward]);
    },
    readRequest: (text) => readRequest(text, chain.request),
    send: async (address, amount) => String(await core.call("sendtoaddress", [address, amount])),
    stop: () => node.stop(),
  };
}

function readRequest(text: string, form: RegExp): PayRequest | null {
  const [, address, query = ""] = form.exec(text) ?? [];
  return address === undefined ? null : { address, amount: new URLSearchParams(query).get("amount") };
}
