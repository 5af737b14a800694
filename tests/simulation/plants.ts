/** Faults of crash and order that the simulation must find. Each replaces one text in one file of the program. */
export interface Plant {
  /** Relative to the project. */
  readonly file: string;
  readonly text: string;
  readonly replacement: string;
}

export const PLANTS: Readonly<Record<string, Plant>> = {
  "the cursor moves before the deposits are stored": {
    file: "lib/domain/deposits/record/record-scan.ts",
    text: "await moveCursor(tx, watch,",
    replacement: "await moveCursor(watch.database.db as never, watch,",
  },
  "an event is stored outside of the transaction that decides it": {
    file: "lib/domain/payment-links/settle/settle-links.ts",
    text: "await emitEvents(tx, events, now);",
    replacement: "await emitEvents(deps.db as never, events, now);",
  },
  "links are not settled again after a reorganization": {
    file: "lib/domain/deposits/record/record-scan.ts",
    text: "toIds([...lost, ...removed, ...moved",
    replacement: "toIds([...moved",
  },
  "the second credit of a deposit has the round of the first": {
    file: "lib/domain/deposits/record/store.ts",
    text: "$" + "{deposits.creditRound} + 1`",
    replacement: "greatest(1, $" + "{deposits.creditRound})`",
  },
  "the claim of a killed webhook worker never expires": {
    file: "lib/domain/webhooks/delivery-store.ts",
    text: "and (claimed_until is null or claimed_until <= $" + "{instant(at)})`",
    replacement: "and claimed_until is null`",
  },
  "a deposit that returns to the mempool keeps its credit": {
    file: "lib/domain/deposits/record/record-scan.ts",
    text: "const removed = [...lost, ...missing, ...unconfirmed.map",
    replacement: "const removed = [...lost, ...missing, ...unconfirmed.slice(0, 0).map",
  },
  "a refund changes nothing for its link": {
    file: "lib/domain/payment-links/refund-rules.ts",
    text: "if (refunds.length === 0) return",
    replacement: "if (refunds.length >= 0) return",
  },
  "a payment that a reorganization changes keeps its row": {
    file: "lib/domain/deposits/record/reconcile-rules.ts",
    text: "of [exactKey, transferKey]",
    replacement: "of [exactKey, transferKey, positionKey]",
  },
};
