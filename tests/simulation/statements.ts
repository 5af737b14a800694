import type pg from "pg";

/** A statement of the program. All its executions share what is known about its text. */
export interface Statement {
  readonly text: string;
  /** The name that it is prepared under. null: it is not prepared. */
  readonly name: string | null;
  /** The verb and the table, for the trace. */
  readonly label: string;
  /** Its effect on the transaction. savepoint: it sets or releases one. */
  readonly control: "begin" | "end" | "savepoint" | null;
  /** It may end locks although the transaction continues. */
  readonly mayFree: boolean;
  /** It may change what people know (learn.ts). */
  readonly mayChange: boolean;
  /** The columns of its answers. null: unknown. */
  fields: pg.FieldDef[] | null;
}

const PREPARED = /^\s*(select|with|insert|update|delete)\b/i;
/** Writes of rows that `learnAll` does not read. */
const UNKNOWN_TO_PEOPLE =
  /^\s*(update "watch_cursors" set "node_height"|update "payment_link_wallets" set "visitor"|(insert into|delete from) "(attention|watched_blocks)")/;
const WRITES = /\b(insert into|delete from|update)\b/i;
const LOCKS_ROWS = /\bfor (no key )?update\b/gi;

/** The statements of a lane, by their texts. */
export class Statements {
  readonly #all = new Map<string, Statement>();

  find(text: string): Statement {
    const known = this.#all.get(text);
    if (known !== undefined) return known;
    const statement: Statement = {
      text,
      name: PREPARED.test(text) ? `s${this.#all.size}` : null,
      label: describe(text),
      control: findControl(text),
      mayFree: /^rollback/i.test(text),
      mayChange: WRITES.test(text.replaceAll(LOCKS_ROWS, "")) && !UNKNOWN_TO_PEOPLE.test(text),
      fields: null,
    };
    this.#all.set(text, statement);
    return statement;
  }
}

function findControl(text: string): Statement["control"] {
  if (/^begin/i.test(text)) return "begin";
  if (/^(commit|rollback$)/i.test(text)) return "end";
  return /^(savepoint|release)/i.test(text) ? "savepoint" : null;
}

function describe(text: string): string {
  const flat = text.replace(/\s+/g, " ").trim();
  const table = /(?:from|into|update) "?([a-z_]+)"?/.exec(flat)?.[1] ?? "";
  return `${flat.slice(0, 9)} ${table}`.trim();
}
