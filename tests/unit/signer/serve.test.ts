import assert from "node:assert/strict";
import { test } from "node:test";
import { NodeError } from "#lib/chains/network.ts";
import type { SignerNetwork } from "#lib/signer/run-signer.ts";
import { serveSigner } from "#lib/signer/serve.ts";
import { testDatabase } from "#tests/support/database.ts";
import { until } from "#tests/support/until.ts";
import { log } from "#tests/support/watched-chain.ts";

const network = (code: "bep20" | "trc20" | "xrp", step: () => Promise<void>): SignerNetwork => {
  const place = { env: "test", network: code, name: `test.${code}` } as const;
  return { ...place, account: code, address: code, held: new Map(), step };
};

test("a network whose nodes never answer, or fail, delays no other", async (t) => {
  const { database, close } = await testDatabase();
  t.after(close);
  const hung = Promise.withResolvers<void>();
  let steps = 0;
  const signer = [
    network("bep20", () => hung.promise),
    network("trc20", async () => {
      throw new NodeError("unreachable", "no node");
    }),
    network("xrp", async () => {
      steps += 1;
    }),
  ];
  const broken: unknown[] = [];
  const options = { metricsPort: null, onBroken: (error: unknown) => broken.push(error) };
  const { stop } = await serveSigner({ signer, database, log }, options);
  await until("two steps of another network", () => steps >= 2);
  await until("the console to know which networks work", async () => {
    const { rows } = await database.pool.query(
      "select network from signer_accounts where stepped_at > started_at",
    );
    return rows.length === 1 && rows[0].network === "xrp";
  });
  hung.resolve();
  await stop();
  assert.deepEqual(broken, []);
});
