import type { UtxoData } from "../network-data.ts";
import { describeAge, type ProbeQuestion, readOnce } from "../node-probe.ts";
import { parseFields, parseUint } from "../parse-json.ts";
import { parseUtxoBlock } from "./block.ts";
import { type CoreNode, getResult, NOT_FOUND } from "./core-client.ts";
import { parseHash, parseHashes, parseHex } from "./parse-json.ts";

/** An id that no transaction has. */
const NO_TRANSACTION = "0".repeat(64);

/** Lists the questions to a node with Core's JSON-RPC, most important first. */
export function listUtxoProbeQuestions(
  node: CoreNode,
  blockExtra: UtxoData["blockExtra"],
  checkIdentity: () => Promise<void>,
): readonly ProbeQuestion[] {
  const readState = readOnce(async () => parseFields("its state", await node.call("getblockchaininfo")));
  const readNewest = async () => parseHash("its newest block", (await readState()).bestblockhash);
  return [
    {
      what: "getblockhash",
      neededFor: "proof that this is the right chain",
      required: true,
      async ask() {
        await checkIdentity();
        return "the right chain";
      },
    },
    {
      what: "getblockchaininfo",
      neededFor: "new blocks",
      required: true,
      async ask() {
        const { blocks, pruned, initialblockdownload } = await readState();
        const notes = [
          `block ${parseUint("its height", blocks)}`,
          ...(pruned === true ? ["pruned"] : []),
          ...(initialblockdownload === true ? ["still synchronizing"] : []),
        ];
        return notes.join(", ");
      },
    },
    {
      what: "getblock",
      neededFor: "payments",
      required: true,
      async ask() {
        const raw = parseHex("a block", await node.call("getblock", [await readNewest(), false]));
        const { time, transactions } = parseUtxoBlock(raw, blockExtra);
        return `${transactions.length} transactions, ${Math.ceil(raw.length / 1_000)} kB, ${describeAge(time)}`;
      },
    },
    ...listMempoolQuestions(node),
    ...listOtherQuestions(node, readNewest),
  ];
}

/** Without them payments are seen only once they are in a block. */
function listMempoolQuestions(node: CoreNode): readonly ProbeQuestion[] {
  const readWaiting = readOnce(async () => parseHashes("its mempool", await node.call("getrawmempool")));
  return [
    {
      what: "getmempoolinfo, getrawmempool",
      neededFor: "payments that wait for a block",
      required: false,
      async ask() {
        await node.call("getmempoolinfo");
        return `${(await readWaiting()).length} waiting transactions`;
      },
    },
    {
      what: "getrawtransaction",
      neededFor: "payments that wait for a block",
      required: false,
      async ask() {
        const newest = (await readWaiting()).at(-1);
        if (newest === undefined) return "not tried: nothing waits";
        const [answer] = await node.batch([{ method: "getrawtransaction", params: [newest] }]);
        parseHex("a transaction", getResult(answer, "getrawtransaction"));
        return "answered";
      },
    },
  ];
}

/** For everything but watching. */
function listOtherQuestions(node: CoreNode, readNewest: () => Promise<string>): readonly ProbeQuestion[] {
  return [
    {
      what: "getblockheader",
      neededFor: "withdrawals",
      required: false,
      async ask() {
        await node.call("getblockheader", [await readNewest()]);
        return "answered";
      },
    },
    {
      what: "gettxout, getmempoolentry",
      neededFor: "withdrawals, on a node without txindex",
      required: false,
      async ask() {
        const [output, waiting] = await node.batch([
          { method: "gettxout", params: [NO_TRANSACTION, 0, false] },
          { method: "getmempoolentry", params: [NO_TRANSACTION] },
        ]);
        getResult(output, "gettxout");
        if (waiting?.ok === false && waiting.code !== NOT_FOUND) getResult(waiting, "getmempoolentry");
        return "answered";
      },
    },
    {
      what: "estimatesmartfee",
      neededFor: "the network fee that merchants may ask for",
      required: false,
      async ask() {
        await node.call("estimatesmartfee", [6]);
        return "answered";
      },
    },
    {
      what: "getnetworkinfo",
      neededFor: "its version, for people",
      required: false,
      ask: async () => String(parseFields("its network", await node.call("getnetworkinfo")).subversion),
    },
  ];
}
