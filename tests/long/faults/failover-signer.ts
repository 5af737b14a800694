import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { deriveChildKey } from "#lib/signer/account-key.ts";
import { mine, payUsdt, rpc } from "#tests/support/anvil.ts";
import type { FaultStack } from "#tests/support/fault-stack.ts";
import { prepareHost, startSigner } from "#tests/support/signer-process.ts";
import { ACCOUNT, policyText, WORDS } from "#tests/support/signer-world.ts";
import { USDT } from "#tests/support/withdrawals.ts";

/** As systemd's RestartSec. */
const RESTART_MS = 1_000;

/** The signer's hot account pays all withdrawals of a run. */
const HOT = { coins: 100n * USDT, usdt: 100_000n * USDT };

/** `paylink signer run` on bep20, started again whenever it ends, as its supervisor does. */
export async function openSupervisedSigner({ env, pool, chain: { nodeUrl } }: FaultStack) {
  const hot = privateKeyToAccount(toHex(deriveChildKey(ACCOUNT, 1, 0))).address;
  await rpc(nodeUrl, "anvil_setBalance", [hot, toHex(HOT.coins)]);
  await payUsdt(nodeUrl, [{ to: hot, amount: HOT.usdt }]);
  await mine(nodeUrl);
  const folder = mkdtempSync(join(tmpdir(), "paylink-signer-"));
  const limits = { per_transfer: "100", per_day: "100000", auto_up_to: "100" };
  const host = {
    ...{ folder, words: WORDS, policy: policyText(limits) },
    database: { url: env.DATABASE_URL ?? "", database: { pool } },
    env: Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith("TEST_BEP20_"))),
  };
  const variables = await prepareHost(host);
  let [starts, stopping] = [1, false];
  let signer = startSigner(host, variables);
  await signer.ready;
  const supervised = (async () => {
    for (;;) {
      await signer.ended;
      if (!stopping) await pause(RESTART_MS);
      if (stopping) return;
      starts += 1;
      signer = startSigner(host, variables);
      signer.ready.catch(() => {});
    }
  })();
  return {
    starts: () => starts,
    async stop() {
      stopping = true;
      signer.child.kill("SIGTERM");
      await supervised;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
