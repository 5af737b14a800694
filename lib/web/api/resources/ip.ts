import { z } from "@hono/zod-openapi";
import { countIpEntries, listIpEntryPage } from "#lib/domain/merchants/queries.ts";
import { endpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { timestamp } from "../fields/common.ts";
import { paged } from "../paging.ts";

const ipData = z
  .object({
    id: z.number().int(),
    merchant: z.string().openapi({ description: "The merchant's e-mail address." }),
    ip_name: z.string(),
    ip_address: z.string().openapi({
      description: "An IPv4 or IPv6 address or CIDR range.",
      example: "198.51.100.0/24",
    }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .openapi("WhitelistedIp");

/** Endpoint 22. */
export const listWhitelistedIpsEndpoint = endpoint(
  {
    method: "get",
    path: "/ip",
    operationId: "listWhitelistedIps",
    tag: "Customers and IPs",
    summary: "List the IP addresses from which live keys may be used, newest first",
    description: "An empty list allows every address. Test keys work from every address.",
    auth: ["read"],
    paged: "id",
    message: "whitelisted ips retrieved successfully",
    data: z.array(ipData),
    errors: [],
  },
  async ({ api, caller, page }) => {
    const { id, email } = caller.merchant;
    const { db } = api.database;
    const { data, meta } = await paged(page, {
      list: (range) => listIpEntryPage(db, id, range),
      count: () => countIpEntries(db, id),
      toJson: (row) => ({
        id: row.id,
        merchant: email,
        ip_name: row.name,
        ip_address: row.address,
        created_at: row.createdAt,
        updated_at: row.updatedAt,
      }),
    });
    return success(data, meta);
  },
);
