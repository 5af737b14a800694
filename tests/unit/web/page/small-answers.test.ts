/** Small answers that the page's scripts ask for, without Next: whether pages can be rendered, and the notice of a wallet. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import pg from "pg";
import { pino } from "pino";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { CHANNELS } from "#lib/platform/db/listen-for-changes.ts";
import { answerAnswers } from "#lib/web/page/answers.ts";
import { answerSent } from "#lib/web/page/sent.ts";
import { bitcoinNetwork } from "#tests/support/bitcoin-adapter.ts";
import { until } from "#tests/support/until.ts";
import { openWatchedNetwork } from "#tests/support/watched-network.ts";

const log = pino({ level: "silent" });
const PAIR = { network: "bitcoin", token: "btc" } as const;
const watched = await openWatchedNetwork(bitcoinNetwork("http://127.0.0.1:9"), PAIR, "btc/usd=50000");
const { database } = watched.database;
const away = openDatabase("postgres://nobody:nothing@127.0.0.1:9/none");
const server = createServer((request, response) => {
  if (request.method === "POST") void answerSent({ database, log }, request, response);
  else void answerAnswers({ database: request.url === "/away" ? away : database }, response);
}).listen(0, "127.0.0.1");
await once(server, "listening");
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
after(async () => {
  server.closeAllConnections();
  server.close();
  await away.close();
  await watched.close();
});

test("pages can be rendered while the database answers", async () => {
  assert.equal((await fetch(`${base}/any`, { method: "HEAD" })).status, 204);
  const refused = await fetch(`${base}/away`, { method: "HEAD" });
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "5"]);
});

test("a notice makes the watcher look at the network of the link's address, and at no other", async (t) => {
  const heard: (string | undefined)[] = [];
  const client = new pg.Client(watched.database.url);
  client.on("notification", ({ payload }) => heard.push(payload));
  await client.connect();
  t.after(() => client.end());
  await client.query(`listen ${CHANNELS.sentPayments}`);
  const { refid } = await watched.link(10);
  const post = async (pair: string) =>
    (await fetch(`${base}/pay/${refid}/sent?pair=${pair}`, { method: "POST" })).status;
  assert.equal(await post("bep20:usdt"), 204);
  assert.equal(await post("bitcoin:nothing"), 404);
  assert.equal(await post("bitcoin:btc"), 204);
  await until("the notice", () => heard.length > 0);
  assert.deepEqual(heard, ["test:bitcoin"]);
});
