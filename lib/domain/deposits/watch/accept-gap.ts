import type { NetworkScope } from "#lib/chains/networks.ts";
import { defineInstallationVerb, done, refuse } from "#lib/domain/authority/define-verb.ts";
import { deleteGap } from "../record/cursor-store.ts";

/** Ends the alarm about blocks that were never read: the operator has checked them or does not need them. */
export const acceptGap = defineInstallationVerb(
  "network.accept_gap",
  async ({ tx, now }, scope: NetworkScope) => {
    const gap = await deleteGap(tx, scope, now);
    if (gap === null) return refuse("no_gap");
    return done({ gap }, { subject: `network:${scope.env}:${scope.network}`, details: { ...gap } });
  },
);
