import type { Env } from "#lib/chains/network-data.ts";
import type { Barred, Refusal, Verb } from "#lib/domain/authority/define-verb.ts";
import { performVerb } from "#lib/domain/authority/perform-verb.ts";
import type {
  Act,
  Actor,
  InstallationAct,
  KeyActor,
  OwnAct,
  ProgramAct,
  Role,
} from "#lib/domain/authority/types.ts";
import type { Db, Tx } from "#lib/platform/db/connection.ts";

export const OPERATOR = { kind: "operator", name: "test" } as const satisfies Actor;

export const SIGNER = { kind: "signer" } as const satisfies Actor;

/** A person who has just proved who they are. */
export const personOf = (userId: number, role: Role | "operator" | null, now: Date) =>
  ({ kind: "person", userId, role, verifiedAt: now }) as const satisfies Actor;

/** A program with a key of the scope `full` that the operator made. */
export const programOf = (keyId: number, more: Partial<KeyActor> = {}): KeyActor => ({
  kind: "key",
  keyId,
  scope: "full",
  madeBy: null,
  makerRole: null,
  clientAddress: "127.0.0.1",
  ...more,
});

/** The actor, place and time of an act: the operator, in test and now if nothing else is said. */
export interface By {
  readonly merchantId: number;
  readonly env?: Env;
  readonly now?: Date;
  readonly actor?: Actor;
}

/** Does a verb in a transaction of its own, as the edges do. */
export async function performAs<Input, Result, Reason extends string>(
  db: Db,
  { merchantId, env = "test", now = new Date(), actor = OPERATOR }: By,
  verb: Verb<Input, Result, Reason>,
  input: Input,
): Promise<({ readonly ok: true } & Result) | Refusal<Reason>> {
  const outcome: ({ readonly ok: true } & Result) | Refusal<Reason> | Barred = await performVerb(
    { db },
    verb,
    { merchantId, env, now, actor },
    input,
  );
  if ("barred" in outcome) throw new Error(`${actor.kind} may not ${verb.verb}: ${outcome.barred}`);
  return outcome;
}

/** An act at a merchant: of the operator, now and in test if nothing else is said. */
export const actOf = (
  tx: Tx,
  merchantId: number,
  { env = "test", now = new Date(), actor = OPERATOR }: { env?: Env; now?: Date; actor?: Actor } = {},
): Act => ({ tx, merchantId, env, now, actor });

/** An act of the operator that changes the installation. */
export const hereBy = (tx: Tx, now = new Date()): InstallationAct => ({ tx, now, actor: OPERATOR });

/** Returns the act of a program with a full test key at a merchant. */
export const programActAt = (db: Db | Tx, merchantId: number, now = new Date()): ProgramAct => ({
  db,
  merchantId,
  env: "test",
  now,
  actor: programOf(1),
});

/** An act of a person on their own account, in a session of theirs. */
export const ownActOf = (
  tx: Tx,
  { userId, sessionId }: { readonly userId: number; readonly sessionId: number },
  now: Date,
): OwnAct => ({ tx, now, actor: personOf(userId, null, now), sessionId });
