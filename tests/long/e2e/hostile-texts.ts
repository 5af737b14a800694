import type { Browser } from "@playwright/test";
import { recordDecision } from "#lib/domain/audit/record-decision.ts";
import type { Database } from "#lib/platform/db/connection.ts";
import type { ShopConsole } from "#tests/support/console.ts";
import type { ConsolePage } from "#tests/support/console-pages.ts";

/** Would run if a page showed it as HTML, or opened it as a URL. */
const HOSTILE_TEXT = `javascript:window.hit=1//"'><img src=x onerror=window.hit=1><script>window.hit=1</script>`;

/**
 * Columns that the program fills with codes, amounts, hashes and keys of its own. Every other text column gets the hostile text, also
 * those that are added later.
 */
const OWN_VALUES =
  /(?:^|_)(?:hash|hashes|code|codes|env|network|token|tokens|status|state|role|kinds?|scope|path|price|rate|rates|currency|language|cause|key|refid|percentage|announced|purpose|direction|policy|pairs|zone|accent|logo|picture|handle|challenge|credential_id|metric|spends|fingerprint|format)$|^(?:type|section)$/;

/** Writes the hostile text into the database wherever it fits, whatever the program would refuse. Returns the columns that have it. */
export async function plantHostileTexts({ db, pool }: Database, merchantId: number): Promise<string[]> {
  const entry = { actor: HOSTILE_TEXT, action: HOSTILE_TEXT, subject: HOSTILE_TEXT, merchantId };
  await db.transaction((tx) => recordDecision(tx, { ...entry, details: { to: HOSTILE_TEXT } }, new Date()));
  const { rows } = await pool.query(
    `select c.table_name as "table", c.column_name as "column"
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type = 'text' order by 1, 2`,
  );
  const planted: string[] = [];
  for (const { table, column } of rows as { table: string; column: string }[]) {
    if (OWN_VALUES.test(column)) continue;
    const text = column === "body" ? "json_build_object('note', $1::text)::text" : "$1::text || ctid::text";
    const filter = `where "${column}" is not null or ctid = (select min(ctid) from "${table}")`;
    try {
      await pool.query(`update "${table}" set "${column}" = ${text} ${filter}`, [HOSTILE_TEXT]);
      planted.push(`${table}.${column}`);
    } catch (error) {
      // A constraint of the column, or a table that only grows: the text cannot be there.
      if (!/^(?:23|P0001)/.test((error as { code?: string }).code ?? "")) throw error;
    }
  }
  return planted;
}

/** Opens pages as people of their roles. Returns what runs there, and the pages that show the text. */
export async function findHostileTexts(
  browser: Browser,
  shop: ShopConsole,
  pages: readonly ConsolePage[],
): Promise<{ readonly faults: string[]; readonly shown: string[] }> {
  const faults: string[] = [];
  const shown: string[] = [];
  for (const [role, those] of Map.groupBy(pages, (page) => page.role)) {
    const page = role === null ? await browser.newPage() : (await shop.tabOf(role)).page;
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(`throws ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(`says ${message.text()}`);
    });
    for (const { name, url } of those) {
      complaints.length = 0;
      const answer = await page.goto(url, { waitUntil: "load" });
      if (answer?.status() !== 200) complaints.push(`answers ${answer?.status()}`);
      const { hit, live } = await page.evaluate(() => ({
        hit: (window as { hit?: number }).hit,
        live: document.querySelectorAll("img[onerror], [href^='javascript:' i], [action^='javascript:' i]")
          .length,
      }));
      if (hit !== undefined) complaints.push("runs it");
      if (live > 0) complaints.push(`has it ${live} times as an element or a URL`);
      if ((await page.getByText("<img src=x").count()) > 0) shown.push(name);
      faults.push(...complaints.map((fault) => `${name}: ${fault}`));
    }
    await page.context().close();
  }
  return { faults, shown };
}
