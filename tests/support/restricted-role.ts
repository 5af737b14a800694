/** The database role of docs/operate/database.md, as which the program runs. */
import type pg from "pg";
import { migrate } from "#lib/platform/db/migrate.ts";

/**
 * Creates the role of the manual under its own name for the test, and returns the URL that connects as it.
 * `url` is the owner's.
 */
export async function restrict(
  owner: pg.Pool,
  url: string,
  role: string,
  kind: "program" | "signer" = "program",
): Promise<string> {
  await owner.query(`create role ${role} login password '${role}-password'`);
  await migrate(url, kind === "signer" ? { grantSigner: role } : { grantTo: role });
  const restricted = new URL(url);
  Object.assign(restricted, { username: role, password: `${role}-password` });
  return restricted.href;
}
