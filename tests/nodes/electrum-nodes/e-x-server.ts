import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { openTestClient } from "#tests/support/electrum-client.ts";
import type { StartableServer, WorldNetwork } from "#tests/support/electrum-world.ts";
import { until } from "#tests/support/until.ts";

const COINS: Readonly<Record<WorldNetwork, string>> = { bitcoin: "Bitcoin", litecoin: "Litecoin" };

export interface StartedEx extends StartableServer {
  /** The end of what it logged. */
  said(): string;
}

/**
 * Starts e-x before a node on regtest that has a transaction index. It has its own defaults, except where `settings` has
 * others (their names are in its documentation). Throws when the program does not start.
 */
export async function startEx(
  program: string,
  nodeUrl: string,
  network: WorldNetwork,
  settings: Readonly<Record<string, string>> = {},
): Promise<StartedEx> {
  const folder = mkdtempSync(join(tmpdir(), "paylink-e-x-"));
  const port = await choosePort(0);
  const url = `electrum+tcp://127.0.0.1:${port}`;
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...{ COIN: COINS[network], NET: "regtest", DAEMON_URL: nodeUrl },
    ...{ DB_DIRECTORY: folder, DB_ENGINE: "leveldb", SERVICES: `tcp://127.0.0.1:${port}` },
    // A container's only user may be root.
    ...{ PEER_DISCOVERY: "off", PEER_ANNOUNCE: "", ALLOW_ROOT: "1" },
    ...settings,
  };
  let said = "";
  let running: { readonly child: ChildProcess; readonly watchdog: ChildProcess } | null = null;
  const start = async () => {
    const child = spawn(program, [], { env, stdio: ["ignore", "pipe", "ignore"], detached: true });
    child.stdout.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-100_000);
    });
    const failed = new Promise<never>((_, reject) => child.once("error", reject));
    running = { child, watchdog: endWithParent(child) };
    const answers = until("e-x's answer", async () => {
      if (hasEnded(child)) throw new Error(`e-x ended: ${said.slice(-2_000).trim()}`);
      const client = await openTestClient(url).catch(() => null);
      client?.close();
      return client !== null;
    });
    await Promise.race([answers, failed]);
  };
  const stop = async (signal: NodeJS.Signals) => {
    if (running === null) return;
    const { child, watchdog } = running;
    running = null;
    child.kill(signal);
    await until("e-x's end", () => hasEnded(child));
    watchdog.kill("SIGKILL");
  };
  await start();
  return {
    url,
    start,
    stop,
    said: () => said,
    async close() {
      await stop("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

/** A shell that waits until our end of its pipe closes. SIGKILL of this process closes it too. */
function endWithParent(child: ChildProcess): ChildProcess {
  const watchdog = spawn("sh", ["-c", `read -r _; kill -9 ${child.pid} 2>/dev/null`], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  for (const handle of [child, child.stdout, watchdog, watchdog.stdin]) {
    (handle as unknown as { unref?: () => void } | null)?.unref?.();
  }
  return watchdog;
}
