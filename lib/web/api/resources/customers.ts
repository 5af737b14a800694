import { z } from "@hono/zod-openapi";
import { listCustomers, totalCustomers } from "#lib/domain/merchants/list-customers.ts";
import { listingEndpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { integerEnum } from "../field-reader.ts";
import { cutPage } from "../paging.ts";

const flag = (description: string) => integerEnum(0, 1).openapi({ description });

const customerData = z
  .object({
    id: z.number().int(),
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    phone_number: z.string().nullable(),
    blacklisted: flag("1: the operator marked the customer as unwanted. Nothing is refused because of it."),
    verified: flag("1: the operator has verified who the customer is."),
    created_at: z.string().openapi({ format: "date-time" }),
  })
  .openapi("Customer");

/** Endpoint 21. */
const list = listingEndpoint(
  {
    method: "get",
    path: "/customers",
    operationId: "listCustomers",
    tag: "Customers and IPs",
    summary: "List the merchant's customers, newest first",
    description:
      "Everybody whom a payment link or a wallet was made for, once per e-mail address and environment.",
    scopes: ["read"],
    data: z.array(customerData),
    errors: [],
  },
  async ({ api, caller, page }) => {
    const { env, merchant } = caller;
    const { db } = api.database;
    const found = await listCustomers(db, env, merchant.id, { before: page.before, limit: page.limit + 1 });
    const total = page.counted ? await totalCustomers(db, env, merchant.id) : null;
    const { rows, meta } = cutPage(found, page, total);
    const data = rows.map((row) => ({
      id: row.id,
      email: row.email,
      first_name: row.firstName,
      last_name: row.lastName,
      phone_number: row.phone,
      blacklisted: Number(row.blacklisted),
      verified: Number(row.verified),
      created_at: row.createdAt,
    }));
    return success("customers retrieved successfully", data, meta);
  },
);

export const customerEndpoints = [list];
