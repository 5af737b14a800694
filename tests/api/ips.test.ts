import { after, test } from "node:test";
import type { RequestQuery } from "#lib/client/client.ts";
import { addIpEntry } from "#lib/domain/merchants/ip-entries.ts";
import { startApi } from "#tests/support/api.ts";
import { refused, says } from "#tests/support/says.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const api = await startApi();
after(() => api.close());
const merchant = await api.merchant();
const EMPTY = {
  status: "success",
  message: "whitelisted ips retrieved successfully",
  data: [],
  meta: { has_more: false, next_cursor: null },
};
const list = (query: RequestQuery<"/ip"> = {}, key = merchant.test) =>
  api.client(key).GET("/ip", { params: { query } });
async function add(name: string, address: string): Promise<number> {
  const added = await api.database.db.transaction((tx) =>
    addIpEntry(tx, merchant.email, { name, address }, AT),
  );
  if (!added.ok) throw new Error(added.reason);
  return added.id;
}

test("the list is empty at first", async () => says(await list(), 200, EMPTY));

test("lists every entry complete, newest first, in both environments", async () => {
  const office = await add("office", "198.51.100.0/24");
  const here = await add("here", "127.0.0.1");
  const common = { merchant: merchant.email, created_at: AT.toISOString(), updated_at: AT.toISOString() };
  const data = [
    { id: here, ip_name: "here", ip_address: "127.0.0.1", ...common },
    { id: office, ip_name: "office", ip_address: "198.51.100.0/24", ...common },
  ];
  says(await list(), 200, { ...EMPTY, data });
  says(await list({}, merchant.live), 200, { ...EMPTY, data });
  says(await list({ limit: 1, count: "1" }), 200, {
    ...EMPTY,
    data: data.slice(0, 1),
    meta: { has_more: true, next_cursor: String(here), total: 2 },
  });
  says(await list({ cursor: String(here) }), 200, { ...EMPTY, data: data.slice(1) });
});

test("does not list entries of another merchant, and refuses malformed paging parameters", async () => {
  const otherMerchant = await api.merchant();
  says(await list({}, otherMerchant.test), 200, EMPTY);
  const headers = { "x-staging-api-key": merchant.test };
  refused(await api.send({ path: "/ip?limit=x", headers }), 400, "limit must be between 1 and 500");
  refused(await api.send({ path: "/ip" }), 401, "invalid api key");
});
