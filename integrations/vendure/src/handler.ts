import { decisionOf, fetchLink, LinkMismatch, PaylinkRefusal, refundShopLink, shopIdOf } from "@paylink/shop";
import { type Injector, LanguageCode, PaymentMethodHandler } from "@vendure/core";
import { paidAmount, toDecimal } from "./money.ts";
import { HANDLER_CODE } from "./options.ts";
import { PaylinkService } from "./paylink.service.ts";

let service: PaylinkService;

/**
 * The payment method. A payment is added to the order when its link is paid: by the webhook, by the task, or by the storefront itself
 * (`addPaymentToOrder` with `metadata: {refid}`). All three are believed as little: Paylink is asked for the link.
 */
export const paylinkPaymentHandler = new PaymentMethodHandler({
  code: HANDLER_CODE,
  description: [{ languageCode: LanguageCode.en, value: "Paylink (cryptocurrency)" }],
  args: {},

  init(injector: Injector) {
    service = injector.get(PaylinkService);
  },

  async createPayment(ctx, order, amount, _args, metadata) {
    const declined = (errorMessage: string) => ({
      amount,
      state: "Declined" as const,
      errorMessage,
      metadata: {},
    });
    const refid = typeof metadata.refid === "string" ? metadata.refid : "";
    const link = refid === "" ? null : await fetchLink(service.paylink, refid);
    if (link === null || shopIdOf(link) !== order.code)
      return declined("This payment link is not for this order.");
    if (decisionOf(link) !== "paid") return declined("The payment is not complete.");
    if (link.amount_currency !== order.currencyCode.toLowerCase())
      return declined("The payment is in another currency.");
    const asked = { amount, currency: order.currencyCode, precision: service.precision };
    const paid = paidAmount(link.amount_required, asked);
    if (paid === null) return declined("The amount of the payment cannot be recorded.");
    await service.lockOrder(ctx, order);
    if (await service.isRecorded(ctx, refid)) return declined("This payment is recorded already.");
    return {
      amount: paid,
      state: "Settled",
      transactionId: refid,
      metadata: { public: { refid, payment_link: link.payment_link } },
    };
  },

  settlePayment() {
    return { success: true };
  },

  cancelPayment() {
    return {
      success: false,
      state: "Settled",
      errorMessage: "The customer has paid. Refund the payment instead.",
    };
  },

  async createRefund(_ctx, _input, amount, order, payment) {
    const before = (payment.refunds ?? []).reduce(
      (sum, { total, state }) => sum + (state === "Failed" ? 0 : total),
      0,
    );
    const decimal = toDecimal(amount, order.currencyCode, service.precision);
    try {
      const { url, ...claim } = await refundShopLink(service.paylink, {
        refid: payment.transactionId,
        amount: decimal,
        note: `Refund of the order ${order.code}`,
        // A repeat after an error of the shop makes no second claim.
        idempotencyKey: `${order.code}-${payment.id}-${before}-${amount}`,
        by: service.options.refunds ?? "mail",
      });
      return {
        state: "Pending",
        transactionId: String(claim.claim),
        metadata: { ...claim, ...(url !== null && { refund_url: url }) },
      };
    } catch (error) {
      if (!(error instanceof PaylinkRefusal || error instanceof LinkMismatch)) throw error;
      return { state: "Failed", metadata: { errorMessage: error.message } };
    }
  },
});
