import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { startEmbedded } from "#lib/platform/db/embedded.ts";
import { switchCluster, temporaryFolder } from "#tests/support/database.ts";
import { openEvmChain } from "#tests/support/fault-evm.ts";
import { openFaultStack } from "#tests/support/fault-stack.ts";
import { restoreScenario } from "./restore-scenario.ts";

test("a cold copy of DATA_DIR is restored, and the watcher catches up with what happened since", async (t) => {
  const folder = temporaryFolder();
  const [data, copy] = [join(folder, "data"), join(folder, "copy")];
  // A port that nothing else takes while the server is away.
  const port = await choosePort(0);
  let server = await startEmbedded(data, { port });
  const switchBack = switchCluster(server.url);
  const stack = await openFaultStack(await openEvmChain());
  switchBack();
  t.after(async () => {
    await stack.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  await restoreScenario("cold copy", stack, {
    env: {},
    ownerEnv: {},
    async backUp(worker, pay) {
      await worker.stop();
      await server.stop();
      await pay();
      assert.equal(spawnSync("cp", ["-a", data, copy]).status, 0);
      server = await startEmbedded(data, { port });
    },
    async lose() {
      await server.stop();
      rmSync(data, { recursive: true });
    },
    async restore() {
      server = await startEmbedded(copy, { port });
    },
  });
});
