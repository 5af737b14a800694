import { z } from "@hono/zod-openapi";
import { countCustomers, listCustomers } from "#lib/domain/merchants/queries.ts";
import { endpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { flag, timestamp } from "../fields/common.ts";
import { paged } from "../paging.ts";

const customerData = z
  .object({
    id: z.number().int(),
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    phone_number: z.string().nullable(),
    blacklisted: flag("1: the operator marked the customer as unwanted. The service does not act on it."),
    verified: flag("1: the operator has verified the customer's identity."),
    created_at: timestamp,
  })
  .openapi("Customer");

/** Endpoint 21. */
export const listCustomersEndpoint = endpoint(
  {
    method: "get",
    path: "/customers",
    operationId: "listCustomers",
    tag: "Customers and IPs",
    summary: "List the merchant's customers, newest first",
    description: "Every customer of a payment link or a wallet, once per e-mail address and environment.",
    auth: ["read"],
    action: "customers.view",
    paged: "id",
    message: "customers retrieved successfully",
    data: z.array(customerData),
    errors: [],
  },
  async ({ api, caller, page }) => {
    const { env, merchant } = caller;
    const { db } = api.database;
    const { data, meta } = await paged(page, {
      list: (range) => listCustomers(db, env, merchant.id, range),
      count: () => countCustomers(db, env, merchant.id),
      toJson: (row) => ({
        id: row.id,
        email: row.email,
        first_name: row.firstName,
        last_name: row.lastName,
        phone_number: row.phone,
        blacklisted: Number(row.blacklisted),
        verified: Number(row.verified),
        created_at: row.createdAt,
      }),
    });
    return success(data, meta);
  },
);
