/**
 * Three PostgreSQL 17 under Patroni with a synchronous standby, their etcd, HAProxy and PgBouncer, all from Debian's packages and on
 * 127.0.0.1. A test kills and freezes nodes, and they come back.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { type Unpacked, unpackDebian } from "#lib/dev-chains/unpack-debian.ts";
import { type RunAs, unprivilegedUser } from "#lib/platform/db/embedded-user.ts";
import { temporaryFolder } from "./database.ts";
import { between } from "./fault-random.ts";
import {
  type ClusterFiles,
  haproxyFile,
  type NodePorts,
  type Ports,
  patroniFile,
  pgbouncerFile,
} from "./patroni-files.ts";
import { reachable } from "./postgres-17.ts";
import { until } from "./until.ts";

const NODES = 3;
/** Failing over and joining again take this long at most, on a busy machine too. */
const PATIENCE = { withinMs: 120_000, everyMs: 100 };

/** Rewinding a node and starting it sync its files, also with fsync off. */
const MEMORY = existsSync("/dev/shm") ? "/dev/shm" : undefined;

export interface PatroniNode {
  readonly name: string;
  /** The superuser's URL of this node itself, and the URL of its Patroni. */
  readonly url: string;
  readonly rest: string;
  /** Ends Patroni and PostgreSQL at once, as a machine without power. */
  kill(): void;
  /** Ends PostgreSQL alone. */
  killPostgres(): void;
  /** Stops every process of the node: its connections stay open and nobody answers. */
  freeze(): void;
  thaw(): void;
  /** Starts what kill() has ended. */
  start(): void;
}

export interface PatroniCluster {
  /** The superuser's URL through HAProxy to the primary, to the replicas, and through PgBouncer. */
  readonly urls: { readonly primary: string; readonly replicas: string; readonly pooled: string };
  readonly nodes: readonly PatroniNode[];
  /** The node that accepts writes. */
  primary(): Promise<PatroniNode>;
  /** Waits until one primary has two streaming replicas, one of them synchronous. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

interface Cluster extends ClusterFiles {
  readonly runAs: RunAs;
  readonly unpacked: string;
  readonly children: Set<ChildProcess>;
}

/** The folder of the programs, unpacked from Debian's packages at the first call. */
export function findPatroni(say: (line: string) => void): Promise<Unpacked> {
  return unpackDebian("patroni", "patroni", process.env, say);
}

/** Starts the whole. Its processes end with this one at the latest. */
export async function startPatroni(): Promise<PatroniCluster> {
  const found = await findPatroni(() => {});
  if (!found.ok) throw new Error(found.problem);
  const folder = temporaryFolder(MEMORY);
  const runAs = await unprivilegedUser();
  // Not in memory, from which a system may refuse to run programs.
  const copies = temporaryFolder();
  const unpacked = await reachable(found.folder, copies, runAs);
  const cluster: Cluster = {
    folder,
    runAs,
    unpacked,
    ports: await choosePorts(),
    passwords: { superuser: randomBytes(12).toString("hex"), replication: randomBytes(12).toString("hex") },
    programs: join(unpacked, "root/usr/lib/postgresql/17/bin"),
    children: new Set(),
  };
  const { ports, children } = cluster;
  const killAll = () => {
    for (const node of nodes) node.kill();
    for (const child of children) child.kill("SIGKILL");
    for (const made of [folder, copies])
      rmSync(made, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  process.once("exit", killAll);
  startEtcd(cluster);
  const nodes = ports.nodes.map((node) => openNode(node, cluster));
  startProxies(cluster);
  const at = (port: number) => urlAt(cluster, port);
  const opened: PatroniCluster = {
    urls: { primary: at(ports.primary), replicas: at(ports.replicas), pooled: at(ports.pgbouncer) },
    nodes,
    primary: () => findPrimary(nodes),
    settled: async () => {
      await until("a primary with two replicas", () => isSettled(nodes), PATIENCE);
    },
    async stop() {
      process.off("exit", killAll);
      const ended = [...children].map((child) => new Promise((resolve) => child.once("exit", resolve)));
      killAll();
      await Promise.all(ended);
    },
  };
  await opened.settled();
  return opened;
}

const urlAt = ({ passwords }: Cluster, port: number) =>
  `postgres://postgres:${passwords.superuser}@127.0.0.1:${port}/postgres`;

async function choosePorts(): Promise<Ports> {
  const chosen = new Set<number>();
  // Below those of outgoing connections, one of which could take the port of a dead node.
  while (chosen.size < 5 + 2 * NODES) chosen.add(await choosePort(between(15_000, 31_000)));
  const [etcd = 0, etcdPeers = 0, primary = 0, replicas = 0, pgbouncer = 0, ...rest] = chosen;
  const nodes = Array.from({ length: NODES }, (_, i) => ({
    name: `node${i + 1}`,
    postgres: rest[2 * i] ?? 0,
    rest: rest[2 * i + 1] ?? 0,
  }));
  return { etcd, etcdPeers, primary, replicas, pgbouncer, nodes };
}

/** Runs a program as the user of PostgreSQL, with its output in a file. */
function run({ unpacked, folder, runAs, children }: Cluster, name: string, program: string, args: string[]) {
  const log = openSync(join(folder, `${name}.log`), "a");
  const child = spawn(join(unpacked, program), args, {
    ...runAs,
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", LC_ALL: "C.UTF-8", HOME: folder } as unknown as NodeJS.ProcessEnv,
    stdio: ["ignore", log, log],
  });
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

/** A file or folder of the user of PostgreSQL. */
function own({ folder, runAs }: Cluster, name: string, content: string | null): string {
  const path = join(folder, name);
  if (content === null) mkdirSync(path, { mode: 0o700 });
  else writeFileSync(path, content, { mode: 0o600 });
  if (runAs.uid !== undefined && runAs.gid !== undefined) chownSync(path, runAs.uid, runAs.gid);
  return path;
}

function startEtcd(cluster: Cluster): void {
  const { etcd, etcdPeers } = cluster.ports;
  const [clients, peers] = [`http://127.0.0.1:${etcd}`, `http://127.0.0.1:${etcdPeers}`];
  const args = {
    name: "etcd",
    "data-dir": own(cluster, "etcd", null),
    "listen-client-urls": clients,
    "advertise-client-urls": clients,
    "listen-peer-urls": peers,
    "initial-advertise-peer-urls": peers,
    "initial-cluster": `etcd=${peers}`,
    "unsafe-no-fsync": "true",
  };
  run(
    cluster,
    "etcd",
    "etcd",
    Object.entries(args).map(([name, value]) => `--${name}=${value}`),
  );
}

function startProxies(cluster: Cluster): void {
  const { ports, passwords } = cluster;
  run(cluster, "haproxy", "haproxy", ["-db", "-f", own(cluster, "haproxy.cfg", haproxyFile(ports))]);
  own(cluster, "users.txt", `"postgres" "${passwords.superuser}"\n`);
  own(cluster, "pgbouncer.log", "");
  run(cluster, "pgbouncer-start", "pgbouncer", [own(cluster, "pgbouncer.ini", pgbouncerFile(cluster))]);
}

function openNode(ports: NodePorts, cluster: Cluster): PatroniNode {
  const { name } = ports;
  own(cluster, name, null);
  const file = own(cluster, `${name}.yml`, patroniFile(ports, cluster));
  const data = join(cluster.folder, name, "data");
  let patroni = run(cluster, name, "patroni", [file]);
  const all = (signal: NodeJS.Signals) => {
    const pids = [...listPostgres(data), patroni.pid ?? 0];
    for (const pid of pids) sendTo(pid, signal);
  };
  return {
    name,
    url: urlAt(cluster, ports.postgres),
    rest: `http://127.0.0.1:${ports.rest}`,
    kill: () => all("SIGKILL"),
    killPostgres: () => {
      for (const pid of listPostgres(data)) sendTo(pid, "SIGKILL");
    },
    freeze: () => all("SIGSTOP"),
    thaw: () => all("SIGCONT"),
    start: () => {
      patroni = run(cluster, name, "patroni", [file]);
    },
  };
}

function sendTo(pid: number, signal: NodeJS.Signals): void {
  try {
    if (pid > 0) process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** The ids of the server of a data folder and of its children, the server first: it would start others again. */
function listPostgres(data: string): number[] {
  let postmaster: number;
  try {
    postmaster = Number.parseInt(readFileSync(join(data, "postmaster.pid"), "utf8"), 10);
    if (!readFileSync(`/proc/${postmaster}/cmdline`, "utf8").includes(data)) return [];
  } catch {
    return [];
  }
  const children = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && parentOf(pid) === postmaster);
  return [postmaster, ...children.map(Number)];
}

function parentOf(pid: string): number | null {
  try {
    // "pid (name) state parent …", and a name can have spaces.
    return Number(
      readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) \S /s, "")
        .split(" ")[0],
    );
  } catch {
    return null;
  }
}

/** The node that Patroni lets write. A killed or frozen one does not answer. */
async function findPrimary(nodes: readonly PatroniNode[]): Promise<PatroniNode> {
  let found: PatroniNode | undefined;
  const look = async () => {
    const answers = await Promise.all(nodes.map(({ rest }) => ask(`${rest}/primary`)));
    found = nodes[answers.findIndex((answer) => answer !== null)];
    return found !== undefined;
  };
  await until("a primary", look, PATIENCE);
  return found!;
}

/**
 * Whether the members that Patroni knows are complete and stream. A standby may be promoted once Patroni has written down that
 * it is the synchronous one, which is later than in PostgreSQL.
 */
async function isSettled(nodes: readonly PatroniNode[]): Promise<boolean> {
  const primaries = await Promise.all(nodes.map(({ rest }) => ask(`${rest}/primary`)));
  const { rest } = nodes[primaries.findIndex((answer) => answer !== null)] ?? {};
  const cluster = rest === undefined ? null : await ask(`${rest}/cluster`);
  const { members = [] } = (cluster ?? {}) as { members?: { role: string; state: string }[] };
  const states = members.map(({ role, state }) => `${role} ${state}`).sort();
  return states.join() === "leader running,replica streaming,sync_standby streaming";
}

/** The answer of Patroni with status 200; null for any other. */
async function ask(url: string): Promise<unknown> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(2_000),
      headers: { connection: "close" },
    });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}
