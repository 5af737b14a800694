import { Inject } from "@nestjs/common";
import { Mutation, Resolver } from "@nestjs/graphql";
import {
  ActiveOrderService,
  Allow,
  Ctx,
  Permission,
  type RequestContext,
  Transaction,
  UserInputError,
} from "@vendure/core";
import { parse } from "graphql";
import { PaylinkService } from "./paylink.service.ts";

export const SHOP_SCHEMA = parse(`
  "A payment page for what is left to pay of an order."
  type PaylinkPage {
    refid: String!
    "Send the customer there."
    url: String!
  }
  extend type Mutation {
    "The payment page of the active order. It has the same page while the amount is the same."
    createPaylinkPayment: PaylinkPage!
  }
`);

@Resolver()
export class PaylinkResolver {
  private readonly paylink: PaylinkService;
  private readonly activeOrders: ActiveOrderService;

  constructor(
    @Inject(PaylinkService) paylink: PaylinkService,
    @Inject(ActiveOrderService) activeOrders: ActiveOrderService,
  ) {
    this.paylink = paylink;
    this.activeOrders = activeOrders;
  }

  @Mutation()
  @Transaction()
  @Allow(Permission.Owner)
  async createPaylinkPayment(@Ctx() ctx: RequestContext): Promise<{ refid: string; url: string }> {
    const order = await this.activeOrders.getActiveOrder(ctx, undefined);
    if (order === undefined) throw new UserInputError("There is no active order.");
    return this.paylink.openLink(ctx, order);
  }
}
