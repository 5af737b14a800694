import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "#lib/demo/server-process.ts";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { SECRET_KEY, type startApi } from "#tests/support/api.ts";
import { addSignedIn } from "#tests/support/console.ts";
import { report } from "./report.ts";

const SCREENS = ["overview", "payments", "customers", "money"];
const WARM_UP = 20;
const ROUNDS = 100;
const GOAL_MS = 150;

/** Opens screens of the console as a browser does, on a server of its own, one request after another. */
export async function measureScreens({ database }: Awaited<ReturnType<typeof startApi>>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "paylink-bench-"));
  const port = await choosePort(0);
  const origin = `http://localhost:${port}`;
  const { rows } = await database.database.pool.query(
    "select m.id, m.code from merchants m where m.id = (select merchant_id from payment_links limit 1)",
  );
  const { token } = await addSignedIn(database.database, { merchantId: Number(rows[0].id), role: "owner" });
  const server = await startServer(
    {
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      HOST: "127.0.0.1",
      PORT: String(port),
      PUBLIC_URL: origin,
      SECRET_KEY,
      ROLES: "web",
      LOG_LEVEL: "error",
    },
    join(folder, "server.log"),
  );
  try {
    for (const screen of SCREENS) {
      const url = `${origin}/console/m/${rows[0].code}/test/${screen}`;
      const times: number[] = [];
      for (let round = 0; round < WARM_UP + ROUNDS; round++) {
        const start = performance.now();
        const answer = await fetch(url, {
          redirect: "manual",
          headers: { cookie: `paylink_session=${token}` },
        });
        await answer.arrayBuffer();
        if (answer.status !== 200) throw new Error(`${screen}: ${answer.status}`);
        if (round >= WARM_UP) times.push(performance.now() - start);
      }
      const p95 = times.toSorted((a, b) => a - b)[Math.floor(ROUNDS * 0.95)] ?? 0;
      report(`the screen ${screen}, whole answer over HTTP, p95`, `${p95.toFixed(1)} ms`, {
        text: `<= ${GOAL_MS} ms`,
        met: p95 <= GOAL_MS,
      });
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
