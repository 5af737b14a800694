import type { Refusal, Verb } from "#lib/domain/authority/define-verb.ts";
import { performVerb } from "#lib/domain/authority/perform-verb.ts";
import { type Authority, VERBS } from "#lib/domain/authority/verb-rules.ts";
import { keyActorOf } from "#lib/web/api/perform.ts";
import { type Answer, missingPermission, problem } from "./answers.ts";
import type { GreenfieldCall } from "./route.ts";

type Performed<Result, Reason extends string> =
  | ({ readonly ok: true } & Result)
  | Refusal<Reason>
  | { readonly ok: false; readonly reason?: undefined; readonly answer: Answer };

/** Does a verb for the key of a request. A key that may not gets the answer that says so. */
export async function perform<Input, Result, Reason extends string>(
  verb: Verb<Input, Result, Reason>,
  call: GreenfieldCall,
  input: Input,
): Promise<Performed<Result, Reason>> {
  const { api, caller, clientAddress, now } = call;
  const actor = keyActorOf(caller, clientAddress);
  const act = { now, actor, merchantId: caller.merchant.id, env: caller.env };
  const outcome = await performVerb(api.database, verb, act, input);
  if (outcome.ok || !("barred" in outcome)) return outcome;
  if (outcome.barred === "ip_list_required") return { ok: false, answer: IP_LIST_REQUIRED };
  const { permission }: Authority = VERBS[verb.verb];
  if (permission === undefined) throw new Error(`no Greenfield key may ${verb.verb}`);
  return { ok: false, answer: missingPermission(permission) };
}

const IP_LIST_REQUIRED = problem(
  403,
  "ip-list-required",
  "A live key without an address of a shop may do this only while the merchant has an IP list.",
);
