/** A fault that `npm test` must find. It replaces one text in one file of the program. */
export interface Fault {
  readonly rule: string;
  /** Relative to the project. */
  readonly file: string;
  readonly text: string;
  readonly replacement: string;
  /** The part of `npm test` that finds it: a suite, and words of its files' paths. */
  readonly run: readonly string[];
}

export const FAULTS: readonly Fault[] = [
  {
    rule: "the asked amount is never worth less than the link",
    file: "lib/domain/payment-links/valuation-rules.ts",
    text: "const units = divCeil(amount * den",
    replacement: "const units = ((a: bigint, b: bigint) => a / b)(amount * den",
    run: ["unit", "payment-links"],
  },
  {
    rule: "a link is completed by credited payments only",
    file: "lib/domain/payment-links/refund-rules.ts",
    text: '({ status }) => status === "credited"',
    replacement: '({ status }) => status !== "dropped"',
    run: ["unit", "payment-links/settle"],
  },
  {
    rule: "the amount that the page showed pays the link while another price is live",
    file: "lib/domain/payment-links/valuation-rules.ts",
    text: "if (live && matchesAmount(live)) return live;",
    replacement: "if (live) return live;",
    run: ["unit", "payment-links", "terms"],
  },
  {
    rule: "refunded money does not count for its link",
    file: "lib/domain/payment-links/refund-rules.ts",
    text: "if (refunds.length === 0) return",
    replacement: "if (refunds.length >= 0) return",
    run: ["unit", "refund"],
  },
  {
    rule: "the excess is where it came",
    file: "lib/domain/payment-links/valuation-rules.ts",
    text: "payments.toSorted((a, b) => b.depositId - a.depositId)",
    replacement: "payments.toSorted((a, b) => a.depositId - b.depositId)",
    run: ["unit", "payment-links/refund"],
  },
  {
    rule: "a deposit never becomes another transfer",
    file: "lib/domain/deposits/record/reconcile-rules.ts",
    text: "of [exactKey, transferKey]",
    replacement: "of [exactKey, transferKey, positionKey]",
    run: ["unit", "deposits/record"],
  },
  {
    rule: "a payment that was dropped while it waited loses its price",
    file: "lib/domain/payment-links/settle/value-payments.ts",
    text: "await clearDroppedQuotes(tx, ids);",
    replacement: "",
    run: ["unit", "dropped-payments"],
  },
  {
    rule: "a late replacement has the price of its own time",
    file: "lib/domain/payment-links/settle/assign-quote.ts",
    text: "quote === null || observedAt.getTime() <=",
    replacement: "true || observedAt.getTime() <=",
    run: ["unit", "dropped-payments"],
  },
  {
    rule: "a buy repays a debt",
    file: "lib/domain/ledger/buy-token.ts",
    text: "postRepayment(batch, one,",
    replacement: "void (batch, one,",
    run: ["unit", "ledger/debts"],
  },
  {
    rule: "no buy counts a USDT as a dollar that it is not worth",
    file: "lib/domain/ledger/buy-rules.ts",
    text: "if (isOffDollar(usdtPrice))",
    replacement: "if (isOffDollar(usdtPrice) && price === null)",
    run: ["unit", "ledger/buy-rules"],
  },
  {
    rule: "a deposit is credited once in each round",
    file: "lib/domain/deposits/record/store.ts",
    text: ["$", "{deposits.creditRound} + 1`"].join(""),
    replacement: ["greatest(1, $", "{deposits.creditRound})`"].join(""),
    run: ["simulation"],
  },
  {
    rule: "a posting moves its whole amount",
    file: "lib/domain/ledger/credit-merchants.ts",
    text: "to, amount, cause });",
    replacement: "to, amount: amount - 1n, cause });",
    run: ["unit", "domain/ledger"],
  },
  {
    rule: "a webhook is signed as Standard Webhooks says",
    file: "lib/domain/webhooks/sign-webhook.ts",
    text: ["$", "{id}.$", "{timestamp}.$", "{body}"].join(""),
    replacement: ["$", "{timestamp}.$", "{id}.$", "{body}"].join(""),
    run: ["unit", "webhooks"],
  },
  {
    rule: "an idempotency key belongs to one request",
    file: "lib/web/api/idempotency.ts",
    text: "if (!stored.requestHash.equals(claim.requestHash))",
    replacement: "if (stored.requestHash.length === 0)",
    run: ["api", "idempotency"],
  },
  {
    rule: "a role may do what its row says",
    file: "lib/domain/authority/role-rules.ts",
    text: "return (ACTIONS[action] as readonly string[]).includes(role);",
    replacement: 'return role === "cashier" || (ACTIONS[action] as readonly string[]).includes(role);',
    run: ["unit", "members"],
  },
  {
    rule: "the id of a bitcoin transaction is shown in reverse byte order",
    file: "lib/chains/utxo/block.ts",
    text: "Buffer.from(bytes.subarray(at, at + 32))\n    .reverse()\n",
    replacement: "Buffer.from(bytes.subarray(at, at + 32))\n",
    run: ["unit", "chains/utxo"],
  },
  {
    rule: "a transfer's receiver is its third topic",
    file: "lib/chains/evm/codec.ts",
    text: 'readTopicAddress("a transfer\'s receiver", topics[2])',
    replacement: 'readTopicAddress("a transfer\'s receiver", topics[1])',
    run: ["unit", "chains/evm"],
  },
  {
    rule: "the signer pays no withdrawal above the limit of its policy",
    file: "lib/signer/policy-rules.ts",
    text: "if (amount > limits.perTransfer)",
    replacement: "if (amount < 0n)",
    run: ["unit", "signer"],
  },
  {
    rule: "an action of a page changes the link of that page only",
    file: "app/pay/[refid]/actions.ts",
    text: '(await headers()).get("x-paylink-refid") !== refid || ',
    replacement: "",
    run: ["e2e", "attacks-form"],
  },
  {
    rule: "the widget believes its own frame's origin only",
    file: "packages/widget/src/messages.ts",
    text: "origin !== peer.origin || ",
    replacement: "",
    run: ["unit", "widget"],
  },
];
