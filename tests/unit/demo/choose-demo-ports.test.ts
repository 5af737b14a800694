import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { chooseDemoPorts } from "#lib/demo/choose-demo-ports.ts";

test("replaces a default port that is taken by a free one, and names both", async () => {
  const server = createServer().listen(3000, "127.0.0.1");
  // Taken by another program: just as well.
  await Promise.race([once(server, "listening"), once(server, "error")]).catch(() => {});
  const said: string[] = [];
  const { web, shop } = await chooseDemoPorts({ SHOP_PORT: "" }, (line) => said.push(line));
  server.close();
  assert.ok(web !== 3000 && web !== shop);
  assert.equal(
    said[0],
    `port 3000 is taken: the payment page and the API will be on port ${web} (PORT sets another)`,
  );
});

test("refuses the same port for both", async () => {
  const { web } = await chooseDemoPorts({}, () => {});
  const both = { PORT: String(web), SHOP_PORT: String(web) };
  await assert.rejects(
    chooseDemoPorts(both, () => {}),
    new Error(`Port ${web} is taken. Set SHOP_PORT to a free port.`),
  );
});
