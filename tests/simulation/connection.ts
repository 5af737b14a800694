import pg from "pg";
import type { Statement, Statements } from "./statements.ts";

/** The internals of the driver's query that an answer without a description needs. */
interface QueryInternals {
  readonly _result: { addFields(fields: unknown): void; readonly fields: readonly pg.FieldDef[] };
  _accumulateRows: boolean;
  prepare(connection: pg.Connection): void;
}

type Callback = (error: Error | null | undefined, result: pg.QueryResult) => void;

const DriverQuery = pg.Query as unknown as new (
  config: pg.QueryConfig,
  values: unknown[] | undefined,
  callback: Callback,
) => QueryInternals & pg.Submittable;

/** Asks for the description of an answer's columns only once in a lane. It costs both sides as much as a short statement. */
class DescribedQuery extends DriverQuery {
  readonly #statement: Statement;

  constructor(
    config: pg.QueryConfig,
    values: unknown[] | undefined,
    statement: Statement,
    callback: Callback,
  ) {
    super(config, values, (error, result) => {
      if (!error) statement.fields ??= result.fields;
      callback(error, result);
    });
    this.#statement = statement;
  }

  override prepare(connection: pg.Connection): void {
    const { fields } = this.#statement;
    if (fields === null) {
      super.prepare(connection);
      return;
    }
    if (fields.length > 0) this._result.addFields(fields);
    this._accumulateRows = true;
    super.prepare(Object.create(connection, { describe: { value: () => {} } }) as pg.Connection);
  }
}

/** A connection of a lane, used by one process at a time. */
export class Connection {
  readonly client: pg.Client;
  readonly pid: number;
  inTransaction = false;
  isBroken = false;
  /** The statement under way. */
  #running: Promise<unknown> | null = null;
  /** Statements that go to the server together with the next one. Nobody else can notice them before. */
  #ahead: { readonly text: string; readonly values?: unknown[] }[] = [];
  readonly #statements: Statements;

  constructor(client: pg.Client, pid: number, statements: Statements) {
    this.client = client;
    this.pid = pid;
    this.#statements = statements;
    Object.assign(client, { pipeline: true });
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Sends a statement together with the next one. */
  sendAhead(text: string, values?: unknown[]): void {
    this.#ahead.push({ text, ...(values && { values }) });
  }

  /** Prepares every statement under a name, so that PostgreSQL parses and plans it once. */
  async query(config: string | pg.QueryConfig, values?: unknown[]): Promise<unknown> {
    const statement = this.#statements.find(typeof config === "string" ? config : config.text);
    const { control, text } = statement;
    if (control === "begin") this.inTransaction = true;
    if (control === "begin" || control === "savepoint") {
      this.sendAhead(text);
      return NOTHING;
    }
    const running = this.#sendAll(config, values, statement);
    this.#running = running;
    try {
      return await running;
    } finally {
      this.#running = null;
      if (control === "end") this.inTransaction = false;
    }
  }

  #sendAll(config: string | pg.QueryConfig, values: unknown[] | undefined, statement: Statement) {
    const ahead = this.#ahead;
    if (ahead.length === 0) return this.#send(config, values, statement);
    this.#ahead = [];
    const { stream } = (this.client as unknown as { connection: pg.Connection }).connection;
    stream.cork();
    try {
      for (const one of ahead) this.client.query(one.text, one.values).catch(() => {});
      return this.#send(config, values, statement);
    } finally {
      stream.uncork();
    }
  }

  #send(
    config: string | pg.QueryConfig,
    values: unknown[] | undefined,
    statement: Statement,
  ): Promise<unknown> {
    const { name, text } = statement;
    if (name === null) return this.client.query(text);
    return new Promise((resolve, reject) => {
      const named = typeof config === "string" ? { text, name } : { ...config, name };
      const query = new DescribedQuery(named, values, statement, (error, result) =>
        error ? reject(error) : resolve(result),
      );
      this.client.query(query);
    });
  }

  /** Ends the statement under way and the transaction, as the server does when the connection is lost. */
  async reset(cancel: (pid: number) => Promise<void>): Promise<void> {
    while (this.#running !== null) {
      await cancel(this.pid);
      await this.#running.catch(() => {});
      await new Promise(setImmediate);
    }
    const hasBegun = !this.#ahead.some(({ text }) => this.#statements.find(text).control === "begin");
    this.#ahead = [];
    if (this.inTransaction && hasBegun) await this.client.query("rollback");
    this.inTransaction = false;
    this.isBroken = false;
  }
}

const NOTHING = { rows: [], rowCount: null };
