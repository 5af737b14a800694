import type { Command } from "commander";
import { countAttention } from "#lib/domain/attention/queries.ts";
import { countOpenDeposits } from "#lib/domain/deposits/queries.ts";
import { measureMails } from "#lib/domain/mail/queries.ts";
import { listNetworkTroubles, measureWatching } from "#lib/domain/network-status/queries.ts";
import { qualifiedNetworkName } from "#lib/domain/network-status/rules.ts";
import type { WatchMeasurement } from "#lib/domain/network-status/types.ts";
import { countOpenLinks, countOverdueLinks } from "#lib/domain/payment-links/queries.ts";
import { countFailingEndpoints, measureDeliveries } from "#lib/domain/webhooks/queries.ts";
import { countOpenWithdrawals } from "#lib/domain/withdrawals/queries.ts";
import type { Database } from "#lib/platform/db/connection.ts";
import { findReplicaProblem, REPLICA_PROBLEMS } from "#lib/platform/db/replica.ts";
import { countSessions } from "#lib/platform/db/sessions.ts";
import type { CommandConfig } from "#lib/server/config.ts";
import { type Cli, CONTROL_CHARACTERS, type WithCli } from "./cli.ts";
import { addFormatOptions, type FormatOptions } from "./print-list.ts";
import { readVersion } from "./read-version.ts";

export function addStatusCommand(status: Command, withCli: WithCli): void {
  addFormatOptions(status).action(withCli(show));
}

async function show(cli: Cli, { table, json }: FormatOptions): Promise<void> {
  await cli.withDatabase(async ({ config, database }) => {
    const status = await readStatus(database, config, cli.now());
    if (!table && (json || !cli.stdout.isTTY)) cli.print(status);
    else for (const line of describeStatus(status)) cli.stdout.write(`${line}\n`);
  });
}

type Status = Awaited<ReturnType<typeof readStatus>>;

/** Reads everything from the database, where web and worker keep it. No node is asked. */
async function readStatus(database: Database, config: CommandConfig, now: Date) {
  const { db } = database;
  // Adapters of nodes take longer to load than all else of this command.
  const networks = { all: () => config.networks };
  const [sessions, watching, deposits, troubles, open, overdue] = await Promise.all([
    countSessions(db),
    measureWatching(db, networks),
    countOpenDeposits(db),
    listNetworkTroubles({ db, networks }, now),
    countOpenLinks(db),
    countOverdueLinks(db, now),
  ]);
  const [withdrawals, deliveries, failing, mails, attention] = await Promise.all([
    countOpenWithdrawals(db),
    measureDeliveries(db, now),
    countFailingEndpoints(db),
    measureMails(db, now),
    countAttention(db),
  ]);
  const sum = (rows: readonly { readonly count: number }[]) =>
    rows.reduce((all, { count }) => all + count, 0);
  return {
    version: readVersion(),
    sessions,
    networks: watching.map((one) => showNetwork(one, troubles.unwatched)),
    links: { open, overdue: overdue.overdue },
    deposits: {
      waiting: sum(deposits.filter(({ state }) => state === "waiting")),
      held: sum(deposits.filter(({ state }) => state === "held")),
    },
    withdrawals: {
      waiting: sum(withdrawals),
      to_review: sum(withdrawals.filter(({ finding }) => finding !== null)),
    },
    webhooks: { due: deliveries.due, failing_endpoints: failing, disabled_endpoints: deliveries.disabled },
    mails: { due: mails.due, failed: mails.failed },
    attention,
    replica: await readReplica(database, config.readDatabaseUrl),
  };
}

/** Null without a replica. */
async function readReplica(database: Database, url: string | null) {
  if (url === null) return null;
  const problem = await findReplicaProblem(database, url);
  return { used: problem === null, reason: problem === null ? null : REPLICA_PROBLEMS[problem] };
}

function showNetwork({ env, network, progress, gapBlocks }: WatchMeasurement, unwatched: readonly string[]) {
  return {
    env,
    network,
    watched: !unwatched.includes(qualifiedNetworkName(env, network)),
    height: progress?.height ?? null,
    lag_blocks: progress === null ? null : Math.max(0, progress.nodeHeight - progress.height),
    read_at: progress?.passStartedAt ?? null,
    finality_late: progress?.finality.finalityLate ?? false,
    gap_blocks: gapBlocks,
  };
}

/** One screen. */
function describeStatus(status: Status): string[] {
  const { sessions, networks, links, deposits, withdrawals, webhooks, mails, attention, replica } = status;
  const isUp = sessions.server > 0;
  const setAside = Object.entries(attention).filter(([, count]) => count > 0);
  return [
    `Paylink ${status.version}`,
    line("server", isUp ? "connected to the database" : "NOT connected to the database: start it"),
    line("worker", `watches ${sessions.watchers} of ${networks.length} networks`),
    line("signer", sessions.signer > 0 ? "connected to the database" : "not connected"),
    ...(replica === null
      ? []
      : [line("replica", replica.used ? "answers lists and exports" : `LEFT OUT: ${replica.reason}`)]),
    ...networks.map(describeNetwork),
    line(
      "links",
      `${links.open.live} live and ${links.open.test} test wait for a payment${list({ overdue: links.overdue })}`,
    ),
    line("deposits", `${deposits.waiting} wait for confirmations${list({ "wait for you": deposits.held })}`),
    line("withdrawals", `${withdrawals.waiting} wait${list({ "need a decision": withdrawals.to_review })}`),
    line(
      "webhooks",
      `${webhooks.due} due${list({ "endpoints fail": webhooks.failing_endpoints, "endpoints are disabled": webhooks.disabled_endpoints })}`,
    ),
    line("mails", `${mails.due} due${list({ failed: mails.failed })}`),
    line(
      "attention",
      setAside.length === 0
        ? "nothing was set aside"
        : `${setAside.map(([kind, count]) => `${count} ${kind}`).join(", ")}: see \`attention list\``,
    ),
  ];
}

const line = (name: string, text: string) => `${name.padEnd(16)}${text.replace(CONTROL_CHARACTERS, "?")}`;

/** The counts that are not 0, after a comma. */
const list = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `, ${count} ${what}`)
    .join("");

function describeNetwork(one: Status["networks"][number]): string {
  const { env, network, watched, height, lag_blocks, finality_late, gap_blocks } = one;
  const progress = height === null ? "never read" : `read to ${height}, ${lag_blocks} blocks behind its node`;
  return line(
    `${env} ${network}`,
    `${watched ? "watched" : "NOT WATCHED"}, ${progress}${finality_late ? ", finality is late" : ""}${list({ "blocks were never read": gap_blocks })}`,
  );
}
