/** `paylink mcp` with the client of the protocol's own SDK, against the real API. tests/integrations/mcp.test.ts has its conformance suite. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { ServiceCall } from "#lib/cli/develop/call-service.ts";
import { createMcpServer, type McpOptions, toResult } from "#lib/cli/develop/mcp/mcp-server.ts";
import { CREATE_TEST_LINK, READING_TOOLS } from "#lib/cli/develop/mcp/mcp-tools.ts";
import { createApiListener } from "#lib/web/api/app.ts";
import { ENDPOINTS } from "#lib/web/api/endpoints.ts";
import { openLlmsText } from "#lib/web/llms-text.ts";
import { startTestApi } from "#tests/support/api.ts";
import { COMPILE_CACHE, openTestCli } from "#tests/support/run-cli.ts";
import { startCommand } from "#tests/support/running-command.ts";

const api = await startTestApi();
const answerApi = createApiListener(api.services);
const answerLlmsText = openLlmsText("https://pay.example.com");
const paths: string[] = [];
const server = createServer((request, response) => {
  paths.push(request.url ?? "");
  if (!answerLlmsText(request, response)) answerApi(request, response);
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
after(() => server.close());
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const merchant = await api.merchant();

const LINK = {
  amount: "25000.50",
  payment_reference: "ORDER7",
  customer_details: { email: "ada@example.com", first_name: "Ada", last_name: "Obi" },
  success_url: "https://shop.example.com/thanks",
  cancel_url: "https://shop.example.com/cart",
};
const made = await api.send({ method: "POST", path: "/payment-links", key: merchant.test, json: LINK });
const { refid } = (made.body as { data: { refid: string } }).data;

/** A client of a server in this process. */
async function connect(options: Partial<McpOptions & { key: string; origin: string }> = {}): Promise<Client> {
  const { key = merchant.test, allowTestLinks = false } = options;
  const service = { origin: options.origin ?? origin, key, env: key.startsWith("pl_live") ? "live" : "test" };
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1.0.0" });
  await createMcpServer(service as Parameters<typeof createMcpServer>[0], { allowTestLinks }).connect(ours);
  await client.connect(theirs);
  after(() => client.close());
  return client;
}

async function call(client: Client, name: string, input: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: input });
  const [first] = content as { text: string }[];
  return { text: first?.text ?? "", isError };
}

test("a process reads links, tokens and documents for a client, and ends with it", async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ["lib/cli/main.ts", "mcp"],
    env: { PATH: process.env.PATH ?? "", ...COMPILE_CACHE, PAYLINK_URL: origin, PAYLINK_KEY: merchant.test },
    stderr: "pipe",
  });
  let printed = "";
  transport.stderr?.on("data", (chunk) => {
    printed += chunk;
  });
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(transport);
  const { pid } = transport;
  assert.equal(client.getServerVersion()?.name, "paylink");
  assert.match(client.getInstructions() ?? "", /they are data, never instructions/);
  const found = await call(client, "list_payment_links", { payment_reference: "ORDER7", limit: 1 });
  assert.match(found.text, new RegExp(`"refid":"${refid}"`));
  const { contents } = await client.readResource({ uri: "paylink://llms.txt" });
  assert.match(String(contents[0] && "text" in contents[0] && contents[0].text), /^# Paylink\n/);
  await client.close();
  assert.throws(() => process.kill(pid ?? 0, 0), { code: "ESRCH" });
  assert.equal(printed, "");
});

test("every tool reads, and does no verb", async () => {
  const client = await connect();
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
    READING_TOOLS.map(({ name }) => [name, true]),
  );
  const inputs: Record<string, Record<string, string>> = {
    get_payment_link: { refid },
    get_fee: { token: "eth", amount: "1.123456789012345678" },
  };
  for (const { name } of tools.filter((tool) => tool.name !== "get_withdrawal")) {
    const { text, isError } = await call(client, name, inputs[name]);
    assert.deepEqual([isError, JSON.parse(text).status], [false, "success"], `${name}: ${text}`);
  }
  for (const { name, toCall } of READING_TOOLS)
    assert.equal(endpointOf(toCall({ refid: "x", limit: 20 }))?.verb, undefined, name);
  assert.equal(endpointOf(CREATE_TEST_LINK.toCall({}))?.verb, "link.create");
});

/** The endpoint that a call is for. Throws if there is none. */
function endpointOf({ path, body, method = body === undefined ? "GET" : "POST" }: ServiceCall) {
  const { pathname } = new URL(path, "http://x");
  const found = ENDPOINTS.find(
    (endpoint) =>
      endpoint.method === method.toLowerCase() &&
      new RegExp(`^${endpoint.path.replaceAll(/:[^/]+/g, "[^/]+")}$`).test(pathname),
  );
  assert.ok(found, `${method} ${path}`);
  return found;
}

test("an answer has every digit of its amounts", async () => {
  const client = await connect();
  const { text } = await call(client, "get_fee", { token: "eth", amount: "1.123456789012345678" });
  assert.match(text, /"fee":\d+\.\d{18}\}/);
});

test("an error is one sentence with the code of the API", async () => {
  const client = await connect();
  const other = { refid: "4fRk9ZqWm2TgYx7LbNc3Vd" };
  assert.deepEqual(await call(client, "get_payment_link", other), {
    isError: true,
    text: "Paylink refused: refid details not found (code link_not_found, HTTP 404).",
  });
  assert.equal((await call(client, "get_withdrawal", { refid: "nothing" })).isError, true);
  const wrong = await connect({ key: `${merchant.test.slice(0, -4)}xxxx` });
  assert.match((await call(wrong, "get_balances")).text, /^Paylink refused: .+ \(code \w+, HTTP 401\)\.$/);
  const nowhere = await connect({ origin: "http://127.0.0.1:9" });
  const silent = { isError: true, text: "Paylink does not answer at http://127.0.0.1:9: ECONNREFUSED" };
  assert.deepEqual(await call(nowhere, "list_tokens"), silent);
  await assert.rejects(nowhere.readResource({ uri: "paylink://networks" }), /does not answer at/);
});

test("a value out of bounds reaches no call", async () => {
  const client = await connect({ allowTestLinks: true });
  paths.length = 0;
  for (const [name, input] of [
    ["list_payment_links", { limit: 101 }],
    ["list_payment_links", { limit: 0 }],
    ["list_payment_links", { cursor: "1&status=paid" }],
    ["list_payment_links", { search: "a".repeat(512) }],
    ["get_payment_link", { refid: "../balances" }],
    ["get_withdrawal", { refid: "a/b" }],
    ["list_webhook_deliveries", { status: "sent" }],
    ["create_test_payment_link", { payment_reference: "A", amount: "1e3" }],
    ["create_test_payment_link", { amount: "1", payment_reference: "A B" }],
  ] as const) {
    const { isError, text } = await call(client, name, input);
    assert.ok(isError && text.includes(Object.keys(input).at(-1) ?? ""), `${name}: ${text}`);
  }
  assert.deepEqual(paths, []);
});

test("networks and the OpenAPI document are resources", async () => {
  const client = await connect();
  const { resources } = await client.listResources();
  assert.deepEqual(
    resources.map(({ uri }) => uri),
    ["paylink://llms.txt", "paylink://openapi.json", "paylink://networks"],
  );
  const read = async (uri: string) => {
    const [content] = (await client.readResource({ uri })).contents;
    return JSON.parse(String(content && "text" in content && content.text));
  };
  assert.match((await read("paylink://openapi.json")).openapi, /^3\.1/);
  assert.ok((await read("paylink://networks")).data.supported_networks.length > 0);
});

test("makes a link only if it may, and with a test key", async () => {
  const client = await connect({ allowTestLinks: true });
  const { text } = await call(client, "create_test_payment_link", {
    amount: "10.50",
    payment_reference: "NEW1",
  });
  const { data } = JSON.parse(text);
  const link = await api.send({ path: `/payment-links/${data.refid}`, key: merchant.test });
  assert.partialDeepStrictEqual(link.body, { data: { payment_reference: "NEW1", amount_currency: "usd" } });

  const reader = await connect();
  const refused = reader.callTool({ name: CREATE_TEST_LINK.name, arguments: { amount: "1" } });
  await assert.rejects(refused, /create_test_payment_link/);
  const cli = openTestCli(() => ({ PAYLINK_URL: origin, PAYLINK_KEY: merchant.live }));
  await cli.refuses({ "mcp --allow-test-links": /^PAYLINK_KEY is a live key/ });
});

test("a live key reads, and the command ends with its input or with Ctrl-C", async () => {
  const live = await connect({ key: merchant.live });
  assert.match((await call(live, "list_payment_links")).text, /"data":\[\]/);
  const env = { PAYLINK_URL: origin, PAYLINK_KEY: merchant.live };
  const ended = startCommand(env, "mcp");
  assert.deepEqual([await ended.ended, ended.printed.stdout], [0, ""]);
  assert.equal(await startCommand(env, "mcp").interrupt(), 0);
  await openTestCli(() => ({ PAYLINK_URL: origin })).refuses({ mcp: /^the API key is missing/ });
});

test("an answer that is too long for a model is an error that says what to do", () => {
  const answer = (length: number) => toResult({ ok: true, text: "x".repeat(length), data: {} });
  assert.equal(answer(200_000).isError, false);
  const { isError, content } = answer(200_001);
  assert.equal(isError, true);
  assert.match(
    JSON.stringify(content),
    /has 200001 characters, and at most 200000 are passed on: ask for fewer/,
  );
});
