import { openCoreNode } from "#lib/chains/utxo/core-client.ts";
import { startCoreNode } from "../core-node.ts";
import type { CoreProgram } from "../core-programs.ts";
import type { DevChain, PayRequest } from "./dev-chain.ts";

/** How the networks of Bitcoin Core's family differ. */
export interface CoreChain {
  readonly network: "bitcoin" | "litecoin";
  readonly program: CoreProgram;
  readonly title: string;
  /** The program was built with ZMQ. */
  readonly zmq: boolean;
  /** A payment URI (BIP 21), or an address of the private chain: address, then query. */
  readonly request: RegExp;
}

/**
 * Starts a real node on regtest that keeps its chain below `datadir`. Throws one line when the machine has
 * no such program.
 */
export async function startCoreChain(datadir: string, chain: CoreChain): Promise<DevChain> {
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
