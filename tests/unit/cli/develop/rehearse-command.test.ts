/** `paylink rehearse` against receivers with one mistake each. */
import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import { findProblem } from "#lib/cli/develop/rehearsal-rules.ts";
import { EVENT_TYPES } from "#lib/domain/webhooks/events.ts";
import { verifyWebhook } from "#packages/client/src/client.ts";
import { openTestCli } from "#tests/support/run-cli.ts";

const SECRET = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;
const cli = openTestCli(() => ({ PAYLINK_WEBHOOK_SECRET: SECRET }));

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

async function startReceiver(answer: Answer): Promise<string> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
}

/** A receiver that verifies, and then answers as `statusOf` says. */
const verifying =
  (statusOf: (type: string, body: string) => number, change = (body: string) => body): Answer =>
  async (request, response) => {
    const body = await text(request);
    try {
      const { type } = verifyWebhook(SECRET, change(body), request.headers);
      response.writeHead(statusOf(type, body)).end();
    } catch {
      response.writeHead(401).end();
    }
  };

async function rehearse(answer: Answer, ...more: string[]) {
  const { status, stdout, stderr } = await cli.run("rehearse", await startReceiver(answer), ...more);
  const lines = stdout.trimEnd().split("\n");
  const wrong = lines.flatMap((line) => /^WRONG {2}(.+?) {2,}(.*)$/.exec(line)?.slice(1, 3).join(": ") ?? []);
  return { status, lines, wrong, stderr };
}

test("finds nothing wrong with a receiver that verifies and accepts everything", async () => {
  const types: string[] = [];
  const right = verifying((type) => {
    types.push(type);
    return 204;
  });
  const { status, wrong, lines, stderr } = await rehearse(right);
  assert.deepEqual([status, wrong, stderr], [0, [], ""]);
  for (const type of [...EVENT_TYPES, "webhook_test", "something_new"]) assert.ok(types.includes(type), type);
  assert.equal(lines.filter((line) => line.startsWith("ok ")).length, EVENT_TYPES.length + 18);
  assert.match(lines.at(-1) ?? "", /^Look in your shop: /);
});

test("the events name the link that it is given", async () => {
  const links = new Set<string>();
  const right = verifying((type, body) => {
    const { refid, payment_reference: reference, metadata } = JSON.parse(body).data;
    if (type.startsWith("payment_link_")) links.add(`${refid} ${reference} ${JSON.stringify(metadata)}`);
    return 200;
  });
  const given = ["--refid", "4fRk9ZqWm2TgYx7LbNc3Vd", "--reference", "ORDER7", "--metadata", '{"cart": 7}'];
  const { status } = await rehearse(right, ...given);
  assert.equal(status, 0);
  assert.deepEqual(
    [...links].filter((link) => !link.includes("ü")),
    ['4fRk9ZqWm2TgYx7LbNc3Vd ORDER7 {"cart":7}'],
  );
});

for (const [mistake, answer, cases] of [
  [
    "accepts every request",
    (_request, response) => response.writeHead(200).end(),
    /^(no signature|wrong signature|changed body|changed id|empty body|old timestamp|timestamp of the future): it answers 200: /,
  ],
  [
    "refuses types that it does not know",
    verifying((type) => (type === "something_new" ? 400 : 200)),
    /^unknown type: it answers 400/,
  ],
  [
    "refuses a test",
    verifying((type) => (type === "webhook_test" ? 404 : 200)),
    /^test request: it answers 404/,
  ],
  [
    "verifies a body that was parsed",
    verifying(
      () => 200,
      (body) => JSON.stringify(JSON.parse(body)),
    ),
    /^other spaces: it answers 401: it verifies a body that was parsed and written again/,
  ],
  [
    "refuses large bodies",
    verifying((_, body) => (body.length > 20_000 ? 413 : 200)),
    /^large: it answers 413/,
  ],
  [
    "gives up a paid order",
    verifying((type) => (type === "payment_link_failed" ? 409 : 200)),
    /^(payment_link_failed|out of order|paid late): it answers 409/,
  ],
] as const satisfies readonly (readonly [string, Answer, RegExp])[]) {
  test(`names the mistake of a receiver that ${mistake}`, async () => {
    const { status, wrong, stderr } = await rehearse(answer);
    assert.equal(status, 1);
    assert.ok(wrong.length > 0);
    for (const line of wrong) assert.match(line, cases);
    assert.match(stderr, new RegExp(`^the receiver does ${wrong.length} of \\d+ cases wrong\\n$`));
  });
}

test("a receiver that verifies only the first signature fails while a secret is rotated", async () => {
  const { wrong } = await rehearse(async (request, response) => {
    const [first] = String(request.headers["webhook-signature"]).split(" ");
    const body = await text(request);
    try {
      verifyWebhook(SECRET, body, { ...request.headers, "webhook-signature": first });
      response.writeHead(200).end();
    } catch {
      response.writeHead(401).end();
    }
  });
  assert.deepEqual(
    wrong.map((line) => line.split(":")[0]),
    ["two signatures"],
  );
});

test("explains redirects, 410, slow answers and none", () => {
  const one = { name: "x", requests: [], expects: "accepted", otherwise: "say why" } as const;
  const problem = (status: number | null, ms = 1, error: string | null = null) =>
    findProblem(one, [{ status, ms, error }]) ?? "";
  assert.equal(problem(204), "");
  assert.match(problem(302), /redirects are not followed/);
  assert.match(problem(410), /disables your webhook endpoint/);
  assert.match(problem(500), /^it answers 500: say why$/);
  assert.match(problem(200, 5_001), /^it answers after 5001 ms/);
  assert.match(problem(null, 15_000, "timeout"), /^it does not answer within 15 s/);
  assert.equal(problem(null, 1, "ECONNREFUSED"), "it does not answer (ECONNREFUSED)");
  const forged = { ...one, expects: "refused" } as const;
  assert.equal(findProblem(forged, [{ status: 401, ms: 1, error: null }]), null);
  assert.equal(findProblem(forged, [{ status: 200, ms: 1, error: null }]), "it answers 200: say why");
});

test("refuses a URL and a secret that it cannot use", async () => {
  await cli.refuses({
    "rehearse ftp://x": /^the URL must be http or https/,
    "rehearse http://localhost:4000/ --metadata {": "--metadata is not valid JSON",
  });
  const withoutSecret = openTestCli(() => ({ PAYLINK_WEBHOOK_SECRET: "x" }));
  await withoutSecret.refuses({
    "rehearse http://localhost:4000/": /^the webhook secret is missing or malformed/,
  });
});
