import { describeAge, type ProbeQuestion } from "../node-probe.ts";
import { parseFields } from "../parse-json.ts";
import { parseHash } from "../utxo/parse-json.ts";
import type { ElectrumServer } from "./electrum-server.ts";
import { tipOf } from "./header-chain.ts";

/** A script hash that no script is known for. */
const NOBODY = "00".repeat(32);

/** See NodeReader.listProbeQuestions. */
export function listElectrumProbeQuestions(server: ElectrumServer): readonly ProbeQuestion[] {
  const ask = async (method: string, params: readonly unknown[]) =>
    (await server.open()).session.call(method, params);
  const newest = async () => {
    const { session } = await server.open();
    const { height } = session.chain();
    const txid = parseHash(
      "a transaction's hash",
      await ask("blockchain.transaction.id_from_pos", [height, 0]),
    );
    return { height, txid };
  };
  return [
    {
      what: "server.version, blockchain.headers.subscribe",
      neededFor: "following the chain",
      required: true,
      async ask() {
        const { session } = await server.open();
        const chain = session.chain();
        return `block ${chain.height}, ${describeAge(tipOf(chain).time)}`;
      },
    },
    {
      what: "blockchain.scripthash.subscribe, get_history",
      neededFor: "finding payments",
      required: true,
      async ask() {
        await ask("blockchain.scripthash.subscribe", [NOBODY]);
        await ask("blockchain.scripthash.get_history", [NOBODY]);
        return "answered";
      },
    },
    {
      what: "blockchain.transaction.get_merkle",
      neededFor: "proving payments",
      required: false,
      async ask() {
        const { height, txid } = await newest();
        await ask("blockchain.transaction.get_merkle", [txid, height]);
        return `proved ${txid}`;
      },
    },
    {
      what: "blockchain.transaction.get, verbose",
      neededFor: "withdrawals, searches and requeries",
      required: false,
      async ask() {
        const { txid } = await newest();
        parseFields("a transaction", await ask("blockchain.transaction.get", [txid, true]));
        return "answered";
      },
    },
    {
      what: "blockchain.estimatefee",
      neededFor: "the network fee",
      required: false,
      ask: async () => `${String(await ask("blockchain.estimatefee", [2]))} for 2 blocks`,
    },
  ];
}
