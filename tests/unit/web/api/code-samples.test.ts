import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { writeSamples } from "#lib/web/api/code-samples.ts";
import { ENDPOINTS } from "#lib/web/api/endpoints.ts";
import { buildApiDocument } from "#lib/web/api/openapi.ts";

const request = {
  method: "POST",
  url: "https://pay.example.com/v1/payment-links",
  headers: { "x-staging-api-key": "KEY", "content-type": "application/json" },
  body: { name: 'Ada\'s "true" \\ `null`', done: true, none: null, list: [1] },
};
const sourceOf = (label: string, given: Parameters<typeof writeSamples>[0] = request) =>
  writeSamples(given).find((sample) => sample.label === label)?.source ?? "";

test("the curl sample sends the body unchanged, whatever quotes it has", () => {
  const script = `curl() { printf '%s\\0' "$@"; }; ${sourceOf("curl")}`;
  const given = execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0");
  assert.deepEqual(given.slice(0, 4), ["-X", "POST", request.url, "-H"]);
  assert.deepEqual(JSON.parse(given[given.indexOf("-d") + 1] ?? ""), request.body);
});

test("the JavaScript sample sends the request and prints the answer", async () => {
  const asked: unknown[] = [];
  const printed: unknown[] = [];
  const fetch = async (...given: unknown[]) => {
    asked.push(...given);
    return { json: async () => "answer" };
  };
  const run = new Function("fetch", "console", `return (async () => { ${sourceOf("JavaScript")} })()`);
  await run(fetch, { log: (text: unknown) => printed.push(text) });
  const { method, url, headers, body } = request;
  assert.deepEqual(asked, [url, { method, headers, body: JSON.stringify(body) }]);
  assert.deepEqual(printed, ["answer"]);
});

test("the Python sample has Python's words, and texts unchanged", () => {
  const source = sourceOf("Python");
  assert.match(source, /"done": True,\n\s+"none": None/);
  assert.ok(source.includes(JSON.stringify(request.body.name)));
});

test("every operation has samples in five languages, with values for its path", () => {
  const { paths = {} } = JSON.parse(JSON.stringify(buildApiDocument(ENDPOINTS))) as {
    paths?: Record<string, Record<string, { "x-codeSamples": { label: string; source: string }[] }>>;
  };
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { "x-codeSamples": samples }] of Object.entries(operations)) {
      assert.deepEqual(
        samples.map(({ label }) => label),
        ["curl", "JavaScript", "Python", "PHP", "Go"],
        path,
      );
      for (const { source } of samples)
        assert.doesNotMatch(source, /\/v1\S*[{}]|undefined|\/\/["']/, `${method} ${path}`);
    }
  }
});
