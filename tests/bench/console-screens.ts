import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "#lib/demo/server-process.ts";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { SECRET_KEY } from "#tests/support/api.ts";
import { addSignedIn } from "#tests/support/console.ts";
import type { TestDatabase } from "#tests/support/database.ts";
import { findReferences, listScreens } from "./console-questions.ts";
import { percentile, report } from "./report.ts";
import { sized } from "./sized.ts";

const WARM_UP = sized(10, 0);
const ROUNDS = sized(60, 1);
const GOAL_MS = 150;

/**
 * Opens screens of the console as a browser does, on a server of its own, one request after another: the answers to what people ask of
 * `links` links. Before each, the floor: a page whose data does not grow.
 */
export async function measureScreens({ db, database, url }: TestDatabase, links: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "paylink-bench-"));
  const port = await choosePort(0);
  const origin = `http://localhost:${port}`;
  const references = await findReferences(db);
  const { merchantId, code } = references;
  const { token } = await addSignedIn(database, { merchantId, role: "owner" });
  const server = await startServer(
    {
      DATABASE_URL: url,
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
  const open = (path: string) => openScreen(`${origin}/console/m/${code}/test/${path}`, token);
  try {
    const asked = listScreens(references).filter(([name]) =>
      name.includes(process.env.CONSOLE_SCREENS ?? ""),
    );
    for (const [name, pathOf] of asked) {
      const [times, floor]: [number[], number[]] = [[], []];
      for (let round = 0; round < WARM_UP + ROUNDS; round++) {
        const atFloor = await open("exports");
        const time = await open(pathOf(1 + ((round * 7_919) % (links - 1))));
        if (round < WARM_UP) continue;
        floor.push(atFloor);
        times.push(time);
      }
      const [p95, half] = [percentile(times, 0.95), percentile(times, 0.5)];
      const floors = `${percentile(floor, 0.5).toFixed(0)}/${percentile(floor, 0.95).toFixed(0)}`;
      report(`${name}: half, p95 (floor ${floors})`, `${half.toFixed(0)}, ${p95.toFixed(0)} ms`, {
        text: `<= ${GOAL_MS} ms`,
        met: p95 <= GOAL_MS,
      });
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds until the whole answer has arrived. Of a file: until its first byte. */
async function openScreen(url: string, token: string): Promise<number> {
  const start = performance.now();
  const leave = new AbortController();
  const answer = await fetch(url, {
    redirect: "manual",
    headers: { cookie: `paylink_session=${token}` },
    signal: leave.signal,
  });
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status}`);
  if (answer.headers.has("content-disposition")) {
    const reader = answer.body?.getReader();
    await reader?.read();
    const time = performance.now() - start;
    leave.abort();
    await reader?.closed.catch(() => {});
    return time;
  }
  await answer.arrayBuffer();
  return performance.now() - start;
}
