import type { ChainPayments, ChainRecord, NetworkFee, TxVerdict } from "../network.ts";
import { NO_POSITION } from "../network.ts";
import type { Env } from "../network-data.ts";
import { encodeXAddress } from "./address.ts";
import { readDrops, readObject, readTransaction, sequenceOf } from "./answers.ts";
import type { Answer, RippledClient } from "./rippled-client.ts";

/** null: the node knows no such transaction, or holds the ledger that has it no more. */
function askTransaction(client: RippledClient, txHash: string): Promise<Answer | null> {
  return client.ask("tx", { transaction: txHash, binary: false }, ["txnNotFound"]);
}

/** See ChainReader.verdict. Before its ledger is validated nothing that the node says of it counts. */
export async function readVerdict(client: RippledClient, txHash: string): Promise<TxVerdict> {
  const answer = await askTransaction(client, txHash);
  if (answer === null) return { kind: "unknown" };
  if (answer.validated !== true) return { kind: "pending" };
  const { succeeded, block } = readTransaction(answer);
  if (!succeeded) return { kind: "failed" };
  return { kind: "confirmed", blockHeight: block.height, blockHash: block.hash };
}

/** See ChainReader.payments. What a partial payment delivers only its ledger tells, and so it is asked of all. */
export async function readPayments(
  client: RippledClient,
  env: Env,
  txHash: string,
): Promise<ChainPayments | null> {
  const answer = await askTransaction(client, txHash);
  if (answer === null) return null;
  if (answer.validated !== true) {
    const fields = readObject("a transaction's fields", answer.tx_json);
    const spends = [`${String(fields.Account)}:${sequenceOf(fields)}`];
    return { block: null, failed: false, payments: null, untold: null, spends };
  }
  const { block, succeeded, sender, sequence, delivery, untold } = readTransaction(answer);
  return {
    block: { height: block.height, hash: block.hash },
    failed: !succeeded,
    payments:
      delivery === null
        ? []
        : [
            {
              position: NO_POSITION,
              token: "xrp",
              address: encodeXAddress(delivery, env),
              amount: delivery.drops,
            },
          ],
    untold: untold ? "xrp" : null,
    spends: [`${sender}:${sequence}`],
  };
}

/** See ChainReader.lookUp. All its numbers are small: amounts are texts. */
export async function lookUpTransaction(client: RippledClient, txHash: string): Promise<ChainRecord | null> {
  const answer = await askTransaction(client, txHash);
  if (answer === null) return null;
  const { status: _, ...record } = answer;
  return { json: JSON.stringify(record), shownAs: "object" };
}

/** What a payment must pay now to be in the next ledger: it is the same for all of them, whatever they pay. */
export async function readNetworkFee(client: RippledClient): Promise<NetworkFee> {
  const answer = await client.ask("fee", {});
  const drops = readObject("its fees", answer?.drops);
  return { kind: "flat", coin: "xrp", fee: readDrops("its fee", drops.open_ledger_fee) };
}
