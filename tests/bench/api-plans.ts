import { listDeposits } from "#lib/domain/deposits/queries.ts";
import { getMerchantBalances, getStatistics, listHistory } from "#lib/domain/ledger/queries.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { paint } from "../support/paint.ts";
import { report } from "./report.ts";

const PAGE = { before: null, limit: 501 };
const LARGE = /Seq Scan on (deposits|addresses|ledger_postings|ledger_transfers)\b/;

/**
 * Requests the lists, history, balances and statistics once, and prints PostgreSQL's plan of each statement.
 */
export async function printPlans(url: string, merchantId: number): Promise<void> {
  const database = openDatabase(url, { max: 1 });
  const said: { text: string; values: unknown[] }[] = [];
  const client = await database.pool.connect();
  const send = client.query.bind(client);
  // With a callback or without: the pool and the client accept both.
  client.query = ((...given: unknown[]) => {
    const [query, values] = given as [string | { text: string; values?: unknown[] }, unknown];
    const text = typeof query === "string" ? query : query.text;
    const own = typeof query === "string" ? [] : (query.values ?? []);
    said.push({ text, values: Array.isArray(values) ? values : own });
    return (send as (...all: unknown[]) => unknown)(...given);
  }) as typeof client.query;
  client.release();
  const { db } = database;
  const owner = { merchantId, env: "test" } as const;
  const filter = { ...owner, token: null, direction: null, since: null, status: null };
  const asked: Readonly<Record<string, () => Promise<unknown>>> = {
    deposits: () => listDeposits(db, owner, ["credited"], PAGE),
    history: () => listHistory(db, filter, { before: null, limit: 500 }),
    balances: () => getMerchantBalances(db, "test", merchantId),
    statistics: () => getStatistics(db, "test", merchantId),
  };
  for (const [name, ask] of Object.entries(asked)) {
    said.length = 0;
    await ask();
    for (const { text, values } of [...said]) {
      const { rows } = await send({ text: `explain ${text}`, values });
      const plan = rows.map((row) => String(row["QUERY PLAN"]));
      console.log(paint("bold", `  plan of ${name}`));
      for (const line of plan) console.log(paint("dim", `    ${line}`));
      report(`${name}: no large table is read whole`, plan.some((line) => LARGE.test(line)) ? "no" : "yes", {
        text: "yes",
        met: !plan.some((line) => LARGE.test(line)),
      });
    }
  }
  await database.close();
}
