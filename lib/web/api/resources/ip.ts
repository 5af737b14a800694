import { z } from "@hono/zod-openapi";
import { addIp, removeIp } from "#lib/domain/merchants/ip-entries.ts";
import { countIpEntries, listIpEntryPage } from "#lib/domain/merchants/queries.ts";
import { endpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { noData, readRowId, timestamp } from "../fields/common.ts";
import { paged } from "../paging.ts";
import { authorityOf, perform } from "../perform.ts";

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
    auth: ["read", "settings"],
    action: "developers.view",
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

export const addWhitelistedIpEndpoint = endpoint(
  {
    method: "post",
    path: "/ip",
    operationId: "addWhitelistedIp",
    tag: "Customers and IPs",
    summary: "Allow live keys from another address",
    description: "Only while the list has an entry: the first one is made in the console or by the operator.",
    ...authorityOf("ip.add"),
    body: () =>
      z.object({
        ip_name: z.string().openapi({ description: "1 to 100 characters.", example: "Office" }),
        ip_address: z
          .string()
          .openapi({ description: "An IPv4 or IPv6 address or CIDR range.", example: "198.51.100.0/24" }),
      }),
    message: "whitelisted ip added successfully",
    data: z.object({ id: z.number().int() }).openapi("AddedWhitelistedIp"),
    errors: ["not_a_string", "invalid_address", "ip_name_malformed", "too_many_ips"],
  },
  async ({ input, ...call }) => {
    const added = await perform(addIp, call, { name: input.ip_name, address: input.ip_address }, {});
    return added.ok ? success({ id: added.id }) : added;
  },
);

export const removeWhitelistedIpEndpoint = endpoint(
  {
    method: "delete",
    path: "/ip/:id",
    operationId: "removeWhitelistedIp",
    tag: "Customers and IPs",
    summary: "Remove an address from the list",
    description: "Not the entry that this request needs, and so never the last one.",
    ...authorityOf("ip.remove"),
    notFound: "entry_not_found",
    message: "whitelisted ip removed successfully",
    data: noData,
    errors: ["entry_not_found", "would_lock_out"],
  },
  async ({ path, ...call }) => {
    const removed = await perform(removeIp, call, { id: readRowId(path.id) }, {});
    return removed.ok ? success(null) : removed;
  },
);
