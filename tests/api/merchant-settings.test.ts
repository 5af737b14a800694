/** Changes by a merchant's programs: webhook endpoints, keys, the IP list and the settings. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { createKey } from "#lib/domain/merchants/create-key.ts";
import { addIp } from "#lib/domain/merchants/ip-entries.ts";
import type { RequestBody } from "#packages/client/src/client.ts";
import { actOf } from "#tests/support/acts.ts";
import { startTestApi, type TestMerchant } from "#tests/support/api.ts";
import { refused, successOf } from "#tests/support/says.ts";
import { startReceiver } from "#tests/unit/domain/webhooks/receiver.ts";

const api = await startTestApi();
const [shop, rival] = [await api.merchant("Shop"), await api.merchant("Rival")];

type Client = ReturnType<typeof api.client>;
/** Every call of this test, as the typed client makes it. */
const calls = (client: Client) => ({
  endpoints: () => client.GET("/webhook-endpoints"),
  addEndpoint: (body: RequestBody<"/webhook-endpoints">) => client.POST("/webhook-endpoints", { body }),
  changeEndpoint: (id: number, body: object) =>
    client.PATCH("/webhook-endpoints/{id}", { params: { path: { id: String(id) } }, body }),
  dropEndpoint: (id: number) =>
    client.DELETE("/webhook-endpoints/{id}", { params: { path: { id: String(id) } } }),
  rotate: (id: number) =>
    client.POST("/webhook-endpoints/{id}/rotate-secret", { params: { path: { id: String(id) } } }),
  test: (id: number) => client.POST("/webhook-endpoints/{id}/test", { params: { path: { id: String(id) } } }),
  keys: () => client.GET("/keys"),
  addKey: (body: RequestBody<"/keys">) => client.POST("/keys", { body }),
  dropKey: (id: number) => client.DELETE("/keys/{id}", { params: { path: { id: String(id) } } }),
  addIp: (body: RequestBody<"/ip">) => client.POST("/ip", { body }),
  dropIp: (id: number) => client.DELETE("/ip/{id}", { params: { path: { id: String(id) } } }),
  merchant: () => client.GET("/merchant"),
  change: (body: object) => client.PATCH("/merchant", { body }),
  setLogo: (logo: string) => client.POST("/merchant/logo", { body: { logo } }),
  dropLogo: () => client.DELETE("/merchant/logo"),
  members: () => client.GET("/members"),
});
const as = (key: string) => calls(api.client(key));

const allow = (merchant: TestMerchant, address: string) =>
  api.database.db.transaction((tx) => addIp(actOf(tx, merchant.id), { name: "here", address }));

async function audited(): Promise<string[]> {
  const { rows } = await api.database.database.pool.query(
    "select action, ip from audit_log where actor like 'key:%' and merchant_id = $1 order by id",
    [shop.id],
  );
  assert.ok(rows.every(({ ip }) => ip === "127.0.0.1"));
  return rows.map(({ action }) => action);
}

test("an endpoint is added, tested, changed, given another secret and removed, each once in the audit log", async (t) => {
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  const before = await audited();
  const { url } = receiver;
  const own = as(shop.test);
  const added = successOf(await own.addEndpoint({ url, events: ["deposit_credited"] })).data;
  assert.match(added.webhook_secret, /^whsec_/);
  const tested = successOf(await own.test(added.id)).data;
  assert.deepEqual([tested.accepted, tested.http_status], [1, 200]);
  assert.match(receiver.received[0]?.id ?? "", /^test_/);
  const changed = successOf(await own.changeEndpoint(added.id, { events: [], enabled: 0 })).data;
  assert.deepEqual([changed.events, changed.enabled], [null, 0]);
  const rotated = successOf(await own.rotate(added.id)).data;
  assert.notEqual(rotated.webhook_secret, added.webhook_secret);
  const listed = successOf(await own.endpoints()).data;
  assert.equal(JSON.stringify(listed).includes("whsec_"), false);
  const theirs = as(rival.test);
  for (const refusal of [
    await theirs.changeEndpoint(added.id, { enabled: 1 }),
    await theirs.dropEndpoint(added.id),
    await theirs.test(added.id),
    await theirs.rotate(added.id),
  ])
    refused(refusal, 404, "webhook endpoint not found");
  successOf(await own.dropEndpoint(added.id));
  refused(await own.dropEndpoint(added.id), 404, "webhook endpoint not found");
  assert.deepEqual((await audited()).slice(before.length), [
    "webhook.endpoint.add",
    "webhook.test",
    "webhook.endpoint.update",
    "webhook.endpoint.rotate",
    "webhook.endpoint.remove",
  ]);
});

test("bad input changes nothing, and says what is wrong", async () => {
  const before = await audited();
  const own = as(shop.test);
  const events = ["all"] as unknown as RequestBody<"/webhook-endpoints">["events"];
  const full = { scope: "full" } as unknown as RequestBody<"/keys">;
  const URL_RULE = "url must be an http or https url that the internet can reach, without a password";
  const SCOPES = "scope must be read, payment-links, withdrawals, webhooks or settings";
  const SHARED = "test keys cannot change what live and test share";
  refused(await own.addEndpoint({ url: "ftp://x.example" }), 400, URL_RULE);
  refused(
    await own.addEndpoint({ url: "https://x.example", events }),
    400,
    "events must be a list of event types",
  );
  refused(await own.changeEndpoint(1, {}), 400, "no field to change was given");
  refused(await own.addKey(full), 400, SCOPES);
  refused(await own.dropKey(999_999), 404, "key not found");
  refused(await own.change({ name: "X" }), 403, SHARED);
  refused(await own.addIp({ ip_name: "a", ip_address: "192.0.2.1" }), 403, SHARED);
  assert.deepEqual(await audited(), before);
});

test("a key makes narrower keys only, and revokes those and itself", async () => {
  const own = as(shop.test);
  const made = successOf(await own.addKey({ scope: "webhooks" })).data;
  const narrow = as(made.api_key);
  successOf(await narrow.endpoints());
  const denied = "api key not allowed for this operation";
  refused(await narrow.keys(), 403, denied);
  refused(await narrow.addKey({ scope: "read" }), 403, denied);
  const keys = successOf(await own.keys()).data;
  assert.equal(JSON.stringify(keys).includes(made.api_key), false);
  const theirs = as(rival.test);
  refused(await theirs.dropKey(made.id), 404, "key not found");
  const full = keys.find(({ scope }) => scope === "full");
  refused(await theirs.dropKey(full?.id ?? 0), 404, "key not found");
  const other = await api.database.db.transaction((tx) =>
    createKey(actOf(tx, shop.id), { scope: "full", expiresAt: null }),
  );
  assert.ok(other.ok);
  const onlyItself = "only the key itself and the console revoke a key with scope full";
  refused(await own.dropKey(other.key.id), 403, onlyItself);
  successOf(await as(other.apiKey).dropKey(other.key.id));
  successOf(await own.dropKey(made.id));
  refused(await narrow.endpoints(), 401, "invalid api key");
});

test("a live key changes settings only with an IP list, and cannot lock itself out", async () => {
  const own = as(shop.live);
  const office = { ip_name: "Office", ip_address: "198.51.100.0/24" };
  for (const refusal of [
    await own.change({ name: "Other" }),
    await own.addEndpoint({ url: "https://x.example" }),
    await own.addIp(office),
    await own.addKey({ scope: "read" }),
  ])
    refused(refusal, 403, "live keys do this only while the merchant has an ip list");
  await allow(shop, "127.0.0.1");
  const { id } = successOf(await own.addIp(office)).data;
  const wrong = { ip_name: "a", ip_address: "x" };
  refused(await own.addIp(wrong), 400, "ip_address must be an ip address or a cidr range");
  const { rows } = await api.database.database.pool.query(
    "select id from ip_entries where merchant_id = $1 and address = '127.0.0.1'",
    [shop.id],
  );
  const lockedOut = "without this entry the key could not be used from this address";
  refused(await own.dropIp(Number(rows[0].id)), 422, lockedOut);
  await allow(rival, "127.0.0.1");
  refused(await as(rival.live).dropIp(id), 404, "ip entry not found");
  successOf(await own.dropIp(id));
});

test("settings and logo are changed together with their rules; a refused field is named", async () => {
  const own = as(shop.live);
  const standard = { tolerance_under_bps: 50, tolerance_under_max: 1, tolerance_over_bps: 0 };
  assert.partialDeepStrictEqual(successOf(await own.merchant()).data, { ...standard, round_stablecoins: 1 });
  const chosen = { tolerance_under_bps: 75, tolerance_under_max: 20, round_stablecoins: 0 } as const;
  const given = { name: "Kaduna", accent: "#c81e1e", ...chosen, pairs: ["bep20/usdt"] };
  assert.partialDeepStrictEqual(successOf(await own.change(given)).data, given);
  for (const [field, value] of [
    ["accent", "red"],
    ["tolerance_under_bps", 10_000],
    ["pairs", ["bep20/none"]],
    ["allow_origins", ["https://x.example/path"]],
    ["fixed_rates", "usdt"],
  ] as const)
    refused(await own.change({ [field]: value }), 400, `(${field}) has a value that is not allowed`);
  const cleared = successOf(await own.change({ clear: ["accent", "pairs", "tolerance_under_max"] })).data;
  assert.deepEqual([cleared.accent, cleared.pairs.length, cleared.tolerance_under_max], [null, 3, null]);
  const unclear = "clear must be a list of fields that a merchant can be without";
  refused(await own.change({ clear: ["name"] }), 400, unclear);
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: "#0a6b43" } })
    .png()
    .toBuffer();
  const { logo } = successOf(await own.setLogo(picture.toString("base64"))).data;
  assert.match(logo ?? "", /^[0-9a-f]{64}$/);
  // The same picture, with a head that says 9000 x 9000.
  const bomb = Buffer.from(picture);
  bomb.writeUInt32BE(9_000, 16);
  bomb.writeUInt32BE(9_000, 20);
  bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
  for (const bad of [Buffer.from("<svg/>"), bomb]) {
    const message = "logo must be a png, jpeg or webp of 32 to 4096 pixels, in base64";
    refused(await own.setLogo(bad.toString("base64")), 400, message);
  }
  assert.equal(successOf(await own.dropLogo()).data.logo, null);
  assert.equal(successOf(await own.merchant()).data.logo, null);
  assert.deepEqual(successOf(await own.members()).data, []);
});
