import pg from "pg";
import { listCauses } from "#lib/platform/error-causes.ts";

/** On errors of a connection. They have no SQLSTATE, and a node or a receiver can have the same (ECONNREFUSED). */
const LOST = Symbol.for("paylink.database-connection");

/**
 * A client of the database. isDatabaseUnavailable recognizes the errors of its connection. Next bundles its own copy of
 * lib, so the mark is on the error and not in a variable.
 */
export class PostgresClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.connection.on("error", (error: object) => Object.assign(error, { [LOST]: true }));
    // A connection lost while in use fails its query. Without a listener, its event would also end the process.
    this.on("error", () => {});
  }
}

/** SQLSTATE: the connection broke, the server stops, crashed or starts, or it has too many connections. */
const AWAY = /^(?:08[0-9]{3}|57P0[123]|53300)$/;
/** The driver's own errors about a lost connection have only a text. */
const LOST_TEXTS =
  /^(?:Connection terminated|Client has encountered|timeout exceeded when trying to connect)/;

/**
 * The error in `error` or its causes that says that the database cannot be reached or has ended the connection. The
 * statement may have been executed. null for any other error, also for a wrong password or database: that does not end by
 * itself.
 */
export function findOutage(error: unknown): Error | null {
  const outage = listCauses(error).find((e) => {
    const { severity, code } = e as Partial<pg.DatabaseError>;
    // Only errors of PostgreSQL have a severity. A node's number can look like a SQLSTATE.
    return LOST in e || LOST_TEXTS.test(e.message) || (severity !== undefined && AWAY.test(code ?? ""));
  });
  return outage ?? null;
}

/** True if the database cannot be reached. The same request may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return findOutage(error) !== null;
}
