import { eq } from "drizzle-orm";
import { correctTransaction } from "#lib/domain/withdrawals/correct-transaction.ts";
import { failWithdrawal } from "#lib/domain/withdrawals/fail-withdrawal.ts";
import { followWithdrawals } from "#lib/domain/withdrawals/follow-withdrawals.ts";
import { markSent } from "#lib/domain/withdrawals/mark-sent.ts";
import { replaceTransaction } from "#lib/domain/withdrawals/replace-transaction.ts";
import { settleWithdrawal } from "#lib/domain/withdrawals/settle-withdrawal.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { openLog } from "#lib/platform/log/open-log.ts";
import { payment, ScriptedNode, scriptedNetworks } from "./scripted-nodes.ts";
import { aMerchant } from "./unmatched.ts";
import { ACTOR, aHash, aWithdrawal, fund, USDT } from "./withdrawals.ts";

const EMAIL = "shop@example.com";

/** A merchant with 10,000 USDT. Returns its id. */
export async function fundScripted(db: Db): Promise<number> {
  const merchantId = await aMerchant(db, EMAIL);
  const adapter = scriptedNetworks(new ScriptedNode()).find("test", "bep20")!;
  await fund(db, adapter, merchantId, 10_000n * USDT);
  return merchantId;
}

/** Two nodes. The use cases ask the first, except a correction, which asks both. */
export function openScripted(db: Db) {
  const [node, second] = [new ScriptedNode(), new ScriptedNode()];
  const deps = { db, networks: scriptedNetworks(node, second) };
  const lines: Record<string, unknown>[] = [];
  const log = openLog("info", { write: (line: string) => void lines.push(JSON.parse(line)) });
  const naming = (refid: string, txHash: string) => ({ env: "test", refid, txHash, actor: ACTOR }) as const;
  const sent = (refid: string, hash: string, at = new Date()) => markSent(deps, naming(refid, hash), at);
  return {
    ...{ node, second, sent },
    /** A withdrawal of 10 USDT whose submitted hash no node knows. */
    async mistyped() {
      const { id, refid } = await aWithdrawal(deps, EMAIL);
      const hash = aHash();
      if (!(await sent(refid, hash)).ok) throw new Error("the hash was refused");
      return { id, refid, hash };
    },
    create: (amount = 10n * USDT) => aWithdrawal(deps, EMAIL, { amount }),
    replace: (refid: string, hash: string) => replaceTransaction(deps, naming(refid, hash), new Date()),
    correct: (refid: string, hash: string) => correctTransaction(deps, naming(refid, hash), new Date()),
    settle: (refid: string, hash: string, abandonOthers = false) =>
      settleWithdrawal(deps, { ...naming(refid, hash), abandonOthers }, new Date()),
    fail: (refid: string, reason: string | null = null) =>
      failWithdrawal(deps, { env: "test", refid, reason, actor: ACTOR }, new Date()),
    follow: (now = new Date()) => followWithdrawals({ ...deps, log, now: () => now }),
    logged: (refid: string) =>
      lines.filter((line) => line.refid === refid).map(({ level, msg, finding }) => [level, msg, finding]),
    /** A hash that the first node knows. */
    known(what = payment()) {
      const hash = aHash();
      node.known.set(hash, what);
      return hash;
    },
    async row(id: number) {
      const [row] = await db.select().from(withdrawals).where(eq(withdrawals.id, id));
      if (!row) throw new Error(`withdrawal ${id} does not exist`);
      return row;
    },
  };
}
