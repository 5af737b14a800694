import { createPaylinkClient, type PaylinkClient } from "@paylink/client";
import {
  cancelShopLink,
  compareDecimals,
  createShopLink,
  decisionOf,
  fetchLink,
  type LinkSummary,
  listLinksFor,
  listPaidLinks,
  shopIdOf,
} from "@paylink/shop";
import { DEFAULT_CHANNEL_CODE } from "@vendure/common/lib/shared-constants";
import {
  type ConfigService,
  isGraphQlErrorResult,
  Logger,
  Order,
  type OrderService,
  type OrderState,
  Payment,
  type PaymentMethodService,
  type RequestContext,
  type RequestContextService,
  type TransactionalConnection,
  UserInputError,
} from "@vendure/core";
import { toDecimal } from "./money.ts";
import { HANDLER_CODE, LOG_CONTEXT, type PaylinkPluginOptions } from "./options.ts";

/** The services of Vendure that the plugin uses. */
export interface PaylinkServices {
  readonly connection: TransactionalConnection;
  readonly config: ConfigService;
  readonly orders: OrderService;
  readonly methods: PaymentMethodService;
  readonly contexts: RequestContextService;
}

/** The longest that Paylink may take for an answer: the order is locked meanwhile. */
const ANSWER_MS = 15_000;
/** States in which a customer can still pay. */
const UNPAID: readonly OrderState[] = ["AddingItems", "ArrangingPayment"];

/** Makes payment links for orders, and records paid links as payments. Paylink keeps the links: Vendure stores only what is paid. */
export class PaylinkService {
  readonly options: PaylinkPluginOptions;
  readonly paylink: PaylinkClient;
  private readonly services: PaylinkServices;

  constructor(services: PaylinkServices, options: PaylinkPluginOptions) {
    this.services = services;
    this.options = options;
    this.paylink = createPaylinkClient({
      ...options,
      fetch: (request) => fetch(request, { signal: AbortSignal.timeout(ANSWER_MS) }),
    });
  }

  get precision(): number {
    return this.services.config.entityOptions.moneyStrategy.precision ?? 2;
  }

  /**
   * Returns the payment page for what is left to pay of an order: the link that the order has, if it asks for that amount, else a new one.
   * A link for another amount is ended before. Throws UserInputError if it is paid or being paid.
   */
  async openLink(ctx: RequestContext, { id }: Pick<Order, "id">): Promise<{ refid: string; url: string }> {
    const { orders } = this.services;
    // A settlement or cancellation of the order waits, and then finds the new link to end it.
    await this.lockOrder(ctx, { id });
    const order = await orders.findOne(ctx, id);
    if (order === undefined) throw new UserInputError("There is no such order.");
    if (!(await this.findMethodCode(ctx)))
      throw new UserInputError("There is no payment method with the Paylink handler.");
    if (order.state !== "ArrangingPayment") {
      const moved = await orders.transitionToState(ctx, order.id, "ArrangingPayment");
      if (isGraphQlErrorResult(moved)) throw new UserInputError(moved.transitionError);
    }
    const payments = await orders.getOrderPayments(ctx, order.id);
    const covered = payments.filter(({ state }) => state === "Authorized" || state === "Settled");
    const left = order.totalWithTax - covered.reduce((sum, { amount }) => sum + amount, 0);
    if (left <= 0) throw new UserInputError("Nothing is left to pay for this order.");
    const amount = toDecimal(left, order.currencyCode, this.precision);
    const recorded = new Set(payments.map(({ transactionId }) => transactionId));
    for await (const link of listLinksFor(this.paylink, order.code)) {
      const decision = decisionOf(link);
      if (decision === "ended" || recorded.has(link.refid)) continue;
      if (decision === "waiting" && this.asksFor(link, { amount, currency: order.currencyCode }))
        return { refid: link.refid, url: link.payment_link };
      if (decision === "paid" || (await cancelShopLink(this.paylink, link.refid)) === "money")
        throw new UserInputError(
          "A payment of this order was begun or is complete. Wait until it is recorded.",
        );
    }
    return this.makeLink(order, amount);
  }

  private asksFor(link: LinkSummary, { amount, currency }: { amount: string; currency: string }): boolean {
    return (
      link.amount_currency === currency.toLowerCase() && compareDecimals(link.amount_required, amount) === 0
    );
  }

  private async makeLink(order: Order, amount: string): Promise<{ refid: string; url: string }> {
    const { customer, billingAddress, shippingAddress } = order;
    if (!customer?.emailAddress) throw new UserInputError("Set the customer of the order first.");
    const fullName = billingAddress?.fullName || shippingAddress?.fullName || "Customer";
    const fill = (url: string) => url.replaceAll("{order}", encodeURIComponent(order.code));
    return createShopLink(this.paylink, {
      id: order.code,
      amount,
      currency: order.currencyCode,
      customer: {
        email: customer.emailAddress,
        first_name: customer.firstName || fullName,
        last_name: customer.lastName || "-",
      },
      successUrl: fill(this.options.successUrl),
      cancelUrl: fill(this.options.cancelUrl),
      idempotencyKey: crypto.randomUUID(),
    });
  }

  /** Ends the links of an order that nobody needs any more. Money that is on its way stays, and is recorded when it is final. */
  async endLinks(orderCode: string): Promise<void> {
    for await (const link of listLinksFor(this.paylink, orderCode))
      if (decisionOf(link) === "waiting") await cancelShopLink(this.paylink, link.refid);
  }

  /**
   * Records a link as a payment of its order, if Paylink says that it is paid. Recording it again changes nothing. Throws if it should be
   * tried again.
   */
  async record(refid: string): Promise<void> {
    const link = await fetchLink(this.paylink, refid);
    if (link === null || decisionOf(link) !== "paid") return;
    const order = await this.findOrder(shopIdOf(link));
    if (order === null) return;
    const { connection, contexts, orders } = this.services;
    const channel = order.channels.find(({ code }) => code !== DEFAULT_CHANNEL_CODE) ?? order.channels[0];
    const ctx = await contexts.create({
      apiType: "admin",
      ...(channel && { channelOrToken: channel.token }),
    });
    await connection.withTransaction(ctx, async (inside) => {
      await this.lockOrder(inside, order);
      if (await this.isRecorded(inside, refid)) return;
      const { state } = await connection.getEntityOrThrow(inside, Order, order.id);
      if (!UNPAID.includes(state) && state !== "ArrangingAdditionalPayment") {
        Logger.error(
          `The order ${order.code} is ${state}, and its link ${refid} is paid. Refund it in Paylink's console.`,
          LOG_CONTEXT,
        );
        return;
      }
      if (state === "AddingItems") {
        const moved = await orders.transitionToState(inside, order.id, "ArrangingPayment");
        if (isGraphQlErrorResult(moved)) throw new Error(`${order.code}: ${moved.transitionError}`);
      }
      const method = await this.findMethodCode(inside);
      if (method === null) throw new Error("There is no payment method with the Paylink handler.");
      const added = await orders.addPaymentToOrder(inside, order.id, { method, metadata: { refid } });
      if (isGraphQlErrorResult(added)) throw new Error(`${order.code}: ${added.message}`);
    });
  }

  /** Records the paid links that were made since a time and of which Vendure has no payment. */
  async reconcile(since: Date): Promise<number> {
    let found = 0;
    for await (const { refid } of listPaidLinks(this.paylink, since)) {
      if (
        await this.services.connection.rawConnection.getRepository(Payment).existsBy({ transactionId: refid })
      )
        continue;
      try {
        await this.record(refid);
        found++;
      } catch (error) {
        // One order must not hold up the others.
        Logger.error(
          `The paid link ${refid} could not be recorded: ${error instanceof Error ? error.message : error}`,
          LOG_CONTEXT,
        );
      }
    }
    return found;
  }

  /** Locks the order's row until the transaction ends, so that a link is recorded once, also if several try at the same time. SQLite has one writer and no row locks. */
  async lockOrder(ctx: RequestContext, { id }: Pick<Order, "id">): Promise<void> {
    const { connection } = this.services;
    if (/sqlite|sqljs/.test(connection.rawConnection.options.type)) return;
    await connection.getRepository(ctx, Order).findOne({
      where: { id },
      lock: { mode: "pessimistic_write" },
      loadEagerRelations: false,
      select: { id: true },
    });
  }

  isRecorded(ctx: RequestContext, refid: string): Promise<boolean> {
    return this.services.connection.getRepository(ctx, Payment).existsBy({ transactionId: refid });
  }

  private async findOrder(code: string | null): Promise<Order | null> {
    if (code === null) return null;
    return this.services.connection.rawConnection
      .getRepository(Order)
      .findOne({ where: { code }, relations: { channels: true } });
  }

  private async findMethodCode(ctx: RequestContext): Promise<string | null> {
    const { items } = await this.services.methods.findAll(ctx);
    return items.find(({ enabled, handler }) => enabled && handler.code === HANDLER_CODE)?.code ?? null;
  }
}
