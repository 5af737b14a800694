import type * as z from "zod";

/** A program of Paylink that reads variables. "compose" is compose.yaml. */
export type Reader = "web" | "worker" | "command" | "signer" | "demo" | "compose";

/** How one variable of the environment is read, and the row of docs/operate/settings.md that describes it. */
export interface Variable {
  readonly readers: readonly Reader[];
  /** The text that an absent variable has. Without one, its value is null. */
  readonly default?: string;
  /** For the page: what an absent variable without a default text means, if another variable decides it. */
  readonly otherwise?: string;
  /** True: the value is in no message and no log. */
  readonly secret?: true;
  /** Turns the text into the value. Each error is the rest of a sentence that begins with the variable's name. */
  readonly schema: z.ZodType;
  /** Sentences in Markdown, for the page. */
  readonly text: string;
  /** A line of .env.example, for a variable that everybody decides. Empty: the line of the variable above covers both. */
  readonly decide?: string;
}

/** The value of a variable, null if it is absent and has no default text. */
export type ValueOf<V extends Pick<Variable, "schema" | "default">> =
  | z.output<V["schema"]>
  | (V extends { readonly default: string } ? never : null);

/** Texts of variables by their names, without empty ones. */
export type GivenTexts = Readonly<Record<string, string>>;

/**
 * Parses the text of a variable. A wrong one adds a line to `problems`, without the text, because it may be a secret.
 * Null: absent without a default, or wrong.
 */
export function parseText<V extends Pick<Variable, "schema" | "default">>(
  name: string,
  variable: V,
  given: GivenTexts,
  problems: string[],
): ValueOf<V> | null {
  const text = given[name] ?? variable.default;
  if (text === undefined) return null;
  const parsed = variable.schema.safeParse(text);
  if (parsed.success) return parsed.data as ValueOf<V>;
  problems.push(`${name} ${parsed.error.issues[0]?.message}`);
  return null;
}
