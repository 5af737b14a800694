import type { InstallationAct } from "#lib/domain/authority/types.ts";
import type { Tx } from "#lib/platform/db/connection.ts";

/** An act of the demo, which runs the installation that it makes. */
export const actOfDemo = (tx: Tx): InstallationAct => ({
  tx,
  now: new Date(),
  actor: { kind: "operator", name: "demo" },
});
