import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  DeletePaymentInput,
  DeletePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  Logger,
  ProviderWebhookPayload,
  RefundPaymentInput,
  RefundPaymentOutput,
  RemoteQueryFunction,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from "@medusajs/framework/types";
import {
  AbstractPaymentProvider,
  BigNumber,
  MedusaError,
  PaymentActions,
  PaymentSessionStatus,
} from "@medusajs/framework/utils";
import { createPaylinkClient, type PaylinkClient, verifyWebhook, WebhookError } from "@paylink/client";
import {
  cancelShopLink,
  checkDecision,
  createShopLink,
  type Decision,
  fetchDecision,
  fetchLink,
  hasRefunds,
  LinkMismatch,
  refundShopLink,
  shopIdOf,
} from "@paylink/shop";
import { toDecimal } from "../../amounts.ts";
import { checkOptions, type PaylinkOptions } from "../../options.ts";
import { askedOf, customerOf, findSession, type Session } from "../../sessions.ts";

interface Dependencies extends Record<string, unknown> {
  readonly logger: Logger;
  readonly query?: RemoteQueryFunction;
}

/** Data that the provider keeps with a session and with its payment. The storefront sees it, so it has no secret. */
interface LinkData extends Record<string, unknown> {
  readonly session_id: string;
  readonly refid: string;
  /** URL of the payment page: the storefront sends the customer there. */
  readonly payment_link: string;
  readonly amount: string;
  readonly currency_code: string;
}

const STATUS: Readonly<Record<Decision, PaymentSessionStatus>> = {
  paid: PaymentSessionStatus.CAPTURED,
  waiting: PaymentSessionStatus.PENDING,
  ended: PaymentSessionStatus.ERROR,
};
const IGNORED: WebhookActionResult = { action: PaymentActions.NOT_SUPPORTED };
const NO_QUERY =
  'Paylink reads the customer from the cart: give the payment module `dependencies: ["query"]` in medusa-config.';

const notAllowed = (message: string) => new MedusaError(MedusaError.Types.NOT_ALLOWED, message);

/** Reads what the provider has kept. Null: nothing yet, because Paylink has not answered or the storefront has written the data. */
function readData(data: Record<string, unknown> | undefined): LinkData | null {
  const names = ["session_id", "refid", "payment_link", "amount", "currency_code"];
  return data !== undefined && names.every((name) => typeof data[name] === "string")
    ? (data as LinkData)
    : null;
}

/** A link is captured when its payment is final: Paylink has no state between paid and captured. */
export class PaylinkPaymentProvider extends AbstractPaymentProvider<PaylinkOptions> {
  static override identifier = "paylink";
  private readonly logger: Logger;
  private readonly dependencies: Dependencies;
  private readonly options: PaylinkOptions;
  private readonly paylink: PaylinkClient;

  static override validateOptions(options: Record<string, unknown>): void {
    checkOptions(options);
  }

  constructor(dependencies: Dependencies, options: PaylinkOptions) {
    super(dependencies, options);
    checkOptions({ ...options });
    this.dependencies = dependencies;
    this.logger = dependencies.logger;
    this.options = options;
    this.paylink = createPaylinkClient(options);
  }

  /** Makes the payment link of a new session. */
  async initiatePayment({
    amount,
    currency_code,
    data,
  }: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    const sessionId = data?.session_id;
    if (typeof sessionId !== "string") throw notAllowed("Paylink: Medusa gave no payment session.");
    const kept = await this.makeLink(sessionId, {
      amount: toDecimal(amount, currency_code),
      currency: currency_code,
    });
    return { id: kept.refid, status: PaymentSessionStatus.PENDING, data: kept };
  }

  /** A changed amount needs another link. The first one is ended before, so that only one can be paid. */
  async updatePayment({
    amount,
    currency_code,
    data,
    context,
  }: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    const kept = readData(data);
    const asked = { amount: toDecimal(amount, currency_code), currency: currency_code };
    if (kept?.amount === asked.amount && kept.currency_code === asked.currency) return { data: kept };
    const sessionId = kept?.session_id ?? context?.idempotency_key;
    if (sessionId === undefined) throw notAllowed("Paylink: Medusa gave no payment session.");
    if (kept !== null) await this.endLink(kept.refid);
    return { status: PaymentSessionStatus.PENDING, data: await this.makeLink(sessionId, asked) };
  }

  /** Authorizes only what Paylink says is paid, for this session and this amount. */
  async authorizePayment({ data, context }: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    const kept = readData(data);
    // The id of the session is Medusa's own. What the data says could be another session's.
    const id = context?.idempotency_key;
    if (kept === null || id === undefined) return { status: PaymentSessionStatus.PENDING, data: data ?? {} };
    const asked = { id, amount: kept.amount, currency: kept.currency_code };
    return { status: STATUS[await fetchDecision(this.paylink, kept.refid, asked)], data: kept };
  }

  async capturePayment({ data }: CapturePaymentInput): Promise<CapturePaymentOutput> {
    const { status } = await this.getPaymentStatus({ data: data ?? {} });
    if (status !== PaymentSessionStatus.CAPTURED) throw notAllowed("Paylink: the link is not paid.");
    return { data: data ?? {} };
  }

  /** Makes a refund claim: the customer enters an address, and the withdrawal then needs the approvals of the merchant's policy. */
  async refundPayment({ amount, data, context }: RefundPaymentInput): Promise<RefundPaymentOutput> {
    const kept = readData(data);
    const key = context?.idempotency_key;
    if (kept === null || key === undefined) throw notAllowed("Paylink: this payment has no payment link.");
    const claim = await refundShopLink(this.paylink, {
      refid: kept.refid,
      amount: toDecimal(amount, kept.currency_code),
      note: "Refund of your order",
      idempotencyKey: key,
      by: this.options.refunds ?? "mail",
    });
    const before = Array.isArray(kept.refunds) ? kept.refunds : [];
    return { data: { ...kept, refunds: [...before, { refund: key, ...claim }] } };
  }

  /** Ends the link of a payment that was not paid. A paid one is refused: it has to be refunded, or the customer's money would be lost. */
  async cancelPayment({ data }: CancelPaymentInput): Promise<CancelPaymentOutput> {
    const kept = readData(data);
    if (kept !== null) await this.endLink(kept.refid);
    return { data: data ?? {} };
  }

  /** Medusa deletes the session when the cart changes. It is refused while money is on its way, so that the cart stays payable. */
  async deletePayment({ data }: DeletePaymentInput): Promise<DeletePaymentOutput> {
    const kept = readData(data);
    if (kept !== null && !(await hasRefunds(this.paylink, kept.refid))) await this.endLink(kept.refid);
    return { data: data ?? {} };
  }

  async retrievePayment({ data }: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    const kept = readData(data);
    const link = kept && (await fetchLink(this.paylink, kept.refid));
    return { data: { ...data, ...(link && { state: link.state, reason: link.reason }) } };
  }

  async getPaymentStatus({ data }: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    const kept = readData(data);
    if (kept === null) return { status: PaymentSessionStatus.PENDING };
    const asked = { id: kept.session_id, amount: kept.amount, currency: kept.currency_code };
    return { status: STATUS[await fetchDecision(this.paylink, kept.refid, asked)] };
  }

  /**
   * A webhook is only a reason to ask Paylink. So it does no harm twice, late, or in another order. Whatever is not a paid link of a
   * session is ignored.
   */
  async getWebhookActionAndData({
    rawData,
    headers,
  }: ProviderWebhookPayload["payload"]): Promise<WebhookActionResult> {
    const refid = this.readWebhook(rawData, headers);
    const link = refid === null ? null : await fetchLink(this.paylink, refid);
    const id = link === null ? null : shopIdOf(link);
    if (link === null || id === null) return IGNORED;
    const session = await this.findSession(id);
    if (session === null) {
      // Medusa made another session meanwhile. The money is booked in Paylink.
      if (link.state === "completed" || link.state === "overpaid")
        this.logger.error(
          `Paylink: the link ${link.refid} is paid, but its session ${id} was deleted. Refund it in Paylink's console.`,
        );
      return IGNORED;
    }
    const asked = askedOf(session);
    try {
      if (checkDecision(link, asked) !== "paid" || readData(session.data ?? {})?.refid !== link.refid)
        return IGNORED;
    } catch (error) {
      if (!(error instanceof LinkMismatch)) throw error;
      this.logger.error(`Paylink: ${error.message}`);
      return IGNORED;
    }
    return {
      action: PaymentActions.SUCCESSFUL,
      data: { session_id: id, amount: new BigNumber(asked.amount) },
    };
  }

  /** The link of a signed webhook. Null: the signature is wrong, or the event is about something else. */
  private readWebhook(rawData: unknown, headers: Record<string, unknown>): string | null {
    // A bus that stores events hands the buffer over as its JSON.
    const json = rawData as { readonly type?: unknown; readonly data?: readonly number[] };
    const body = json?.type === "Buffer" && json.data ? Buffer.from(json.data) : (rawData as string | Buffer);
    try {
      const { type, data } = verifyWebhook(
        this.options.webhookSecret,
        body,
        headers as Record<string, string>,
      );
      return type.startsWith("payment_link_") && "refid" in data ? String(data.refid) : null;
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      this.logger.warn(`Paylink: a webhook was ignored: ${error.message}`);
      return null;
    }
  }

  private findSession(id: string): Promise<Session | null> {
    const query = this.getQuery();
    if (query === null) throw new MedusaError(MedusaError.Types.INVALID_DATA, NO_QUERY);
    return findSession(query, id);
  }

  /** Null: medusa-config does not declare it. Medusa's container then throws, and its `in` says nothing. */
  private getQuery(): RemoteQueryFunction | null {
    try {
      return this.dependencies.query ?? null;
    } catch {
      return null;
    }
  }

  private async makeLink(sessionId: string, asked: { amount: string; currency: string }): Promise<LinkData> {
    const session = await this.findSession(sessionId);
    const customer = session && customerOf(session);
    if (!customer)
      throw notAllowed(
        "Paylink needs the customer's e-mail address. Set the e-mail address of the cart first.",
      );
    const fill = (url: string) =>
      url
        .replaceAll("{session_id}", encodeURIComponent(sessionId))
        .replaceAll("{cart_id}", encodeURIComponent(session.payment_collection?.cart?.id ?? ""));
    const { refid, url } = await createShopLink(this.paylink, {
      id: sessionId,
      ...asked,
      customer,
      successUrl: fill(this.options.successUrl),
      cancelUrl: fill(this.options.cancelUrl),
      idempotencyKey: `${sessionId}-${asked.amount}-${asked.currency}`,
    });
    return {
      session_id: sessionId,
      refid,
      payment_link: url,
      amount: asked.amount,
      currency_code: asked.currency,
    };
  }

  private async endLink(refid: string): Promise<void> {
    if ((await cancelShopLink(this.paylink, refid)) === "canceled") return;
    const link = await fetchLink(this.paylink, refid);
    // An underpaid link has ended, and nothing completes it unless the merchant accepts a late payment.
    if (link?.state !== "failed")
      throw notAllowed(
        "Paylink: the payment of this session was begun or is complete. It can only be refunded.",
      );
  }
}
