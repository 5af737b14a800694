import type { AddressBalances } from "../custody.ts";
import type { Env } from "../network-data.ts";
import type { NetworkFee } from "../network-fee.ts";
import { checkNamed } from "../parse-json.ts";
import type {
  TransactionCost,
  TransactionPayments,
  TransactionRecord,
  TransactionStatus,
} from "../transactions.ts";
import { NO_POSITION } from "../transfers.ts";
import { decodeXAddress, encodeXAddress } from "./address.ts";
import { parseLedgerTransaction, parseSequence, readDrops, readInteger, readObject } from "./parse-ledger.ts";
import type { RippledAnswer, RippledClient } from "./rippled-client.ts";
import { fetchValidatedLedger } from "./scan-account.ts";

/** Null: the node does not know the transaction, or no longer has its ledger. */
async function askTransaction(client: RippledClient, txHash: string): Promise<RippledAnswer | null> {
  const answer = await client.ask("tx", { transaction: txHash, binary: false }, ["txnNotFound"]);
  if (answer !== null) checkNamed("the transaction", answer.hash, txHash);
  return answer;
}

/** See Transactions.fetchStatus. A transaction counts only once its ledger is validated. */
export async function fetchXrpTransactionStatus(
  client: RippledClient,
  txHash: string,
): Promise<TransactionStatus> {
  const answer = await askTransaction(client, txHash);
  if (answer === null) return { kind: "unknown" };
  if (answer.validated !== true) return { kind: "pending" };
  const { succeeded, block } = parseLedgerTransaction(answer);
  if (!succeeded) return { kind: "failed" };
  return { kind: "confirmed", blockHeight: block.height, blockHash: block.hash };
}

/**
 * See Transactions.fetchPayments. Only the ledger reports what a partial payment delivers, so it is required
 * for all.
 */
export async function fetchXrpPayments(
  client: RippledClient,
  env: Env,
  txHash: string,
): Promise<TransactionPayments | null> {
  const answer = await askTransaction(client, txHash);
  if (answer === null) return null;
  if (answer.validated !== true) {
    const fields = readObject("a transaction's fields", answer.tx_json);
    const spends = [`${String(fields.Account)}:${parseSequence(fields)}`];
    return { block: null, failed: false, payments: null, inconclusiveToken: null, spends };
  }
  const { block, succeeded, sender, sequence, delivery, isInconclusive } = parseLedgerTransaction(answer);
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
    inconclusiveToken: isInconclusive ? "xrp" : null,
    spends: [`${sender}:${sequence}`],
  };
}

/** See Transactions.fetchCost. A transaction that failed in a ledger paid its fee, too. */
export async function fetchXrpCost(client: RippledClient, txHash: string): Promise<TransactionCost | null> {
  const answer = await askTransaction(client, txHash);
  if (answer === null) return null;
  const fields = readObject("a transaction's fields", answer.tx_json);
  const spends = [`${String(fields.Account)}:${parseSequence(fields)}`];
  if (answer.validated !== true) return { block: null, fee: null, spends };
  const { block } = parseLedgerTransaction(answer);
  return {
    block: { height: block.height, hash: block.hash },
    fee: readDrops("a transaction's fee", fields.Fee),
    spends,
  };
}

/** See Transactions.fetchRecord. All its numbers are small: amounts are texts. */
export async function fetchXrpTransactionRecord(
  client: RippledClient,
  txHash: string,
): Promise<TransactionRecord | null> {
  const answer = await askTransaction(client, txHash);
  if (answer === null) return null;
  const { status: _, ...record } = answer;
  return { json: JSON.stringify(record), shownAs: "object" };
}

/** See Custody.fetchBalances. Tags share the balance of their account, which is reported without a tag. */
export async function fetchXrpAddressBalances(
  client: RippledClient,
  env: Env,
  addresses: readonly string[],
): Promise<AddressBalances> {
  const accounts = new Set(addresses.flatMap((address) => decodeXAddress(address, env)?.account ?? []));
  const [account, ...others] = accounts;
  if (account === undefined || others.length > 0)
    throw new Error("accounts of XRP are asked about one by one");
  const answer = await client.ask("account_info", { account, ledger_index: "validated" }, ["actNotFound"]);
  const held = readObject("an account", answer?.account_data ?? {}).Balance ?? "0";
  const height = answer?.ledger_index ?? (await fetchValidatedLedger(client)).height;
  const amount = readDrops("a balance", held);
  const address = encodeXAddress({ account, tag: null }, env);
  return {
    block: { height: readInteger("a ledger's index", height), hash: null },
    balances: amount === 0n ? [] : [{ address, token: "xrp", amount }],
  };
}

/** The fee to be in the next ledger. It is the same for all payments. */
export async function fetchXrpNetworkFee(client: RippledClient): Promise<NetworkFee> {
  const answer = await client.ask("fee", {});
  const drops = readObject("its fees", answer?.drops);
  return { kind: "flat", coin: "xrp", fee: readDrops("its fee", drops.open_ledger_fee) };
}
