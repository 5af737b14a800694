import type { ProgramVerb, Verb } from "#lib/domain/authority/define-verb.ts";
import { performVerb } from "#lib/domain/authority/perform-verb.ts";
import type { KeyActor, ProgramAct } from "#lib/domain/authority/types.ts";
import {
  type Authority,
  type AuthorityReason,
  VERBS,
  type VerbName,
} from "#lib/domain/authority/verb-rules.ts";
import type { ApiCaller } from "#lib/domain/merchants/types.ts";
import type { EndpointOptions, IdempotentCall, MerchantCall } from "./endpoint.ts";
import { type ApiFailure, type ApiReason, failure } from "./errors.ts";

const BARRED: Readonly<Record<AuthorityReason, ApiReason>> = {
  not_allowed: "key_scope",
  proof_needed: "key_scope",
  live_key_required: "live_key_required",
  ip_list_required: "ip_list_required",
};

/** The parts of an endpoint that say who may call it, from the table of verbs. */
export function authorityOf(verb: VerbName): Pick<EndpointOptions, "verb" | "auth" | "action" | "changes"> {
  const { action, keys, changes }: Authority = VERBS[verb];
  if (action === null || action === "own" || keys === null) throw new Error(`no key may ${verb}`);
  return { verb, auth: keys, action, ...(changes !== null && { changes }) };
}

/** A request with a key, in the transaction of its Idempotency-Key if it has one. */
type KeyCall = Pick<MerchantCall<string>, "api" | "caller" | "clientAddress" | "now"> &
  Partial<IdempotentCall>;

/** The act of a request. */
export function programActOf(call: KeyCall): ProgramAct {
  const { api, caller, clientAddress, now, db = api.database.db } = call;
  const { merchant, env } = caller;
  return { db, now, actor: keyActorOf(caller, clientAddress), merchantId: merchant.id, env };
}

/** The program that sent a request. */
export function keyActorOf(caller: ApiCaller, clientAddress: string): KeyActor {
  const { keyId, scope, permissions, origin, madeBy, makerRole } = caller;
  const grant = permissions === null ? null : { permissions, origin };
  return { kind: "key", keyId, scope, grant, madeBy, makerRole, clientAddress };
}

/** Does a verb for the key of a request. `reasons` has the answer for each refusal that is no reason of the API itself. */
export async function perform<Input, Result, Reason extends string>(
  verb: Verb<Input, Result, Reason>,
  call: KeyCall,
  input: Input,
  reasons: Readonly<Record<Exclude<Reason, ApiReason>, ApiReason | ApiFailure>>,
): Promise<({ readonly ok: true } & Result) | ApiFailure> {
  const { api, db, afterwards } = call;
  const { db: _, ...act } = programActOf(call);
  const joined = db !== undefined && afterwards !== undefined && { joined: { db, afterwards } };
  const outcome = await performVerb({ db: api.database.db, ...joined }, verb, act, input);
  if (outcome.ok) return outcome;
  if ("barred" in outcome) return failure(BARRED[outcome.barred]);
  const answers = reasons as Readonly<Record<string, ApiReason | ApiFailure>>;
  const answer = answers[outcome.reason] ?? (outcome.reason as ApiReason);
  return typeof answer === "string" ? failure(answer) : answer;
}

/** The same for a verb of programs. The endpoint has admitted the key by the same table (authorityOf). */
export async function performAsProgram<Input, Outcome extends object>(
  verb: ProgramVerb<Input, Outcome>,
  call: KeyCall,
  input: Input,
): Promise<Outcome> {
  const outcome = await verb(programActOf(call), input);
  if ("barred" in outcome) throw new Error(`the endpoint admits a key that may not ${verb.verb}`);
  return outcome;
}
