/** The database role that docs/operate.md tells hosts to run the program with. */
import { readFileSync } from "node:fs";
import type pg from "pg";

const MANUAL = new URL("../../docs/operate.md", import.meta.url);
const GRANTS = /```sql\n(grant usage on schema public[^`]+)```/.exec(readFileSync(MANUAL, "utf8"))?.[1] ?? "";

/** Makes the role as the manual says, under a name of the test's own; the URL that connects as it. */
export async function restrict(owner: pg.Pool, url: string, role: string): Promise<string> {
  await owner.query(`create role ${role} login password '${role}'`);
  await grant(owner, role);
  const restricted = new URL(url);
  Object.assign(restricted, { username: role, password: role });
  return restricted.href;
}

/** The manual's grants, word for word. */
export async function grant(owner: pg.Pool, role: string): Promise<void> {
  await owner.query(GRANTS.replaceAll("paylink_app", role));
}
