import type { Kind } from "./simulation.ts";

/** One text of the program that is replaced. */
interface Change {
  /** Relative to the project. */
  readonly file: string;
  readonly text: string;
  readonly replacement: string;
}

/** A fault that the simulation must find. */
export interface Plant {
  /** Where one change would not do, others protect the same. */
  readonly changes: readonly Change[];
  readonly found: Found;
}

/** A history that finds a fault. After a change of the moves or of the program a later one does: the search begins here. */
export interface Found {
  readonly seed: number;
  /** Absent: histories of all networks. */
  readonly only?: Kind;
}

const one = (file: string, text: string, replacement: string, found: Found): Plant => ({
  changes: [{ file, text, replacement }],
  found,
});

const RECORD_SCAN = "lib/domain/deposits/record/record-scan.ts";

/** Faults of crash and order, and rules about money that were wrong before. */
export const PLANTS: Readonly<Record<string, Plant>> = {
  "the cursor moves before the deposits are stored": one(
    RECORD_SCAN,
    "await moveCursor(tx, watch,",
    "await moveCursor(watch.database.db as never, watch,",
    { seed: 54 },
  ),
  "an event is stored outside of the transaction that decides it": one(
    "lib/domain/payment-links/settle/settle-links.ts",
    "await emitEvents(tx, events, now);",
    "await emitEvents(deps.db as never, events, now);",
    { seed: 582 },
  ),
  "links are not settled again after a reorganization": one(
    RECORD_SCAN,
    "toIds([...lost, ...removed, ...moved",
    "toIds([...moved",
    { seed: 315 },
  ),
  "the second credit of a deposit has the round of the first": one(
    "lib/domain/deposits/record/store.ts",
    "$" + "{deposits.creditRound} + 1`",
    "greatest(1, $" + "{deposits.creditRound})`",
    { seed: 317 },
  ),
  "the claim of a killed webhook worker never expires": one(
    "lib/domain/webhooks/delivery-store.ts",
    "and (claimed_until is null or claimed_until <= $" + "{at})`",
    "and claimed_until is null`",
    { seed: 787 },
  ),
  "a deposit that returns to the mempool keeps its credit": one(
    RECORD_SCAN,
    "const removed = [...lost, ...missing, ...unconfirmed.map",
    "const removed = [...lost, ...missing, ...unconfirmed.slice(0, 0).map",
    { seed: 1349 },
  ),
  "the price of now comes before the amount that the page showed": one(
    "lib/domain/payment-links/valuation-rules.ts",
    "if (live && matchesAmount(live)) return live;",
    "if (live) return live;",
    { seed: 33 },
  ),
  "a refund changes nothing for its link": one(
    "lib/domain/payment-links/refund-rules.ts",
    "if (refunds.length === 0) return",
    "if (refunds.length >= 0) return",
    { seed: 391 },
  ),
  "a payment that a reorganization changes keeps its row": one(
    "lib/domain/deposits/record/reconcile-rules.ts",
    "of [exactKey, transferKey]",
    "of [exactKey, transferKey, positionKey]",
    { seed: 1431 },
  ),
  "all of the excess is on the network of the newest payment": one(
    "lib/domain/payment-links/valuation-rules.ts",
    "if (!hasExcess(payments, terms)) return [];",
    `if (!hasExcess(payments, terms)) return [];
  const newest = payments.toSorted((a, b) => b.depositId - a.depositId)[0]!;
  const whole = excessAmount(newest.fullAmount, sumShares(payments), newest.token, payDecimals(newest.token, terms));
  if (whole > 0n) return [{ network: newest.network, token: newest.token, amount: whole }];`,
    { seed: 4 },
  ),
  "a payment that left the mempool keeps its price": one(
    "lib/domain/payment-links/settle/value-payments.ts",
    "await clearDroppedQuotes(tx, ids);",
    "",
    { seed: 368, only: "setbacks" },
  ),
  "a payment that replaces another one long after has the price of that one": one(
    "lib/domain/payment-links/settle/assign-quote.ts",
    "if (quote === null || observedAt",
    "if (quote !== undefined || observedAt",
    { seed: 2528, only: "bitcoin" },
  ),
  "the next node of a pass is held against the cursor from before the pass": {
    found: { seed: 886, only: "branches" },
    changes: [
      {
        file: "lib/domain/deposits/watch/run-pass.ts",
        text: "compared = await findCursor(watch.database.db, watch);",
        replacement: "compared = at;",
      },
      {
        file: "lib/domain/deposits/watch/run-pass.ts",
        text: "if (found !== null && found.hash !== compared?.hash) return true;",
        replacement: "",
      },
    ],
  },
  "a node of the last pass is not compared with what another process has read": one(
    "lib/chains/node-pool.ts",
    "(node === lastRead?.node && at.hash === lastRead.hash)",
    "node === lastRead?.node",
    { seed: 529, only: "branches" },
  ),
  "a deposit that cannot be written is forgotten when it leaves the mempool": one(
    RECORD_SCAN,
    "const observed = [...inserted, ...moved.map(({ observation }) => observation)];\n  const toSubjects",
    `await clearAttention(tx, listTransactions(arguments[2]).map((hash) => transactionSubject(watch, hash)));
  const observed = [...inserted, ...moved.map(({ observation }) => observation)];\n  const toSubjects`,
    { seed: 229, only: "setbacks" },
  ),
  "a history of an Electrum server that looks the same is not read again": {
    found: { seed: 8, only: "electrum" },
    changes: [
      {
        file: "lib/chains/electrum/address-sync.ts",
        text: "return highest !== undefined && highest >= session.chain().base;",
        replacement: "return false;",
      },
      {
        file: "lib/chains/electrum/electrum-server.ts",
        text: "sync?.touchAbove(fork);",
        replacement: "",
      },
      {
        file: "lib/chains/electrum/electrum-reader.ts",
        text: "readAgainAbove: (fork) => readHistoriesAgain(context, fork),",
        replacement: "readAgainAbove: async () => {},",
      },
    ],
  },
  "what is recorded is not shown again above a fork": {
    found: { seed: 127, only: "electrum" },
    changes: [
      {
        file: "lib/chains/electrum/scan-proven.ts",
        text: "proven.distrustAbove(fork);",
        replacement: "",
      },
    ],
  },
  "a payment of XRP moves to the link that gets its tag later": {
    found: { seed: 2459, only: "xrp" },
    changes: [
      {
        file: RECORD_SCAN,
        text: "const observations = dropReassigned(recorded, scan.observations);",
        replacement: "const { observations } = scan;",
      },
      {
        file: RECORD_SCAN,
        text: "if (scan.fork !== null || scan.blocks.length > 0) return",
        replacement: "if (scan) return",
      },
    ],
  },
  "a tag is paid by what came before it was allocated": one(
    "lib/domain/deposits/rules.ts",
    'addressSource === "tags" ? 0 : Math.max',
    "Math.max",
    { seed: 682, only: "xrp" },
  ),
};
