/** The database roles of docs/operate/database.md and money-out.md, as which the programs run. */
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
  kind: "program" | "signer" | "approver" = "program",
): Promise<string> {
  await owner.query(`create role ${role} login password '${role}-password'`);
  const options = {
    program: { grantTo: role },
    signer: { grantSigner: role },
    approver: { grantApprover: role },
  };
  await migrate(url, options[kind]);
  const restricted = new URL(url);
  Object.assign(restricted, { username: role, password: `${role}-password` });
  return restricted.href;
}
