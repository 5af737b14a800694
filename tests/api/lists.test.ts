/** The rules of every list that is read in pages. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { addIp } from "#lib/domain/merchants/ip-entries.ts";
import { ENDPOINTS } from "#lib/web/api/endpoints.ts";
import { actOf } from "#tests/support/acts.ts";
import { startTestApi } from "#tests/support/api.ts";
import { listOperations, type Operation } from "#tests/support/operations.ts";
import { LAST_PAGE, refused } from "#tests/support/says.ts";
import { fillBooks } from "./fill-books.ts";

const api = await startTestApi();
const owner = await api.merchant();
const newcomer = await api.merchant();
let filled = 3;
for (let n = 1; n <= filled; n++) await fillBooks(api, owner, n);
// So that the live key may be used from here.
const here = { name: "here", address: "127.0.0.1" };
await api.database.db.transaction((tx) => addIp(actOf(tx, owner.id), here));

const PAGING = ["limit", "cursor", "count"];
const LIMIT = "limit must be between 1 and 500";
const CURSOR = "invalid cursor";
const REFUSED: readonly [query: string, message: string][] = [
  ...["0", "501", "-1", "1.5", "1e2", "ten"].map((limit): [string, string] => [`limit=${limit}`, LIMIT]),
  ...["abc", "0", "-1", "1'", "9".repeat(20)].map((cursor): [string, string] => [`cursor=${cursor}`, CURSOR]),
  ["limit=0&cursor=abc", LIMIT],
  ["count=2", "(count) must be 0 or 1"],
];
const lists = listOperations().flatMap((operation) => {
  const form = ENDPOINTS.find(({ operationId }) => operationId === operation.id)?.paged;
  return form === undefined ? [] : [{ operation, form }];
});

async function ask(
  { method, path, hasBody, fields, required }: Operation,
  query: string,
  by = owner,
  key = by.test,
) {
  const json = Object.fromEntries(required.map((name) => [name, fields.get(name)]));
  if ("email" in json) json.email = by.email;
  return api.send({ method, path: `${path}?${query}`, key, ...(hasBody && { json }) });
}
/** The rows of a page, and its meta. */
async function read(...asked: Parameters<typeof ask>) {
  const { status, body, text } = await ask(...asked);
  assert.equal(status, 200, text);
  const { data, meta } = body as { data: unknown; meta: { has_more: boolean; next_cursor: string | null } };
  const rows = Array.isArray(data) ? data : (data as { history: unknown[] }).history;
  return { rows, meta };
}

test("the lists of the document are here", () => {
  assert.ok(lists.length >= 10, String(lists.length));
});

for (const { operation, form } of lists) {
  const { id, queryNames } = operation;

  test(`${id} has nothing of another merchant or environment, and treats empty parameters as absent`, async () => {
    const empty = { rows: [], meta: LAST_PAGE };
    for (const query of ["", "limit=&cursor=&count="])
      assert.deepEqual(await read(operation, query, newcomer), empty);
    const counted = { rows: [], meta: { ...LAST_PAGE, total: 0 } };
    assert.deepEqual(await read(operation, "limit=500&count=1", newcomer), counted);
    // The IP list is the same in both environments.
    if (id !== "listWhitelistedIps") assert.deepEqual(await read(operation, "", owner, owner.live), empty);
  });

  test(`${id} has a cursor at the end of each page but the last, and repeats and leaves out nothing`, async () => {
    const whole = await read(operation, "count=1");
    assert.ok(whole.rows.length >= 3);
    const total = whole.rows.length;
    assert.deepEqual(whole.meta, { ...LAST_PAGE, total });
    for (const query of ["limit=&cursor=&count=", "limit=500"])
      assert.deepEqual(await read(operation, query), { rows: whole.rows, meta: LAST_PAGE });
    // New rows are newer than the cursor.
    const first = await read(operation, "limit=1&count=1");
    assert.deepEqual(first.meta, { ...first.meta, has_more: true, total });
    filled += 1;
    await fillBooks(api, owner, filled);
    for (const limit of [1, 2, 3]) {
      const seen = [...first.rows];
      for (let cursor = first.meta.next_cursor; cursor !== null; ) {
        const { rows, meta } = await read(operation, `limit=${limit}&cursor=${cursor}`);
        seen.push(...rows);
        const isLast = seen.length === whole.rows.length;
        assert.ok(rows.length === limit || isLast);
        assert.equal(meta.has_more, !isLast);
        cursor = meta.next_cursor;
      }
      assert.deepEqual(seen, whole.rows);
    }
  });

  test(`${id} refuses wrong paging parameters, before other parameters`, async () => {
    const cursors = form === "id" ? ["12-34"] : ["12", "12-", "0-1"];
    for (const cursor of cursors) refused(await ask(operation, `cursor=${cursor}`), 400, CURSOR);
    for (const [query, message] of REFUSED) refused(await ask(operation, query), 400, message);
    for (const name of queryNames.filter((name) => !PAGING.includes(name)))
      refused(await ask(operation, `${name}=nothing&limit=0`), 400, LIMIT);
  });
}
