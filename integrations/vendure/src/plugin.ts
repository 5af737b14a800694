import { Inject, type OnApplicationBootstrap } from "@nestjs/common";
import { ModuleRef } from "@nestjs/core";
import {
  ConfigService,
  EventBus,
  Logger,
  OrderService,
  OrderStateTransitionEvent,
  PaymentMethodService,
  PluginCommonModule,
  RequestContextService,
  type RuntimeVendureConfig,
  TransactionalConnection,
  type Type,
  VendurePlugin,
} from "@vendure/core";
import { paylinkPaymentHandler } from "./handler.ts";
import { checkOptions, LOG_CONTEXT, type PaylinkPluginOptions, WEBHOOK_PATH } from "./options.ts";
import { PaylinkService } from "./paylink.service.ts";
import { reconcileTask } from "./reconcile.ts";
import { PaylinkResolver, SHOP_SCHEMA } from "./resolver.ts";
import { receiveWebhooks } from "./webhook.ts";

let options: PaylinkPluginOptions | null = null;
let service: PaylinkService | null = null;

function getOptions(): PaylinkPluginOptions {
  if (options === null) throw new Error("Call PaylinkPlugin.init in the list of plugins.");
  return options;
}

type Injected = [
  TransactionalConnection,
  ConfigService,
  OrderService,
  PaymentMethodService,
  RequestContextService,
];

function makeService([connection, config, orders, methods, contexts]: Injected): PaylinkService {
  return new PaylinkService({ connection, config, orders, methods, contexts }, getOptions());
}

const receiver = receiveWebhooks(() => ({
  secret: getOptions().webhookSecret,
  receive: async (refid) => {
    if (service === null) throw new Error("Vendure has not started yet.");
    await service.record(refid);
  },
}));

/** Order states in which the order's links can still be needed. */
const OPEN = new Set<string>([
  "Created",
  "Draft",
  "AddingItems",
  "ArrangingPayment",
  "ArrangingAdditionalPayment",
  "Modifying",
]);

type RefundProcess = NonNullable<RuntimeVendureConfig["paymentOptions"]["refundProcess"]>[number];

/** A refund is pending until the customer has entered an address and was paid: Vendure lets a new refund be settled or failed only. */
const CLAIMED: RefundProcess = {
  transitions: { Pending: { to: ["Pending"], mergeStrategy: "merge" } },
};

/** Cryptocurrency payments with Paylink: payment method, webhook, and a task that finds lost webhooks. */
@VendurePlugin({
  imports: [PluginCommonModule],
  compatibility: "^3.3.0",
  providers: [
    {
      provide: PaylinkService,
      inject: [
        TransactionalConnection,
        ConfigService,
        OrderService,
        PaymentMethodService,
        RequestContextService,
      ],
      useFactory: (...given: unknown[]) => makeService(given as Injected),
    },
  ],
  shopApiExtensions: { schema: SHOP_SCHEMA, resolvers: [PaylinkResolver] },
  configuration: (config) => {
    const { webhookPath: route = WEBHOOK_PATH } = getOptions();
    config.apiOptions.middleware.push({ route, handler: receiver, beforeListen: true });
    config.paymentOptions.paymentMethodHandlers.push(paylinkPaymentHandler);
    config.paymentOptions.refundProcess = [...(config.paymentOptions.refundProcess ?? []), CLAIMED];
    config.schedulerOptions.tasks.push(reconcileTask);
    return config;
  },
})
export class PaylinkPlugin implements OnApplicationBootstrap {
  private readonly modules: ModuleRef;

  constructor(@Inject(ModuleRef) modules: ModuleRef) {
    this.modules = modules;
  }

  static init(given: PaylinkPluginOptions): Type<PaylinkPlugin> {
    options = checkOptions(given);
    return PaylinkPlugin;
  }

  onApplicationBootstrap(): void {
    const paylink = this.modules.get(PaylinkService);
    service = paylink;
    this.modules
      .get(EventBus, { strict: false })
      .ofType(OrderStateTransitionEvent)
      .subscribe(({ toState, order }) => {
        if (OPEN.has(toState)) return;
        paylink.endLinks(order.code).catch((error: unknown) => {
          Logger.warn(`The links of the order ${order.code} could not be ended: ${error}`, LOG_CONTEXT);
        });
      });
  }
}
