import { createServer } from "node:http";
import type pg from "pg";
import type { Logger } from "pino";
import { Counter, Gauge, Registry } from "prom-client";
import { holdsSignerLock, takeSignerLock } from "#lib/domain/withdrawals/signer/signer-lock.ts";
import { type Clock, clockOf } from "#lib/platform/clock.ts";
import { requireLastingSessions } from "#lib/platform/db/addresses.ts";
import { PostgresClient } from "#lib/platform/db/availability.ts";
import type { Database } from "#lib/platform/db/connection.ts";
import { isRestoreUnfinished, UNFINISHED_RESTORE } from "#lib/platform/db/unfinished-restore.ts";
import { OperatorError } from "#lib/platform/operator-error.ts";
import { repeat } from "#lib/platform/repeat.ts";
import { openPublishing } from "./publish.ts";
import { type PolicyNetwork, stepNetwork } from "./run-signer.ts";

const STEP_MS = 2_000;
/** How long the lock's connection may take to answer. Then the lock counts as lost. */
const ANSWER_MS = 10_000;

interface ServeDeps extends Partial<Clock> {
  readonly open: () => readonly PolicyNetwork[];
  readonly database: Database;
  readonly log: Logger;
}

interface ServeOptions {
  readonly metricsPort: number | null;
  readonly onBroken: (error: unknown) => void;
}

/** Another signer works on this database. */
export class SignerRunsError extends OperatorError {}

/**
 * Pays what may be paid until it is stopped. Each network has a loop of its own, so slow nodes delay no other network. One signer works on
 * a database at a time: the lock ends with its connection. `open` is called once the lock is held: a journal that is read before lacks what
 * another signer still signs. Throws AddressError if the database is behind a pooler that loses the lock. `onBroken` is called when the signer must stop: the lock is lost, or the journal cannot be written.
 */
export async function serveSigner(
  { open, database, log, ...clock }: ServeDeps,
  { metricsPort, onBroken }: ServeOptions,
): Promise<{ readonly signer: readonly PolicyNetwork[]; stop(): Promise<void> }> {
  await requireLastingSessions(database.url);
  const lock = new PostgresClient({
    connectionString: database.url,
    application_name: "paylink signer",
    query_timeout: ANSWER_MS,
  });
  lock.on("error", onBroken);
  await lock.connect();
  const signer = await openLocked(lock, database, open);
  const metrics = metricsPort === null ? null : await serveMetrics(signer, metricsPort);
  const publish = openPublishing(signer, { db: database.db, log, now: clockOf(clock).now });
  const stepped = new Set<PolicyNetwork>();
  let checking: Promise<unknown> | null = null;
  // A connection that was cut has lost the lock. It answers one question at a time.
  const checkLock = () => {
    checking ??= requireLock(lock).finally(() => {
      checking = null;
    });
    return checking;
  };
  const work = signer.map((network) =>
    repeat(`signer ${network.name}`, STEP_MS, { log, ...clock }, async () => {
      try {
        await checkLock();
        if (await stepNetwork(network, log)) stepped.add(network);
      } catch (error) {
        onBroken(error);
      }
    }),
  );
  const publishing = repeat("signer publishing", STEP_MS, { log, ...clock }, async () => {
    const done = [...stepped];
    stepped.clear();
    await publish(done);
  });
  return {
    signer,
    async stop() {
      await Promise.all([...work, publishing].map((task) => task.stop()));
      await Promise.all([lock.end(), metrics?.stop()]);
    },
  };
}

async function requireLock(lock: pg.Client): Promise<void> {
  if (!(await holdsSignerLock(lock))) throw new SignerRunsError("the lock of the signer was lost");
}

/** Opens the signer under the lock, unless the database was not restored completely. Without a signer the connection is closed. */
async function openLocked(
  lock: pg.Client,
  { db }: Database,
  open: () => readonly PolicyNetwork[],
): Promise<readonly PolicyNetwork[]> {
  try {
    if (!(await takeSignerLock(lock))) throw new SignerRunsError("another signer works on this database");
    if (await isRestoreUnfinished(db)) throw new OperatorError(UNFINISHED_RESTORE);
    return open();
  } catch (error) {
    await lock.end();
    throw error;
  }
}

/** Metrics for the machine itself: what waits, and why. */
async function serveMetrics(signer: readonly PolicyNetwork[], port: number) {
  const register = new Registry();
  new Gauge({ name: "paylink_signer_up", help: "1: the signer runs", registers: [register] }).set(1);
  new Gauge({
    name: "paylink_signer_held",
    help: "Pending withdrawals that the signer does not pay, by reason",
    labelNames: ["network", "reason"],
    registers: [register],
    collect() {
      this.reset();
      for (const { name, held: reasons } of signer)
        for (const reason of reasons.values()) this.inc({ network: name, reason });
    },
  });
  new Counter({
    name: "paylink_signer_alarms_total",
    help: "Signs of a changed or restored database since the signer began, by reason",
    labelNames: ["network", "reason"],
    registers: [register],
    collect() {
      this.reset();
      for (const { name, alarms } of signer)
        for (const [reason, count] of alarms) this.inc({ network: name, reason }, count);
    },
  });
  new Gauge({
    name: "paylink_signer_sweep_waiting",
    help: "Tokens whose sweep waits, by reason",
    labelNames: ["network", "reason"],
    registers: [register],
    collect() {
      this.reset();
      for (const { name, sweepWaits } of signer)
        for (const reason of sweepWaits.values()) this.inc({ network: name, reason });
    },
  });
  const server = createServer(async (request, response) => {
    if (request.url !== "/metrics") return void response.writeHead(404).end();
    response.writeHead(200, { "content-type": register.contentType }).end(await register.metrics());
  });
  await new Promise<void>((resolve, reject) => server.on("error", reject).listen(port, "127.0.0.1", resolve));
  return {
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
