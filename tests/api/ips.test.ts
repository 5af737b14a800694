import assert from "node:assert/strict";
import { after, test } from "node:test";
import { addIp } from "#lib/merchants/manage-ips.ts";
import { startApi, type TestAnswer } from "#tests/support/api.ts";

const AT = new Date("2026-03-01T12:00:00.250Z");
const api = await startApi();
after(() => api.close());
const merchant = await api.merchant();
const key = { "x-staging-api-key": merchant.test };
const EMPTY = {
  status: "success",
  message: "whitelisted ips retrieved successfully",
  data: [],
  meta: { has_more: false, next_cursor: null },
};
const list = (query = "", headers: Record<string, string> = key) =>
  api.send({ path: `/ip${query}`, headers });
const says = (answer: TestAnswer, status: number, body: unknown) =>
  assert.deepEqual({ status: answer.status, body: answer.body }, { status, body });
async function add(name: string, address: string): Promise<number> {
  const added = await api.database.db.transaction((tx) => addIp(tx, merchant.email, { name, address }, AT));
  if (!added.ok) throw new Error(added.reason);
  return added.id;
}

test("an empty list", async () => says(await list(), 200, EMPTY));

test("each entry whole, newest first, for both environments", async () => {
  const office = await add("office", "198.51.100.0/24");
  const here = await add("here", "127.0.0.1");
  const common = { merchant: merchant.email, created_at: AT.toISOString(), updated_at: AT.toISOString() };
  const data = [
    { id: here, ip_name: "here", ip_address: "127.0.0.1", ...common },
    { id: office, ip_name: "office", ip_address: "198.51.100.0/24", ...common },
  ];
  says(await list(), 200, { ...EMPTY, data });
  says(await list("", { "x-api-key": merchant.live }), 200, { ...EMPTY, data });
  says(await list("?limit=1&count=1"), 200, {
    ...EMPTY,
    data: data.slice(0, 1),
    meta: { has_more: true, next_cursor: String(here), total: 2 },
  });
  says(await list(`?cursor=${here}`), 200, { ...EMPTY, data: data.slice(1) });
});

test("another merchant's are not there, and what it cannot read it refuses", async () => {
  const stranger = await api.merchant();
  says(await list("", { "x-staging-api-key": stranger.test }), 200, EMPTY);
  says(await list("?limit=x"), 400, { status: "fail", message: "limit must be between 1 and 500" });
  says(await list("", {}), 401, { status: "fail", message: "invalid api key" });
});
