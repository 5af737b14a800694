import { type AuditEntry, recordDecision } from "#lib/domain/audit/record-decision.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { nameActor } from "./actor.ts";
import { hasIpList } from "./queries.ts";
import type { Act, InstallationAct, OwnAct, ProgramAct } from "./types.ts";
import {
  type Authority,
  type AuthorityReason,
  findObstacle,
  type OwnVerbName,
  VERBS,
  type VerbName,
} from "./verb-rules.ts";

/** Why a verb was not done. Nothing was changed. */
export interface Refusal<Reason extends string> {
  readonly ok: false;
  readonly reason: Reason;
  /** A text for each wrong line of a file. */
  readonly problems?: readonly string[];
}

/** A refusal, as a verb returns it to performVerb. */
interface KeptRefusal<Reason extends string> extends Refusal<Reason> {
  /** Keeps the attempt for people to see, after the transaction of the act was rolled back. Absent: the attempt leaves no trace. */
  readonly keep?: ((db: Db) => Promise<void>) | undefined;
}

export type Entry = Pick<AuditEntry, "subject" | "details" | "merchantId">;

/** A verb that was done: its result, and what the audit log says of it. null: nothing was changed. */
export interface Done<Result, Left extends Entry | null = Entry | null> {
  readonly ok: true;
  readonly result: Result;
  readonly entry: Left;
}

/** The work of a verb. */
type Run<A, Input, Result, Reason extends string, Left extends Entry | null> = (
  act: A,
  input: Input,
) => Promise<Done<Result, Left> | KeptRefusal<Reason>>;

/** A verb that never leaves an audit entry does not compile: it lacks an argument. */
type Unrecorded<Left> = [Left] extends [null] ? [problem: "the verb leaves no audit entry"] : [];

/** The actor may not do this. Nothing was read or changed. */
export interface Barred {
  readonly ok: false;
  readonly barred: AuthorityReason;
}

export const refuse = <Reason extends string>(
  reason: Reason,
  problems?: readonly string[],
): Refusal<Reason> => ({ ok: false, reason, ...(problems !== undefined && { problems }) });

/** A verb that is not done. `keep` keeps the attempt for people to see. */
export const refuseAndKeep = <Reason extends string>(
  reason: Reason,
  keep: (db: Db) => Promise<void>,
): KeptRefusal<Reason> => ({ ok: false, reason, keep });

/**
 * A verb that is done. `subject` is the object in the audit log: "key:12". `merchantId` is for a change of the installation that concerns
 * a merchant: an act at a merchant has its merchant.
 */
export function done<Result>(result: Result, entry: null): Done<Result, null>;
export function done<Result>(result: Result, entry: Entry | null): Done<Result>;
export function done<Result>(result: Result, entry: Entry | null): Done<Result> {
  return { ok: true, result, entry };
}

/** A verb that can be done at a merchant. */
export type Verb<Input, Result, Reason extends string> = VerbOf<Act, Input, Result, Reason>;

/** A verb that changes the installation. */
export type InstallationVerb<Input, Result, Reason extends string> = VerbOf<
  InstallationAct,
  Input,
  Result,
  Reason
>;

/** A verb that changes the account of the person who does it. */
export type OwnVerb<Input, Result, Reason extends string> = VerbOf<OwnAct, Input, Result, Reason>;

/** The result of a verb, or why it was not done. */
export type Outcome<Result, Reason extends string> =
  | ({ readonly ok: true } & Result)
  | KeptRefusal<Reason>
  | Barred;

interface VerbOf<A extends InstallationAct, Input, Result, Reason extends string> {
  (act: A, input: Input): Promise<Outcome<Result, Reason>>;
  readonly verb: VerbName;
}

/** The function that defines verbs of one kind of act. */
const definerOf =
  <A extends InstallationAct & Partial<Act>, Name extends VerbName>() =>
  <Input, Result, Reason extends string = never, Left extends Entry | null = Entry | null>(
    verb: Name,
    run: Run<A, Input, Result, Reason, Left>,
    ..._: Unrecorded<Left>
  ): VerbOf<A, Input, Result, Reason> =>
    define(verb, run);

/**
 * Defines a verb at a merchant. It asks who may (verb-rules.ts), does `run`, and records what was done in the audit log, with the merchant: all in the
 * transaction of the act. After a refusal, performVerb rolls that back.
 */
export const defineVerb = definerOf<Act, VerbName>();

/** The same for a verb that changes the installation. Keys may do none. */
export const defineInstallationVerb = definerOf<InstallationAct, VerbName>();

/** The same for a verb that changes the account of the person who does it. */
export const defineOwnVerb = definerOf<OwnAct, OwnVerbName>();

function define<A extends InstallationAct & Partial<Act>, Input, Result, Reason extends string>(
  verb: VerbName,
  run: Run<A, Input, Result, Reason, Entry | null>,
): VerbOf<A, Input, Result, Reason> {
  const perform = async (act: A, input: Input) => {
    const obstacle = await findObstacleOf(verb, { ...act, db: act.tx });
    if (obstacle !== null) return { ok: false, barred: obstacle } as const;
    const outcome = await run(act, input);
    if (!outcome.ok) return outcome;
    const { tx, actor, merchantId, now } = act;
    const { result, entry } = outcome;
    if (entry !== null) {
      const at = merchantId === undefined ? {} : { merchantId };
      const by = { actor: nameActor(actor), byPayer: actor.kind === "payer" };
      await recordDecision(tx, { ...entry, ...at, ...by, action: verb }, now);
    }
    return { ok: true, ...result } as const;
  };
  return Object.assign(perform, { verb });
}

/** A verb of programs. */
export interface ProgramVerb<Input, Outcome> {
  (act: ProgramAct, input: Input): Promise<Outcome | Barred>;
  readonly verb: VerbName;
}

/**
 * Defines a verb that programs do many times, and that keeps a record of its own instead of an audit entry (docs/adr/0030-acts.md). It asks
 * who may, then does `run`.
 */
export function defineProgramVerb<Input, Outcome>(
  verb: VerbName,
  run: (act: ProgramAct, input: Input) => Promise<Outcome>,
): ProgramVerb<Input, Outcome> {
  const perform = async (act: ProgramAct, input: Input) => {
    const obstacle = await findObstacleOf(verb, act);
    return obstacle === null ? run(act, input) : ({ ok: false, barred: obstacle } as const);
  };
  return Object.assign(perform, { verb });
}

/** Why the actor may not do a verb, or null. */
async function findObstacleOf(
  verb: VerbName,
  { db, actor, merchantId, env, now }: Pick<ProgramAct, "db" | "actor" | "now"> & Partial<ProgramAct>,
): Promise<AuthorityReason | null> {
  const { changes }: Authority = VERBS[verb];
  const isAsked = actor.kind === "key" && env === "live" && changes !== null && merchantId !== undefined;
  const isListed = isAsked && (await hasIpList(db, merchantId));
  return findObstacle(verb, actor, { env: env ?? null, hasIpList: isListed, now });
}
