/**
 * A network for each of a test's machines: namespaces of their own, joined by a bridge in another one, and a disk of their own in memory.
 * A test cuts a machine from the others, and fills its disk. Linux keeps a namespace as long as a process is in it: each has one that ends
 * with this process.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { RunAs } from "#lib/platform/db/embedded-user.ts";
import { between } from "./fault-random.ts";

const execute = promisify(execFile);

export interface Machine {
  readonly address: string;
  /** The command that runs a program on this machine. */
  command(program: string, args: readonly string[], runAs: RunAs): readonly [string, string[]];
  /** Nothing that it sends arrives, and it gets nothing. Nobody is notified. */
  cut(): Promise<void>;
  heal(): Promise<void>;
  /** Mounts a disk of this size there. `path` must be a folder. */
  mount(path: string, megabytes: number, runAs: RunAs): Promise<void>;
  /** The path of one of its files for processes of other machines. */
  pathOf(path: string): string;
  /** Leaves no space on the disk at `path`. */
  fill(path: string): void;
  /** Frees what `fill` has taken. */
  empty(path: string): void;
}

export interface OwnNetworks {
  /** The address of this process for the machines. */
  readonly address: string;
  /** All addresses, with the length of their prefix. */
  readonly range: string;
  readonly machines: readonly Machine[];
  /** Ends them. Their programs must have ended. */
  close(): void;
}

/** Why this machine does not allow them. null: it does. */
export async function findNetworksProblem(): Promise<string | null> {
  try {
    (await openNetworks(1)).close();
    return null;
  } catch (error) {
    const reason = (error as { stderr?: string }).stderr?.trim() || (error as Error).message;
    return `network namespaces (${reason}): run as root on Linux with ip, nsenter and unshare, in a container with SYS_ADMIN and NET_ADMIN`;
  }
}

/** Opens networks for so many machines, at most 12. */
export async function openNetworks(count: number): Promise<OwnNetworks> {
  // RFC 2544 reserves 198.18.0.0/15 for tests of networks. Each run has 16 addresses of it.
  const [third, fourth] = [between(0, 255), 16 * between(0, 15)];
  const addressOf = (i: number) => `198.18.${third}.${fourth + 1 + i}`;
  const holders: Holder[] = [];
  const close = () => {
    for (const { child } of holders) child.kill("SIGKILL");
  };
  try {
    const hub = await openHolder(holders);
    await hub.ip("link", "add", "name", "bridge0", "type", "bridge");
    await hub.ip("link", "set", "bridge0", "up");
    const name = `paylink${between(0, 0xffff).toString(16)}`;
    await execute("ip", ["link", "add", name, "type", "veth", "peer", "name", "port0", "netns", hub.pid]);
    await execute("ip", ["address", "add", `${addressOf(0)}/28`, "dev", name]);
    await execute("ip", ["link", "set", name, "up"]);
    await hub.ip("link", "set", "port0", "master", "bridge0", "up");
    const machines: Machine[] = [];
    for (let i = 1; i <= count; i++) {
      const holder = await openHolder(holders);
      await hub.ip("link", "add", `port${i}`, "type", "veth", "peer", "name", "eth0", "netns", holder.pid);
      await hub.ip("link", "set", `port${i}`, "master", "bridge0", "up");
      await holder.ip("link", "set", "lo", "up");
      await holder.ip("address", "add", `${addressOf(i)}/28`, "dev", "eth0");
      await holder.ip("link", "set", "eth0", "up");
      machines.push(toMachine(holder, addressOf(i), (state) => hub.ip("link", "set", `port${i}`, state)));
    }
    return { address: addressOf(0), range: `198.18.${third}.${fourth}/28`, machines, close };
  } catch (error) {
    close();
    throw error;
  }
}

interface Holder {
  readonly pid: string;
  readonly child: ChildProcess;
  ip(...args: readonly string[]): Promise<unknown>;
}

/** A process in namespaces of its own. It ends when its input does. */
async function openHolder(holders: Holder[]): Promise<Holder> {
  const script = "echo ready; exec cat >/dev/null";
  const child = spawn("unshare", ["--net", "--mount", "sh", "-c", script], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (part: Buffer) => (said += part));
  const ended = once(child, "exit").then(() => {
    throw new Error(said.trim());
  });
  await Promise.race([once(child.stdout, "data"), ended]);
  ended.catch(() => {});
  const pid = String(child.pid);
  const ip = (...args: readonly string[]) => execute("nsenter", ["--target", pid, "--net", "ip", ...args]);
  const holder = { pid, child, ip };
  holders.push(holder);
  return holder;
}

const FILLER = "filler";

function toMachine(
  { pid }: Holder,
  address: string,
  setPort: (state: "up" | "down") => Promise<unknown>,
): Machine {
  const inside = ["--target", pid, "--net", "--mount"];
  const pathOf = (path: string) => `/proc/${pid}/root${path}`;
  return {
    address,
    pathOf,
    command: (program, args, { uid, gid }) => {
      const user = uid === undefined ? [] : ["--setuid", String(uid), "--setgid", String(gid)];
      return ["nsenter", [...inside, ...user, "--", program, ...args]];
    },
    cut: async () => void (await setPort("down")),
    heal: async () => void (await setPort("up")),
    async mount(path, megabytes, { uid = 0, gid = 0 }) {
      const options = `size=${megabytes}m,mode=0700,uid=${uid},gid=${gid}`;
      await execute("nsenter", [...inside, "mount", "-t", "tmpfs", "-o", options, "paylink", path]);
    },
    fill(path) {
      const file = openSync(join(pathOf(path), FILLER), "a");
      for (const size of [2 ** 20, 2 ** 12]) writeUntilFull(file, Buffer.alloc(size));
      closeSync(file);
    },
    empty: (path) => rmSync(join(pathOf(path), FILLER)),
  };
}

function writeUntilFull(file: number, block: Buffer): void {
  try {
    for (;;) writeSync(file, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}
