import { z } from "@hono/zod-openapi";
import { pageOfIps, totalIps } from "#lib/domain/merchants/manage-ips.ts";
import { listingEndpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { cutPage } from "../paging.ts";

const moment = z.string().openapi({ format: "date-time" });

const ipData = z
  .object({
    id: z.number().int(),
    merchant: z.string().openapi({ description: "The merchant's e-mail address." }),
    ip_name: z.string(),
    ip_address: z.string().openapi({
      description: "An address or a CIDR range, IPv4 or IPv6.",
      example: "198.51.100.0/24",
    }),
    created_at: moment,
    updated_at: moment,
  })
  .openapi("WhitelistedIp");

/** Endpoint 22. */
const list = listingEndpoint(
  {
    method: "get",
    path: "/ip",
    operationId: "listWhitelistedIps",
    tag: "Customers and IPs",
    summary: "List the addresses that live keys may be used from, newest first",
    description: "An empty list lets everybody in. Test keys work from anywhere.",
    scopes: ["read"],
    data: z.array(ipData),
    errors: [],
  },
  async ({ api, caller, page }) => {
    const { id, email } = caller.merchant;
    const { db } = api.database;
    const found = await pageOfIps(db, id, { before: page.before, limit: page.limit + 1 });
    const total = page.counted ? await totalIps(db, id) : null;
    const { rows, meta } = cutPage(found, page, total);
    const data = rows.map((row) => ({
      id: row.id,
      merchant: email,
      ip_name: row.name,
      ip_address: row.address,
      created_at: row.createdAt,
      updated_at: row.updatedAt,
    }));
    return success("whitelisted ips retrieved successfully", data, meta);
  },
);

export const ipEndpoints = [list];
