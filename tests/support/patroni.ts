/**
 * Three PostgreSQL 17 under Patroni with a synchronous standby, each with a network and a disk of its own, their etcd, HAProxy and PgBouncer,
 * all from Debian's packages. A test kills, freezes and cuts nodes and fills their disks, and they come back.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
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
import { promisify } from "node:util";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { type Unpacked, unpackDebian } from "#lib/dev-chains/unpack-debian.ts";
import { type RunAs, unprivilegedUser } from "#lib/platform/db/embedded-user.ts";
import { temporaryFolder } from "./database.ts";
import { type Machine, type OwnNetworks, openNetworks } from "./own-networks.ts";
import {
  type ClusterFiles,
  dataOf,
  diskOf,
  haproxyFile,
  type NodePorts,
  type Ports,
  patroniFile,
  pgbouncerFile,
} from "./patroni-files.ts";
import { reachable } from "./postgres-17.ts";
import { until } from "./until.ts";

const NODES = 3;
/** Each failover begins a segment of the log, 16 MB, and checkpoints remove old ones later. */
const DISK_MEGABYTES = 1_024;
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
  /** Takes the node from the network: connections stay open at both ends. */
  cut(): Promise<void>;
  heal(): Promise<void>;
  /** Takes all space of its disk, which has PostgreSQL's data and log. */
  fill(): void;
  empty(): void;
  /** Runs a statement on the node itself, as a program of the same machine that the others cannot reach. */
  query(statement: string): Promise<unknown>;
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
  const networks = await openNetworks(NODES);
  const cluster: Cluster = {
    folder,
    runAs,
    unpacked,
    range: networks.range,
    ports: await choosePorts(networks),
    passwords: { superuser: randomBytes(12).toString("hex"), replication: randomBytes(12).toString("hex") },
    programs: join(unpacked, "root/usr/lib/postgresql/17/bin"),
    children: new Set(),
  };
  const { ports, children } = cluster;
  const killAll = () => {
    for (const node of nodes) node.kill();
    for (const child of children) child.kill("SIGKILL");
    networks.close();
    for (const made of [folder, copies])
      rmSync(made, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  process.once("exit", killAll);
  startEtcd(cluster);
  const nodes: PatroniNode[] = [];
  for (const [i, machine] of networks.machines.entries())
    nodes.push(await openNode(ports.nodes[i] as NodePorts, machine, cluster));
  startProxies(cluster);
  const at = (port: number) => urlAt(cluster, "127.0.0.1", port);
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

const urlAt = ({ passwords }: Cluster, address: string, port: number) =>
  `postgres://postgres:${passwords.superuser}@${address}:${port}/postgres`;

async function choosePorts({ address, machines }: OwnNetworks): Promise<Ports> {
  const chosen = new Set<number>();
  while (chosen.size < 5 + 2 * NODES) chosen.add(await choosePort(0));
  const [etcd = 0, etcdPeers = 0, primary = 0, replicas = 0, pgbouncer = 0, ...rest] = chosen;
  const nodes = machines.map((machine, i) => ({
    name: `node${i + 1}`,
    address: machine.address,
    postgres: rest[2 * i] ?? 0,
    rest: rest[2 * i + 1] ?? 0,
  }));
  return { address, etcd, etcdPeers, primary, replicas, pgbouncer, nodes };
}

/** Runs a program as the user of PostgreSQL, with its output in a file: on this machine, or on one of the cluster's. */
function run(cluster: Cluster, name: string, command: readonly [string, string[]], machine?: Machine) {
  const { unpacked, folder, runAs, children } = cluster;
  const log = openSync(join(folder, `${name}.log`), "a");
  const [program, args] = [join(unpacked, command[0]), command[1]];
  const [first, rest] = machine?.command(program, args, runAs) ?? [program, args];
  const child = spawn(first, rest, {
    // A program of another machine becomes that user there.
    ...(machine === undefined && runAs),
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
  const { address, etcd, etcdPeers } = cluster.ports;
  const [clients, peers] = [`http://${address}:${etcd}`, `http://127.0.0.1:${etcdPeers}`];
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
  const options = Object.entries(args).map(([name, value]) => `--${name}=${value}`);
  run(cluster, "etcd", ["etcd", options]);
}

function startProxies(cluster: Cluster): void {
  const { ports, passwords } = cluster;
  run(cluster, "haproxy", ["haproxy", ["-db", "-f", own(cluster, "haproxy.cfg", haproxyFile(ports))]]);
  own(cluster, "users.txt", `"postgres" "${passwords.superuser}"\n`);
  own(cluster, "pgbouncer.log", "");
  run(cluster, "pgbouncer-start", ["pgbouncer", [own(cluster, "pgbouncer.ini", pgbouncerFile(cluster))]]);
}

async function openNode(ports: NodePorts, machine: Machine, cluster: Cluster): Promise<PatroniNode> {
  const { name } = ports;
  const folder = own(cluster, name, null);
  const disk = diskOf(folder);
  own(cluster, disk.slice(cluster.folder.length + 1), null);
  await machine.mount(disk, DISK_MEGABYTES, cluster.runAs);
  const file = own(cluster, `${name}.yml`, patroniFile(ports, cluster));
  const start = () => run(cluster, name, ["patroni", [file]], machine);
  const url = urlAt(cluster, ports.address, ports.postgres);
  const find = () => listPostgres(dataOf(folder), machine);
  let patroni = start();
  const all = (signal: NodeJS.Signals) => {
    for (const pid of [...find(), patroni.pid ?? 0]) sendTo(pid, signal);
  };
  return {
    name,
    url,
    rest: `http://${ports.address}:${ports.rest}`,
    kill: () => all("SIGKILL"),
    killPostgres: () => {
      for (const pid of find()) sendTo(pid, "SIGKILL");
    },
    freeze: () => all("SIGSTOP"),
    thaw: () => all("SIGCONT"),
    start: () => {
      patroni = start();
    },
    cut: machine.cut,
    heal: machine.heal,
    fill: () => machine.fill(disk),
    empty: () => machine.empty(disk),
    query: (statement) => {
      const args = [url, "--no-psqlrc", "--set=ON_ERROR_STOP=1", `--command=${statement}`];
      const [program, rest] = machine.command(join(cluster.unpacked, "psql"), args, cluster.runAs);
      return promisify(execFile)(program, [...rest]);
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
function listPostgres(data: string, machine: Machine): number[] {
  let postmaster: number;
  try {
    postmaster = Number.parseInt(readFileSync(machine.pathOf(join(data, "postmaster.pid")), "utf8"), 10);
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
