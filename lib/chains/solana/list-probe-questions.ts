import type { NodeClient } from "../node-client.ts";
import { NodeError } from "../node-error.ts";
import { askBatchSize, describeAge, type ProbeQuestion, readOnce } from "../node-probe.ts";
import { parseUint } from "../parse-json.ts";
import type { RpcClient } from "../rpc-client.ts";
import { FINALIZED, fetchNextHeader, fetchSlots, fetchSolanaBlock } from "./fetch-blocks.ts";
import { fetchSignatures, fetchTokenAccounts, fetchTransactionBalances } from "./fetch-signatures.ts";
import { fetchHoldings } from "./list-address.ts";
import { listAccounts } from "./parse-block.ts";

/** Slots of about a minute. */
const RECENT_SLOTS = 150;
const HOUR_SLOTS = 9_000;

type Block = Awaited<ReturnType<typeof fetchSolanaBlock>>;

/** Lists the questions to a Solana node, most important first. */
export function listSolanaProbeQuestions(
  line: NodeClient,
  client: RpcClient,
  {
    mints,
    checkIdentity,
  }: { readonly mints: ReadonlySet<string>; readonly checkIdentity: () => Promise<void> },
): readonly ProbeQuestion[] {
  const readSlot = readOnce(async () => parseUint("its slot", await client.call("getSlot", [FINALIZED])));
  const readNewest = readOnce(async () => {
    const slot = await readSlot();
    const newest = (await fetchSlots(client, Math.max(0, slot - RECENT_SLOTS), slot)).at(-1);
    if (newest === undefined) throw new NodeError("refused", "the node lists no recent block");
    return fetchSolanaBlock(client, newest);
  });
  return [
    {
      what: "getGenesisHash, getTokenSupply",
      neededFor: "proof that this is the right chain, with the right tokens",
      required: true,
      async ask() {
        await checkIdentity();
        return "the right chain";
      },
    },
    {
      what: "getSlot, getBlocks, getBlocksWithLimit",
      neededFor: "new blocks",
      required: true,
      async ask() {
        const slot = await readSlot();
        const slots = await fetchSlots(client, Math.max(0, slot - RECENT_SLOTS), slot);
        await fetchNextHeader(client, Math.max(0, slot - RECENT_SLOTS));
        return `slot ${slot}, ${slots.length} blocks in the last ${RECENT_SLOTS} slots`;
      },
    },
    {
      what: "getBlock with accounts",
      neededFor: "payments",
      required: true,
      async ask() {
        const { header, transactions } = await readNewest();
        return `${transactions.length} transactions${header.time === null ? "" : `, ${describeAge(header.time)}`}`;
      },
    },
    askLists(client, mints, readNewest),
    {
      what: "getBlocks an hour ago",
      neededFor: "payments of an hour when this program was down",
      required: false,
      async ask() {
        const from = Math.max(0, (await readSlot()) - HOUR_SLOTS);
        const slots = await fetchSlots(client, from, from + RECENT_SLOTS);
        return `${slots.length} blocks in ${RECENT_SLOTS} slots`;
      },
    },
    {
      what: "getRecentPrioritizationFees",
      neededFor: "the network fee that merchants may ask for",
      required: false,
      async ask() {
        await client.call("getRecentPrioritizationFees", [[]]);
        return "answered";
      },
    },
    askBatchSize(line, { method: "getSlot", params: [FINALIZED] }),
  ];
}

/** Asked about the payer of a transaction of the newest block, whose list must name that block. */
function askLists(
  client: RpcClient,
  mints: ReadonlySet<string>,
  readNewest: () => Promise<Block>,
): ProbeQuestion {
  const lists = ["getSignaturesForAddress", ...(mints.size === 0 ? [] : ["getTokenAccountsByOwner"])];
  return {
    what: [...lists, "getMultipleAccounts", "getTransaction"].join(", "),
    neededFor: "reading only blocks with payments, while there are few addresses",
    required: false,
    async ask() {
      const { header, transactions } = await readNewest();
      const { slot } = header;
      const succeeded = transactions.find((transaction) => Object(Object(transaction).meta).err === null);
      const owner = listAccounts(succeeded)?.[0];
      if (owner === undefined) return "not tried: no transaction in the newest block";
      const listed = await fetchSignatures(client, owner, { from: slot, at: slot });
      const found = listed.find((one) => one.slot === slot && !one.failed);
      if (found === undefined) {
        throw new NodeError(
          "refused",
          "getSignaturesForAddress does not list a transaction of the newest block",
        );
      }
      for (const mint of mints) await fetchTokenAccounts(client, { owner, mint, at: slot });
      await fetchHoldings(client, [owner], mints, slot);
      if ((await fetchTransactionBalances(client, found.signature, mints)) === null)
        throw new NodeError("refused", "getTransaction does not have a transaction of the newest block");
      return "answered";
    },
  };
}
