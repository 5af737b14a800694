import { createHash } from "node:crypto";
import { findForm } from "#lib/domain/forms/queries.ts";
import { sellForm } from "#lib/domain/forms/sell-form.ts";
import { readSale, type SubmissionProblem } from "#lib/domain/forms/submission-rules.ts";
import type { FormClosed, FormRow } from "#lib/domain/forms/types.ts";
import type { FormSettings } from "#lib/domain/forms/view-form.ts";
import { endUnpaidLink } from "#lib/domain/payment-links/settle/cancel-link.ts";
import type { PaymentLinkDeps, PaymentLinkRow } from "#lib/domain/payment-links/types.ts";
import { inTransaction } from "#lib/platform/db/in-transaction.ts";
import { countSales, findDevice, isSaleOf } from "./queries.ts";
import { MAX_SALES, SALES_WINDOW_MS } from "./rules.ts";

type SellRefusal = FormClosed | SubmissionProblem | "not_found" | "too_few_left" | "too_many_sales";

/** URL of the point of sale of a form, on the host of the payment pages. */
export function posUrl({ paymentUrl }: FormSettings, formCode: string): string {
  return new URL(`/pos/${formCode}`, paymentUrl).href;
}

/**
 * Creates the payment link of a sale at a device. `visit` is the key of the page: what is sent again after a lost answer
 * gets the same link, as long as nobody has chosen a network for it and the price is the same. At most MAX_SALES within SALES_WINDOW_MS.
 */
export async function sell(
  deps: PaymentLinkDeps,
  request: {
    readonly formCode: string;
    readonly token: string;
    readonly visit: string;
    readonly given: { readonly amount: string; readonly quantity: string };
  },
  now: Date,
): Promise<
  { readonly ok: true; readonly refid: string } | { readonly ok: false; readonly reason: SellRefusal }
> {
  const { formCode, token, visit, given } = request;
  const found = await findForm(deps.db, formCode);
  const device = found === null ? null : await findDevice(deps.db, found.form.id, token);
  if (device === null) return { ok: false, reason: "not_found" };
  const { id, name } = device;
  const sale = {
    code: formCode,
    visit: createHash("sha256")
      .update(JSON.stringify(["pos", id, visit, given]))
      .digest(),
    visitor: null,
    isRepeat: ({ state, amount }: Pick<PaymentLinkRow, "state" | "amount">, form: FormRow) => {
      const read = readSale(form, given, name);
      return state === "open" && read.ok && read.amount === amount;
    },
    device: { id, page: posUrl(deps.settings, formCode) },
  };
  return deps.db.transaction(async (tx) => {
    const read = async (form: FormRow) => {
      const since = new Date(now.getTime() - SALES_WINDOW_MS);
      const isOverLimit = (await countSales(tx, id, since)) >= MAX_SALES;
      return isOverLimit ? ({ ok: false, reason: "too_many_sales" } as const) : readSale(form, given, name);
    };
    return sellForm(tx, deps, { ...sale, read }, now);
  });
}

/** Cancels a sale of this device. False if money was seen for it, if it has ended, or if it is not the device's. */
export async function cancelSale(
  deps: PaymentLinkDeps,
  { formCode, token, refid }: { readonly formCode: string; readonly token: string; readonly refid: string },
  now: Date,
): Promise<boolean> {
  const found = await findForm(deps.db, formCode);
  const device = found === null ? null : await findDevice(deps.db, found.form.id, token);
  if (found === null || device === null || !(await isSaleOf(deps.db, device.id, refid))) return false;
  const { merchantId, env } = found.form;
  const sale = { refid, owner: { merchantId, env } };
  return (await inTransaction(deps.db, (tx) => endUnpaidLink(tx, deps, sale, now))).ok;
}
