import { type AuditEntry, recordDecision } from "#lib/domain/audit/record-decision.ts";
import { nameActor } from "./actor.ts";
import { hasIpList } from "./queries.ts";
import type { Act } from "./types.ts";
import { type Authority, type AuthorityReason, findObstacle, VERBS, type VerbName } from "./verb-rules.ts";

/** Why a verb was not done. Nothing was changed. */
export interface Refusal<Reason extends string> {
  readonly ok: false;
  readonly reason: Reason;
}

/** A verb that was done: its result, and what the audit log says of it. null: nothing was changed. */
interface Done<Result> {
  readonly ok: true;
  readonly result: Result;
  readonly entry: Pick<AuditEntry, "subject" | "details"> | null;
}

/** The actor may not do this. Nothing was read or changed. */
export interface Barred {
  readonly ok: false;
  readonly barred: AuthorityReason;
}

export const refuse = <Reason extends string>(reason: Reason): Refusal<Reason> => ({ ok: false, reason });

/** A verb that is done. `subject` is the object in the audit log: "key:12". */
export function done<Result>(
  result: Result,
  entry: Pick<AuditEntry, "subject" | "details"> | null,
): Done<Result> {
  return { ok: true, result, entry };
}

/** A verb that can be done. */
export interface Verb<Input, Result, Reason extends string> {
  (act: Act, input: Input): Promise<({ readonly ok: true } & Result) | Refusal<Reason> | Barred>;
  readonly verb: VerbName;
}

/**
 * Defines a verb. It asks who may (verb-rules.ts), does `run`, and records what was done in the audit log, with the merchant: all in the
 * transaction of the act. A refusal changes nothing.
 */
export function defineVerb<Input, Result, Reason extends string = never>(
  verb: VerbName,
  run: (act: Act, input: Input) => Promise<Done<Result> | Refusal<Reason>>,
): Verb<Input, Result, Reason> {
  const perform = async (act: Act, input: Input) => {
    const obstacle = await findObstacleOf(verb, act);
    if (obstacle !== null) return { ok: false, barred: obstacle } as const;
    const outcome = await run(act, input);
    if (!outcome.ok) return outcome;
    const { tx, actor, merchantId, now } = act;
    const { result, entry } = outcome;
    if (entry !== null) {
      await recordDecision(tx, { ...entry, actor: nameActor(actor), action: verb, merchantId }, now);
    }
    return { ok: true, ...result } as const;
  };
  return Object.assign(perform, { verb });
}

/** Why the actor may not do a verb, or null. */
async function findObstacleOf(
  verb: VerbName,
  { tx, actor, merchantId, env, now }: Act,
): Promise<AuthorityReason | null> {
  const { changes }: Authority = VERBS[verb];
  const isAsked = actor.kind === "key" && env === "live" && changes !== null;
  return findObstacle(verb, actor, { env, hasIpList: isAsked && (await hasIpList(tx, merchantId)), now });
}
