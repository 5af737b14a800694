/** The Postman collection: each of its requests is one that the API knows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ENDPOINTS } from "#lib/web/api/endpoints.ts";
import { startTestApi } from "#tests/support/api.ts";

interface Item {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly header: readonly { key: string; value: string; disabled?: true }[];
    readonly url: {
      readonly path: readonly string[];
      readonly query: readonly { key: string; value: string; disabled?: true }[];
      readonly variable: readonly { key: string; value: string }[];
    };
    readonly body?: { readonly raw: string };
    readonly auth?: { readonly type: string };
  };
}

const api = await startTestApi();
const { key } = await api.merchant().then(({ test }) => ({ key: test }));

async function readCollection() {
  const response = await fetch(`${api.origin}/v1/postman.json`);
  assert.equal(response.status, 200);
  return (await response.json()) as {
    readonly info: { readonly schema: string };
    readonly auth: { readonly apikey: readonly { key: string; value: string }[] };
    readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[];
  };
}

/** Sends a request of the collection as Postman does. */
async function send({ request: { method, header, url, body, auth } }: Item): Promise<Response> {
  const path = url.path.map((part) => {
    const variable = url.variable.find((one) => `:${one.key}` === part);
    return variable === undefined ? part : encodeURIComponent(variable.value);
  });
  const query = new URLSearchParams(
    url.query.filter((one) => !one.disabled).map((one) => [one.key, one.value]),
  );
  const sent = header.filter((one) => !one.disabled).map((one) => [one.key, one.value]);
  return fetch(`${api.origin}/v1/${path.join("/")}?${query}`, {
    method,
    headers: { ...Object.fromEntries(sent), ...(auth?.type !== "noauth" && { "x-staging-api-key": key }) },
    ...(body && { body: body.raw }),
  });
}

test("has every call once, in folders, with the test key", async () => {
  const { info, auth, item } = await readCollection();
  assert.match(info.schema, /v2\.1\.0\/collection\.json$/);
  assert.deepEqual(
    auth.apikey.map(({ value }) => value),
    ["x-staging-api-key", "{{test_key}}", "header"],
  );
  const calls = item.flatMap((folder) =>
    folder.item.map(({ request }) => `${request.method} /${request.url.path.join("/")}`),
  );
  assert.deepEqual(
    calls.toSorted(),
    ENDPOINTS.map(({ method, path }) => `${method.toUpperCase()} ${path}`).toSorted(),
  );
});

test("every request is one that the API understands", async () => {
  const { item } = await readCollection();
  for (const one of item.flatMap((folder) => folder.item)) {
    const response = await send(one);
    const { message } = (await response.json()) as { message: string };
    const label = `${one.name}: ${response.status} ${message}`;
    // The records of the examples do not exist here. Malformed requests would be 400, unknown paths "not found".
    assert.ok(![405, 413, 415].includes(response.status), label);
    assert.notEqual(message, "internal error", label);
    if (response.status === 400)
      assert.doesNotMatch(message, /not found in|must be|malformed|JSON|invalid/, label);
    assert.notEqual(message, "not found", label);
  }
});
