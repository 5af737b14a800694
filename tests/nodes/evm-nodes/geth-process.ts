import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { rpc } from "#lib/dev-chains/rpc.ts";
import { keepSecrets } from "#tests/support/kept-logs.ts";
import { until } from "#tests/support/until.ts";
import { DEVELOPMENT_ADDRESSES } from "./development-accounts.ts";

export interface GethProcess {
  /** Its JSON-RPC. */
  readonly url: string;
  /** A call that only a consensus client may make. Throws on any answer without a result. */
  engine(method: string, ...params: unknown[]): Promise<unknown>;
  /** Sends SIGKILL and removes its files. */
  kill(): Promise<void>;
}

const APIS = "eth,web3,net,txpool,testing";
const GAS_LIMIT = "0x1c9c380";
const COINS = `0x${(10n ** 24n).toString(16)}`;

/**
 * Starts go-ethereum with a chain of its own: the genesis of its developer mode (all forks up to Osaka from the first
 * block, so the 16.7 million gas cap of a transaction holds) with the development accounts funded. It mines nothing by
 * itself. `flags` are more of its options. Throws when the program does not start.
 */
export async function startGethProcess(
  program: string,
  chainId: number,
  flags: readonly string[] = [],
): Promise<GethProcess> {
  const folder = mkdtempSync(join(tmpdir(), "paylink-geth-"));
  const data = join(folder, "data");
  const [port, authPort] = [await choosePort(0), await choosePort(0)];
  const secret = randomBytes(32);
  const [genesis, jwt] = [join(folder, "genesis.json"), join(folder, "jwt")];
  keepSecrets(secret.toString("hex"));
  writeFileSync(jwt, secret.toString("hex"));
  writeFileSync(genesis, JSON.stringify(await makeGenesis(program, chainId)));
  await promisify(execFile)(program, ["init", "--datadir", data, genesis]);
  const args = ["--datadir", data, "--networkid", String(chainId), "--verbosity", "1", "--cache", "64"];
  args.push("--http", "--http.port", String(port), "--http.api", APIS, "--ipcdisable");
  args.push("--authrpc.port", String(authPort), "--authrpc.jwtsecret", jwt);
  args.push("--port", "0", "--nodiscover", "--maxpeers", "0", "--nat", "none", "--syncmode", "full");
  args.push(...flags);
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"], detached: true });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-2_000);
  });
  const url = `http://127.0.0.1:${port}`;
  const authUrl = `http://127.0.0.1:${authPort}`;
  endWithParent(child);
  await until("geth's answer", async () => {
    if (child.exitCode !== null) throw new Error(`geth ended with code ${child.exitCode}: ${stderr.trim()}`);
    return Number(await rpc(url, "eth_chainId").catch(() => null)) === chainId;
  });
  return {
    url,
    engine: (method, ...params) => callEngine(authUrl, secret, method, params),
    async kill() {
      child.kill("SIGKILL");
      await until("geth's end", () => child.exitCode !== null || child.signalCode !== null);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The developer mode's own genesis has the system contracts without which no block is valid. */
async function makeGenesis(program: string, chainId: number): Promise<object> {
  const { stdout } = await promisify(execFile)(program, ["--dev", "dumpgenesis"]);
  const genesis = JSON.parse(stdout) as { config: Record<string, unknown>; alloc: Record<string, object> };
  // Forks after Osaka are drafts, and the calls that build their blocks change.
  const { bogotaTime: _, amsterdamTime: __, ...config } = genesis.config;
  const funded = DEVELOPMENT_ADDRESSES.map((address) => [address.slice(2), { balance: COINS }]);
  return {
    ...genesis,
    gasLimit: GAS_LIMIT,
    config: { ...config, chainId },
    alloc: { ...genesis.alloc, ...Object.fromEntries(funded) },
  };
}

async function callEngine(
  url: string,
  secret: Buffer,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const text = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claim = `${text({ alg: "HS256", typ: "JWT" })}.${text({ iat: Math.floor(Date.now() / 1_000) })}`;
  const signature = createHmac("sha256", secret).update(claim).digest("base64url");
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${claim}.${signature}` },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    signal: AbortSignal.timeout(30_000),
  });
  const answer = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
}

/** A shell that waits until our end of its pipe closes. SIGKILL of this process closes it too. */
function endWithParent(child: ChildProcess): void {
  const watchdog = spawn("sh", ["-c", `read -r _; kill -9 ${child.pid} 2>/dev/null`], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  for (const handle of [child, child.stderr, watchdog, watchdog.stdin]) {
    (handle as unknown as { unref?: () => void } | null)?.unref?.();
  }
  child.once("exit", () => watchdog.kill("SIGKILL"));
}
