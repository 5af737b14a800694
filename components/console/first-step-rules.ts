import type { Env } from "#lib/chains/network-data.ts";
import { type Action, may } from "#lib/domain/authority/role-rules.ts";
import type { Role } from "#lib/domain/authority/types.ts";

/** The facts about a merchant in one environment that decide which first steps are done. */
export interface StepFacts {
  readonly hasKey: boolean;
  readonly hasEndpoint: boolean;
  readonly hasPayment: boolean;
}

/** A line of the checklist of a new merchant. */
export interface FirstStep {
  readonly text: string;
  readonly isDone: boolean;
  /** Path of the page where it is done, below the merchant's own. */
  readonly page: string;
}

/**
 * The first steps of a merchant that a person may do. Empty once all of them are done, and once a live payment was completed, which is
 * what they lead to: also a shop without a server gets there. An environment without networks is null.
 */
export function listFirstSteps(
  { contact, ...facts }: Readonly<Record<Env, StepFacts | null>> & { readonly contact: boolean },
  role: Role | "operator",
): readonly FirstStep[] {
  const { test, live } = facts;
  if (live?.hasPayment) return [];
  const rows: readonly (readonly [Action, text: string, isDone: boolean | undefined, page: string])[] = [
    ["links.create", "Complete a test payment", test?.hasPayment, "test/new"],
    [
      "settings.change",
      "Say how customers reach you",
      contact,
      `${live === null ? "test" : "live"}/settings`,
    ],
    ["keys.change", "Make a test key for your server", test?.hasKey, "test/developers"],
    ["webhooks.change", "Add a test webhook endpoint", test?.hasEndpoint, "test/developers"],
    ["keys.change", "Make a live key", live?.hasKey, "live/developers"],
    ["webhooks.change", "Add a live webhook endpoint", live?.hasEndpoint, "live/developers"],
    ["links.create", "Receive the first live payment", live?.hasPayment, "live/new"],
  ];
  const steps = rows.flatMap(([action, text, isDone, page]) =>
    isDone === undefined || !may(role, action) ? [] : [{ text, isDone, page }],
  );
  return steps.every(({ isDone }) => isDone) ? [] : steps;
}
