import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type CoreNode, openCoreNode } from "#lib/chains/utxo/core-client.ts";
import { choosePort } from "./choose-port.ts";
import type { CoreProgram } from "./core-programs.ts";
import { findCoreNode } from "./find-core-node.ts";
import { writeWhole } from "./write-whole.ts";

export interface CoreNodeOptions {
  /**
   * Folder that keeps the chain and the wallet when the node is killed. Absent: a temporary folder, removed
   * with this process.
   */
  readonly datadir?: string;
  /** Default: a free port. A later start on the same folder uses the same port if it can. */
  readonly rpcPort?: number;
  /** Publishes new blocks and transactions over ZMQ. */
  readonly zmq?: boolean;
  readonly txindex?: boolean;
  /** Additional lines of its configuration file. */
  readonly configuration?: readonly string[];
}

export interface StartedCoreNode {
  /** Contains user and password. The wallet "faucet" is loaded and has coins. */
  readonly url: string;
  readonly zmqUrl: string | null;
  readonly pid: number;
  /** The process is null if a killed parent has left the node running. */
  readonly process: ChildProcess | null;
  /** Stops the node and waits until it has ended: in order, unless its folder is temporary and removed. */
  stop(): Promise<void>;
  /** Sends SIGKILL without saving first. Resolves when the process has ended. */
  kill(): Promise<void>;
}

const WALLET = "faucet";
/** A block reward can be spent after 100 more blocks. */
const FIRST_BLOCKS = 101;
const START_MS = 180_000;
const END_MS = 20_000;
const POLL_MS = 200;

/** The file about a running node. After a kill it exists without the node. */
interface Running {
  readonly pid: number;
  readonly rpcPort: number;
  readonly zmqPort: number | null;
  readonly user: string;
  readonly password: string;
}

/**
 * Starts a node of a private chain (regtest) without peers. With `datadir` the chain, wallet and mempool
 * survive SIGKILL of the node and of this process, and a node left running by a killed parent is used again.
 * Throws when the program is unavailable or does not start.
 */
export async function startCoreNode(
  program: CoreProgram,
  options: CoreNodeOptions = {},
): Promise<StartedCoreNode> {
  const temporary = options.datadir === undefined;
  const datadir = options.datadir ?? mkdtempSync(join(tmpdir(), `${program.name}-`));
  mkdirSync(datadir, { recursive: true });
  const runFile = join(datadir, "node.json");
  const orphan = await findOrphan(runFile, options);
  const { running, child } = orphan ?? (await spawnNode(program, datadir, runFile, options));
  const url = urlOf(running);
  const node = openCoreNode(url);
  await openFaucet(node);
  if (temporary) endWithParent(running.pid, datadir, child);
  const keeper = temporary ? null : keepMempool(node);
  const forget = () => rmSync(temporary ? datadir : runFile, { recursive: true, force: true });
  // Covers an orderly end of this process that did not stop the node. Only SIGKILL leaves a node running.
  const stopAtExit = () => {
    signal(running.pid, temporary ? "SIGKILL" : "SIGTERM");
    forget();
  };
  process.once("exit", stopAtExit);
  const end = async (name: "SIGTERM" | "SIGKILL") => {
    await keeper?.stop();
    await endProcess(running.pid, child, name);
    process.off("exit", stopAtExit);
    if (temporary || name === "SIGTERM") forget();
  };
  return {
    url,
    zmqUrl: running.zmqPort === null ? null : zmqUrlOf(running.zmqPort),
    pid: running.pid,
    process: child,
    // An orderly stop writes the chain and the wallet, which takes litecoind four seconds.
    stop: () => end(temporary ? "SIGKILL" : "SIGTERM"),
    kill: () => end("SIGKILL"),
  };
}

function urlOf({ rpcPort, user, password }: Omit<Running, "pid">): string {
  return `http://${user}:${password}@127.0.0.1:${rpcPort}/`;
}

function zmqUrlOf(port: number): string {
  return `tcp://127.0.0.1:${port}`;
}

function readRunFile(runFile: string): Running | null {
  return existsSync(runFile) ? (JSON.parse(readFileSync(runFile, "utf8")) as Running) : null;
}

async function findOrphan(runFile: string, { zmq = false }: CoreNodeOptions) {
  const running = readRunFile(runFile);
  if (running === null || !signal(running.pid, 0)) return null;
  const node = openCoreNode(urlOf(running));
  const info = (await node.call("getblockchaininfo").catch(() => null)) as { chain?: string } | null;
  if (info?.chain !== "regtest") return null;
  if (!zmq || running.zmqPort !== null) return { running, child: null };
  // It runs without ZMQ, but ZMQ is wanted: stop it, the next one uses its folder.
  await endProcess(running.pid, null, "SIGTERM");
  rmSync(runFile, { force: true });
  return null;
}

async function spawnNode(program: CoreProgram, datadir: string, runFile: string, options: CoreNodeOptions) {
  const found = await findCoreNode(program);
  if (!found.ok) throw new Error(found.problem);
  const before = readRunFile(runFile);
  const settings = {
    rpcPort: options.rpcPort ?? (await choosePort(before?.rpcPort ?? 0)),
    zmqPort: options.zmq ? await choosePort(0) : null,
    user: "paylink",
    password: before?.password ?? randomBytes(18).toString("base64url"),
  };
  // In a file that only its owner can read. Every user of the machine can read the arguments.
  const more = [...program.configuration, ...(options.configuration ?? [])];
  writeWhole(
    join(datadir, program.configurationFile),
    configuration(settings, options.txindex === true, more),
  );
  // The node writes its block index from time to time but the blocks at once. After a kill it rebuilds the
  // index.
  const args = [`-datadir=${datadir}`, ...(before === null ? [] : ["-reindex"])];
  for (const deadline = Date.now() + START_MS; ; ) {
    // Detached: Ctrl-C in a terminal reaches the whole process group. We stop the node in order.
    const child = spawn(found.path, args, { stdio: ["ignore", "ignore", "pipe"], detached: true });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => {
      stderr = (stderr + chunk.toString()).slice(-2_000);
    });
    const failed = new Promise<string>((resolve) => {
      child.once("error", (error) => resolve(error.message));
      child.once("exit", (code) => resolve(`it ended with code ${code}: ${stderr.trim()}`));
    });
    const running = { pid: child.pid ?? 0, ...settings };
    if (child.pid !== undefined) writeWhole(runFile, JSON.stringify(running));
    const problem = await Promise.race([failed, untilReady(urlOf(settings), deadline)]);
    if (problem === null) {
      child.unref();
      (child.stderr as unknown as { unref?: () => void }).unref?.();
      return { running, child };
    }
    signal(running.pid, "SIGKILL");
    // A node that is still writing its state holds the folder.
    const held = /lock|already running/i.test(problem) && Date.now() < deadline;
    if (!held) throw new Error(`${program.name} did not start: ${problem}`);
    await delay(100);
  }
}

function configuration(settings: Omit<Running, "pid">, txindex: boolean, more: readonly string[]): string {
  const zmq = settings.zmqPort === null ? [] : ["hashblock", "rawtx", "sequence"];
  const lines = [
    // If a name has two lines, the first counts.
    ...more,
    "regtest=1",
    "server=1",
    `txindex=${txindex ? 1 : 0}`,
    // Fees for a chain without fee history, and wallet transactions that can be replaced.
    "fallbackfee=0.00002",
    "walletrbf=1",
    "addresstype=bech32",
    "changetype=bech32",
    "dustrelayfee=0",
    // A new wallet makes this many keys of each type. The default, 1,000, takes litecoind two seconds.
    "keypool=10",
    "[regtest]",
    "listen=0",
    "connect=0",
    "rpcbind=127.0.0.1",
    "rpcallowip=127.0.0.1",
    "rpcworkqueue=256",
    `rpcport=${settings.rpcPort}`,
    `rpcuser=${settings.user}`,
    `rpcpassword=${settings.password}`,
    ...zmq.map((topic) => `zmqpub${topic}=${zmqUrlOf(settings.zmqPort ?? 0)}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** Returns null once the node answers and has loaded its blocks and mempool, and the problem if it has not at the deadline. */
async function untilReady(url: string, deadline: number): Promise<string | null> {
  const node = openCoreNode(url, 5_000);
  for (;;) {
    const info = (await node.call("getmempoolinfo").catch(() => null)) as { loaded?: boolean } | null;
    if (info?.loaded === true) return null;
    if (Date.now() > deadline) return "it does not answer";
    await delay(20);
  }
}

/** Loads the wallet, or creates it and mines its first coins. */
async function openFaucet(node: CoreNode): Promise<void> {
  const loaded = (await node.call("listwallets")) as string[];
  if (!loaded.includes(WALLET)) {
    const { wallets } = (await node.call("listwalletdir")) as { wallets: { name: string }[] };
    const known = wallets.some(({ name }) => name === WALLET);
    await node.call(known ? "loadwallet" : "createwallet", [WALLET]);
  }
  if (Number(await node.call("getblockcount")) > 0) return;
  const address = await node.call("getnewaddress");
  await node.call("generatetoaddress", [FIRST_BLOCKS, address]);
}

/** A shell that waits until our end of its pipe closes. SIGKILL of this process closes it too. */
function endWithParent(pid: number, datadir: string, child: ChildProcess | null): void {
  const script = 'read -r _; kill -9 "$1" 2>/dev/null; rm -rf "$2"';
  const watchdog = spawn("sh", ["-c", script, "sh", String(pid), datadir], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watchdog.unref();
  (watchdog.stdin as unknown as { unref?: () => void }).unref?.();
  child?.once("exit", () => watchdog.kill("SIGKILL"));
}

async function endProcess(pid: number, child: ChildProcess | null, first: NodeJS.Signals): Promise<void> {
  const isGone = () => child !== null && (child.exitCode !== null || child.signalCode !== null);
  for (let waited = 0; !isGone() && waited < END_MS; waited += 20) {
    if (!signal(pid, waited === 0 ? first : waited > END_MS / 2 ? "SIGKILL" : 0)) return;
    await delay(20);
  }
}

/** False when no such process exists. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/**
 * Makes a node write its mempool after every change. By itself it does so only at an orderly stop, and a
 * killed node would forget waiting payments.
 */
function keepMempool(node: CoreNode): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let saved = -1;
  const look = async () => {
    const { mempool_sequence: sequence } = (await node.call("getrawmempool", [false, true])) as {
      mempool_sequence: number;
    };
    if (sequence === saved) return;
    await node.call("savemempool");
    saved = sequence;
  };
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      // A test may have killed the node: leave the files as they are.
      await look().catch(() => {});
      await delay(POLL_MS, null, { ref: false, signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    stop() {
      stopping.abort();
      return loop;
    },
  };
}
