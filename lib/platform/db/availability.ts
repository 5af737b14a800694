import pg from "pg";
import { listCauses } from "#lib/platform/error-causes.ts";
import { endIfServerVanishes } from "./vanished-server.ts";

/** On errors of a connection. They have no SQLSTATE, and a node or a receiver can have the same (ECONNREFUSED). */
const LOST = Symbol.for("paylink.database-connection");

/**
 * A machine that is gone does not refuse a connection, and does not end one: a client would wait for ever. After five seconds of silence
 * Linux asks ten times, each second, whether the other machine is there.
 */
const WAITS = {
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
} as const satisfies pg.ClientConfig;

/**
 * A client of the database. isDatabaseUnavailable recognizes the errors of its connection. Next bundles its own copy of
 * lib, so the mark is on the error and not in a variable. A standby is refused at the connection, as libpq does with
 * `target_session_attrs=read-write`: after a failover the former primary shows old rows, and decisions would follow them.
 */
export class PostgresClient extends pg.Client {
  #isRefused = false;

  constructor(config?: pg.ClientConfig & { readonly acceptsStandby?: boolean }) {
    super({ ...WAITS, ...config });
    // PostgreSQL says it at each connection, before the first query.
    this.connection.on("parameterStatus", ({ parameterName, parameterValue }: ParameterStatus) => {
      if (parameterName === "in_hot_standby")
        this.#isRefused = parameterValue === "on" && config?.acceptsStandby !== true;
    });
    this.connection.on("error", (error: object) => Object.assign(error, { [LOST]: true }));
    // A connection lost while in use fails its query. Without a listener, its event would also end the process.
    this.on("error", () => {});
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    const connected = this.#connectToPrimary();
    if (callback === undefined) return connected;
    connected.then(() => (callback as () => void)(), callback);
    return undefined;
  }

  async #connectToPrimary(): Promise<pg.Client> {
    await super.connect();
    if (!this.#isRefused) {
      endIfServerVanishes(this);
      return this;
    }
    this.connection.stream.destroy();
    const error = new Error("The server is a standby: it accepts no writes.");
    throw Object.assign(error, { [LOST]: true });
  }
}

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/**
 * SQLSTATE: the connection broke, the server stops, crashed or starts, it has too many connections, its disk is full or
 * fails, or it is a standby since.
 */
const AWAY = /^(?:08[0-9A-Z]{3}|57P0[123]|53[13]00|58030|25006)$/;
/** The driver's own errors about a lost connection have only a text. */
const LOST_TEXTS =
  /^(?:Connection terminated|Client has encountered|timeout expired|timeout exceeded when trying to connect)/;

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
