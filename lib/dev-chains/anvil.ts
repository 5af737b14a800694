import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setTimeout as delay } from "node:timers/promises";
import { choosePort } from "./choose-port.ts";
import { type ChainKeeper, keepChain } from "./keep-chain.ts";
import { rpc } from "./rpc.ts";

export interface AnvilOptions {
  /** Default 97, the BNB Smart Chain test network's. */
  readonly chainId?: number;
  /** Seconds between blocks. Absent: one block per transaction, or none (see automine). */
  readonly blockTime?: number;
  /** File that keeps the chain when the node is killed. Absent: the chain ends with the process. */
  readonly statePath?: string;
  /** Default: a free port. */
  readonly port?: number;
  /** `finalized` is this many epochs of two blocks below the head. Default 1. */
  readonly slotsInAnEpoch?: number;
  /** Default true; false leaves mining to the caller. Ignored with blockTime. */
  readonly automine?: boolean;
  /**
   * Accepts transactions whose sender has the money only once others are mined, and mines them in the order of
   * their arrival.
   */
  readonly poolWithoutBalances?: boolean;
}

export interface AnvilNode {
  readonly url: string;
  readonly chainId: number;
  readonly port: number;
  readonly pid: number;
  /** The process is null if a killed parent has left the node running. */
  readonly process: ChildProcess | null;
  /** Writes the chain to statePath now. Does nothing without one. */
  save(): Promise<void>;
  /** Saves the chain (with statePath), stops the node and waits until it has ended. */
  stop(): Promise<void>;
  /** Sends SIGKILL without saving first. Resolves when the process has ended. */
  kill(): Promise<void>;
}

/**
 * Starts a development EVM node. With `statePath` the chain and its waiting transactions survive SIGKILL of
 * the node and of this process, and a node left running by a killed parent is used again. Without it the
 * node ends with this process. Throws when the binary is absent or does not start.
 */
export async function startAnvil(options: AnvilOptions = {}): Promise<AnvilNode> {
  const chainId = options.chainId ?? 97;
  const runFile = options.statePath === undefined ? null : `${options.statePath}.run`;
  const orphan = runFile === null ? null : await findOrphan(runFile, chainId);
  const { child, pid, port } = orphan ?? (await spawnAnvil(options, chainId));
  const url = `http://127.0.0.1:${port}`;
  if (orphan) await setMining(url, options);
  let keeper: ChainKeeper | null = null;
  if (options.statePath !== undefined && runFile !== null) {
    writeFileSync(runFile, JSON.stringify({ pid, port }));
    keeper = await keepChain(url, options.statePath, { restorePool: orphan === null });
  }
  // Covers an orderly end of this process that did not stop the node. Only SIGKILL leaves a node running.
  const killAtExit = () => void killQuietly(pid);
  process.once("exit", killAtExit);
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    if (signal === "SIGTERM") await keeper?.save();
    await keeper?.stop();
    await endProcess(pid, child, signal);
    process.off("exit", killAtExit);
    if (runFile !== null) rmSync(runFile, { force: true });
  };
  return {
    url,
    chainId,
    port,
    pid,
    process: child,
    save: async () => keeper?.save(),
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
  };
}

interface Running {
  readonly child: ChildProcess | null;
  readonly pid: number;
  readonly port: number;
}

async function spawnAnvil(options: AnvilOptions, chainId: number): Promise<Running> {
  const port = options.port ?? (await choosePort(0));
  const args = ["--quiet", "--port", String(port), "--chain-id", String(chainId)];
  args.push("--slots-in-an-epoch", String(options.slotsInAnEpoch ?? 1));
  if (options.blockTime !== undefined) args.push("--block-time", String(options.blockTime));
  else if (options.automine === false) args.push("--no-mining");
  if (options.poolWithoutBalances) args.push("--disable-pool-balance-checks", "--order", "fifo");
  // Not anvil's own --state-interval: it rewrites the whole file in place each second. A kill leaves a torn
  // file, and a long chain keeps one core busy. keep-chain.ts saves the chain instead.
  if (options.statePath !== undefined && existsSync(options.statePath)) {
    args.push("--load-state", options.statePath);
  }
  // Detached: Ctrl-C in a terminal reaches the whole process group. We save the chain before the node ends.
  const child = spawn(anvilBinary(), args, { stdio: ["ignore", "ignore", "pipe"], detached: true });
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-2_000);
  });
  const failed = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`anvil ended with code ${code}: ${stderr.trim()}`)));
  });
  failed.catch(() => {});
  await Promise.race([waitUntilReady(`http://127.0.0.1:${port}`, chainId), failed]);
  const pid = child.pid;
  if (pid === undefined) throw new Error("anvil has no process id");
  child.unref();
  (child.stderr as unknown as { unref?: () => void } | null)?.unref?.();
  if (options.statePath === undefined) endWithParent(child, pid);
  return { child, pid, port };
}

/** A shell that waits until our end of its pipe closes. SIGKILL of this process closes it too. */
function endWithParent(child: ChildProcess, pid: number): void {
  const watchdog = spawn("sh", ["-c", `read -r _; kill -9 ${pid} 2>/dev/null`], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watchdog.unref();
  (watchdog.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  child.once("exit", () => watchdog.kill("SIGKILL"));
}

function anvilBinary(): string {
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  const name = `@foundry-rs/anvil-${process.platform}-${arch}`;
  try {
    return createRequire(import.meta.url).resolve(
      `${name}/bin/anvil${process.platform === "win32" ? ".exe" : ""}`,
    );
  } catch (cause) {
    throw new Error(`the development EVM node is missing: npm did not install ${name}`, { cause });
  }
}

async function waitUntilReady(url: string, chainId: number): Promise<void> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const id = await rpc(url, "eth_chainId").catch(() => null);
    if (id !== null && Number(id) === chainId) return;
    if (Date.now() > deadline) throw new Error(`anvil does not answer on ${url}`);
    await delay(15);
  }
}

async function findOrphan(runFile: string, chainId: number): Promise<Running | null> {
  try {
    const { pid, port } = JSON.parse(readFileSync(runFile, "utf8")) as { pid: number; port: number };
    process.kill(pid, 0);
    const id = await rpc(`http://127.0.0.1:${port}`, "eth_chainId");
    return Number(id) === chainId ? { child: null, pid, port } : null;
  } catch {
    return null;
  }
}

async function setMining(url: string, options: AnvilOptions): Promise<void> {
  await rpc(url, "evm_setIntervalMining", [options.blockTime ?? 0]);
  await rpc(url, "evm_setAutomine", [options.blockTime === undefined && options.automine !== false]);
}

async function endProcess(pid: number, child: ChildProcess | null, signal: NodeJS.Signals): Promise<void> {
  const isGone = () => child !== null && (child.exitCode !== null || child.signalCode !== null);
  for (let waited = 0; !isGone() && waited < 10_000; waited += 10) {
    const found = killQuietly(pid, waited === 0 ? signal : waited > 5_000 ? "SIGKILL" : 0);
    if (!found) return;
    await delay(10);
  }
}

/** False when no such process exists. */
function killQuietly(pid: number, signal: NodeJS.Signals | 0 = "SIGKILL"): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
