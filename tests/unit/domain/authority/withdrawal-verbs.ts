/** The verbs of withdrawals and refund claims, each with what it needs. */

import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { Act } from "#lib/domain/authority/types.ts";
import type { VerbName } from "#lib/domain/authority/verb-rules.ts";
import { depositCause } from "#lib/domain/deposits/rules.ts";
import { creditMerchants } from "#lib/domain/ledger/credit-merchants.ts";
import { paymentLinks } from "#lib/domain/payment-links/tables.ts";
import { approveWithdrawal, signWithdrawal } from "#lib/domain/withdrawals/approve/approve-withdrawal.ts";
import { answerClaim } from "#lib/domain/withdrawals/claims/answer-claim.ts";
import { createClaim } from "#lib/domain/withdrawals/claims/create-claim.ts";
import { revokeClaim } from "#lib/domain/withdrawals/claims/revoke-claim.ts";
import { insertClaim } from "#lib/domain/withdrawals/claims/store.ts";
import { createWithdrawal } from "#lib/domain/withdrawals/create/create-withdrawal.ts";
import { failWithdrawal } from "#lib/domain/withdrawals/end/fail-withdrawal.ts";
import { approveSettlement, proposeSettlement } from "#lib/domain/withdrawals/end/settle-otherwise.ts";
import { settleWithdrawal } from "#lib/domain/withdrawals/end/settle-withdrawal.ts";
import { settlementText } from "#lib/domain/withdrawals/end/settlement-rules.ts";
import { listBook } from "#lib/domain/withdrawals/limits/limit-queries.ts";
import {
  addBookAddress,
  removeBookAddress,
  setAddressBook,
  setSecondPerson,
  setWithdrawalLimits,
} from "#lib/domain/withdrawals/limits/limit-withdrawals.ts";
import { newSubmittedTransaction } from "#lib/domain/withdrawals/observe/observe-transactions.ts";
import { findWithdrawalByRefid } from "#lib/domain/withdrawals/queries.ts";
import { correctTransaction } from "#lib/domain/withdrawals/send/correct-transaction.ts";
import { markSent } from "#lib/domain/withdrawals/send/mark-sent.ts";
import { replaceTransaction } from "#lib/domain/withdrawals/send/replace-transaction.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import { PASSKEY_SITE } from "#tests/support/software-passkey.ts";
import { bep20 } from "#tests/support/watched-chain.ts";
import { aRequest, DESTINATION, USDT } from "#tests/support/withdrawals.ts";
import type { Tried } from "./tried.ts";
import { aLink, LINK } from "./tried-at-merchants.ts";

// No node listens at this address.
const adapter = bep20("http://127.0.0.1:9").find("test", "bep20");
assert.ok(adapter);
/** One network for both environments. */
const networks: NetworkRegistry = { find: () => adapter, list: () => [adapter], all: () => [adapter] };
const secrets = { seal: (text: string) => Buffer.from(text), open: (sealed: Buffer) => sealed.toString() };
const settings = { paymentUrl: "https://pay.example.com/pay" };
const WAY = { network: "bep20", token: "usdt" } as const;

async function aBalance({ tx, now, merchantId, env }: Act): Promise<number> {
  const credit = {
    ...WAY,
    env,
    merchantId,
    amount: 100n * USDT,
    cause: depositCause({ id: 1, creditRound: 1 }),
  };
  await creditMerchants(tx, [credit], now);
  return 0;
}

async function aBookEntry(act: Act): Promise<number> {
  await addBookAddress(act, { adapter: adapter!, name: "Safe", address: DESTINATION });
  return (await listBook(act.tx, act))[0]?.id ?? 0;
}

async function aWithdrawal(act: Act): Promise<number> {
  await aBalance(act);
  const made = await createWithdrawal(act, { networks, ...aRequest() });
  return made.ok ? made.withdrawal.id : 0;
}

const HASH = `0x${"ab".repeat(32)}`;
const aTransaction = (hash = HASH) => newSubmittedTransaction(hash, new Date(0));
const seen = (hash = HASH) => ({ ...aTransaction(hash), onChain: null, expired: false });
async function aSentWithdrawal(act: Act): Promise<number> {
  const id = await aWithdrawal(act);
  await markSent(act, { refid: await refidOf(act, id), transaction: aTransaction() });
  return id;
}
async function refidOf({ tx }: Act, id: number): Promise<string> {
  const [row] = await tx.select({ refid: withdrawals.refid }).from(withdrawals).where(eq(withdrawals.id, id));
  return row?.refid ?? "";
}
const TERMS = { txHash: HASH, paid: USDT, excess: "costs", reason: "the wallet took its fee" } as const;

async function aClaim(act: Act): Promise<number> {
  const { tx, merchantId, env, now } = act;
  await aLink(act);
  const [link] = await tx.select().from(paymentLinks).where(eq(paymentLinks.merchantId, merchantId));
  const values = {
    ...WAY,
    merchantId,
    env,
    paymentLinkId: link?.id ?? 0,
    amount: USDT,
    secretHash: Buffer.alloc(32),
    requestedBy: "operator:test",
    expiresAt: new Date(now.getTime() + 1_000),
  };
  return (await insertClaim(tx, values, now))?.id ?? 0;
}

export const WITHDRAWAL_VERBS = {
  "withdrawal.create": {
    attempt: (act) => createWithdrawal(act, { networks, ...aRequest() }),
    prepare: aBalance,
  },
  "withdrawal.approve": {
    attempt: async (act, id) =>
      approveWithdrawal(act, { site: PASSKEY_SITE, refid: await refidOf(act, id), answer: "" }),
    prepare: aWithdrawal,
    notFound: "withdrawal_not_found",
  },
  "withdrawal.sign": {
    attempt: async (act, id) =>
      signWithdrawal(act, { refid: await refidOf(act, id), approver: "ada", sign: () => "00" }),
    prepare: aWithdrawal,
    notFound: "withdrawal_not_found",
  },
  "withdrawal.sent": {
    attempt: async (act, id) => markSent(act, { refid: await refidOf(act, id), transaction: aTransaction() }),
    prepare: aWithdrawal,
    notFound: "withdrawal_not_found",
  },
  "withdrawal.replace": {
    attempt: async (act, id) => {
      const successor = aTransaction(`0x${"cd".repeat(32)}`);
      return replaceTransaction(act, { refid: await refidOf(act, id), successor, earlier: [seen()] });
    },
    prepare: aSentWithdrawal,
    notFound: "withdrawal_not_found",
  },
  "withdrawal.correct": {
    attempt: async (act, id) => {
      const corrected = aTransaction(`0x${"cd".repeat(32)}`);
      return correctTransaction(act, {
        refid: await refidOf(act, id),
        successor: corrected,
        earlier: [seen()],
      });
    },
    prepare: aSentWithdrawal,
    notFound: "withdrawal_not_found",
  },
  "withdrawal.fail": {
    attempt: async (act, id) => failWithdrawal(act, { refid: await refidOf(act, id), reason: "no" }),
    prepare: aWithdrawal,
    notFound: "withdrawal_not_found",
  },
  "withdrawal.settle": {
    attempt: async (act, id) => {
      const given = { networks, payment: aTransaction(), others: [], abandonOthers: false };
      return settleWithdrawal(act, { ...given, refid: await refidOf(act, id) });
    },
    prepare: aSentWithdrawal,
    notFound: "withdrawal_not_found",
  },
  "withdrawal.propose_settlement": {
    attempt: async (act, id) => {
      const proposal = { terms: TERMS, proposedBy: "ada", signature: "00", asked: 10n * USDT };
      return proposeSettlement(act, { ...proposal, refid: await refidOf(act, id) });
    },
    prepare: aSentWithdrawal,
    notFound: "withdrawal_not_found",
  },
  "withdrawal.approve_settlement": {
    attempt: async (act, id) => {
      const refid = await refidOf(act, id);
      const row = await findWithdrawalByRefid(act.tx, { env: null, merchantId: null, refid });
      const text = row === null ? "" : settlementText(row, TERMS);
      const approval = { terms: TERMS, text, approvedBy: "bob", signature: "00", observed: [seen()] };
      return approveSettlement(act, { networks, refid, ...approval });
    },
    prepare: async (act) => {
      const id = await aSentWithdrawal(act);
      const proposal = { terms: TERMS, proposedBy: "ada", signature: "00", asked: 10n * USDT };
      await proposeSettlement(act, { ...proposal, refid: await refidOf(act, id) });
      return id;
    },
    notFound: "withdrawal_not_found",
  },
  "withdrawal.policy": { attempt: (act) => setSecondPerson(act, { secondPerson: false }) },
  "withdrawal.limit": {
    attempt: (act) => setWithdrawalLimits(act, { token: "usdt", perTransfer: null, perDay: 1n }),
  },
  "withdrawal.book": { attempt: (act) => setAddressBook(act, { isOn: true }) },
  "withdrawal.book-add": {
    attempt: (act) => addBookAddress(act, { adapter, name: "Safe", address: DESTINATION }),
  },
  "withdrawal.book-remove": {
    attempt: (act, id) => removeBookAddress(act, { id }),
    prepare: aBookEntry,
    notFound: "book_entry_not_found",
  },
  "refund_claim.create": {
    attempt: (act) => {
      const request = { ...WAY, amount: USDT, note: null, mail: false, idempotencyKey: null };
      return createClaim(act, { networks, secrets, settings, ...request, paymentLink: LINK.refid });
    },
    prepare: aLink,
    notFound: "payment_link_not_found",
  },
  "refund_claim.revoke": {
    attempt: (act, id) => revokeClaim(act, { id, paymentLink: null }),
    prepare: aClaim,
    notFound: "claim_not_found",
  },
  "refund_claim.use": {
    attempt: (act) => answerClaim(act, { networks, secret: "0".repeat(32), to: DESTINATION }),
  },
} as const satisfies Partial<Readonly<Record<VerbName, Tried>>>;
