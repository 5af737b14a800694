/** The conformance suite of the Model Context Protocol, from npm, against the server of `paylink mcp`. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { serve } from "@hono/node-server";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { createMcpServer } from "#lib/cli/develop/mcp/mcp-server.ts";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { runTool } from "#tests/generators/tools.ts";
import { startApi } from "#tests/support/api.ts";
import { installFromNpm } from "./shop-folder.ts";

/** The suite needs Node 22. The PATH of the tests has Node 24. */
const SUITE = { "@modelcontextprotocol/conformance": "0.1.16" };

const folder = await installFromNpm("mcp", SUITE);
const api = await startApi();
const { test: key } = await api.merchant();
const port = await choosePort(0);
const { fetch } = createMcpHandler(() =>
  createMcpServer({ origin: api.origin, key, env: "test" }, { allowTestLinks: true }),
);
const server = serve({ fetch: (request) => fetch(request), hostname: "127.0.0.1", port });
after(async () => {
  server.close();
  await api.close();
});

test("passes every scenario about what it offers", async () => {
  const conformance = join(folder, "node_modules/.bin/conformance");
  const baseline = join(import.meta.dirname, "mcp-baseline.yml");
  const url = `http://127.0.0.1:${port}/mcp`;
  // Exits with 1 for a scenario that fails and is not in the baseline, and for one in it that passes.
  const output = await runTool(
    conformance,
    ["server", "--url", url, "--suite", "all", "--expected-failures", baseline],
    { cwd: folder },
  );
  for (const scenario of ["server-initialize", "ping", "tools-list", "resources-list"])
    assert.match(output, new RegExp(`✓ ${scenario}: [1-9]\\d* passed, 0 failed`));
});
