import type { Db } from "#lib/platform/db/connection.ts";
import { openLog } from "#lib/platform/log/open-log.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { withdrawalSteps } from "#tests/support/withdrawal-steps.ts";
import { aHash, aWithdrawal, fund, USDT } from "#tests/support/withdrawals.ts";
import { payment, ScriptedNode, scriptedNetworks } from "./scripted-nodes.ts";

const EMAIL = "shop@example.com";

/** A merchant with 10,000 USDT. Returns its id. */
export async function fundScripted(db: Db): Promise<number> {
  const merchantId = await aMerchant(db, EMAIL);
  const adapter = scriptedNetworks(new ScriptedNode()).find("test", "bep20")!;
  await fund(db, adapter, merchantId, 10_000n * USDT);
  return merchantId;
}

/** Two nodes and these. The use cases ask the first, and all where one node's word is not enough. */
export function openScripted(db: Db, ...more: readonly ScriptedNode[]) {
  const [node, second] = [new ScriptedNode(), new ScriptedNode()];
  const deps = { db, networks: scriptedNetworks(node, second, ...more) };
  const lines: Record<string, unknown>[] = [];
  const log = openLog("info", { write: (line: string) => void lines.push(JSON.parse(line)) });
  const steps = withdrawalSteps(deps, log);
  return {
    ...{ node, second },
    ...steps,
    /** A withdrawal of 10 USDT whose submitted hash no node knows. */
    async mistyped() {
      const { id, refid } = await aWithdrawal(deps, EMAIL);
      const hash = aHash();
      if (!(await steps.sent(refid, hash)).ok) throw new Error("the hash was refused");
      return { id, refid, hash };
    },
    async stateOf(id: number) {
      const { status, txHash, transactions } = await steps.row(id);
      return { status, txHash, hashes: transactions.map(({ hash }) => hash) };
    },
    create: (amount = 10n * USDT) => aWithdrawal(deps, EMAIL, { amount }),
    logged: (refid: string) =>
      lines.filter((line) => line.refid === refid).map(({ level, msg, finding }) => [level, msg, finding]),
    /** A hash that the first node knows. */
    known(what = payment()) {
      const hash = aHash();
      node.known.set(hash, what);
      return hash;
    },
  };
}
