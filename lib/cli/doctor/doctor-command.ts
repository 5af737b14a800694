import type { Command } from "commander";
import type { CommandConfig } from "#lib/server/config.ts";
import { type Cli, CONTROL_CHARACTERS, CommandRefusal, type WithCli } from "../cli.ts";
import { addFormatOptions, type FormatOptions } from "../print-list.ts";
import { checkDatabase } from "./check-database.ts";
import { checkEnvironment } from "./check-environment.ts";
import { checkBackup, checkDisk } from "./check-machine.ts";
import { checkNodes } from "./check-nodes.ts";
import { checkMail, checkPrices, checkTls } from "./check-outside.ts";
import { checkPorts } from "./check-ports.ts";
import { type Finding, runCheck } from "./finding.ts";

type Check = readonly [
  name: string,
  limitMs: number,
  work: (cli: Cli, config: CommandConfig) => Promise<readonly Finding[]>,
];

/** The checks in the order of the report. They run side by side, each with its own limit. */
const CHECKS: readonly Check[] = [
  ["database", 30_000, checkDatabase],
  ["networks", 60_000, (cli, { networks }) => checkNodes(networks, cli.now)],
  ["ports", 10_000, (_, config) => checkPorts(config)],
  ["tls", 10_000, (cli, config) => checkTls(config, cli.now())],
  ["mail", 30_000, (_, config) => checkMail(config)],
  ["prices", 30_000, (cli, config) => checkPrices(config, cli.now)],
  ["disk", 5_000, (_, config) => checkDisk(config)],
  ["backup", 5_000, (cli, config) => checkBackup(config, cli.now())],
];

export function addDoctorCommand(doctor: Command, withCli: WithCli): void {
  addFormatOptions(doctor).action(withCli(examine));
}

/** Prints every finding. Refused if a check failed, so that the exit status is 1. */
async function examine(cli: Cli, { table, json }: FormatOptions): Promise<void> {
  const { config, findings: first } = checkEnvironment(cli);
  const others =
    config === null
      ? []
      : await Promise.all(
          CHECKS.map(([name, limit, work]) => runCheck(name, limit, () => work(cli, config))),
        );
  const findings = [...first, ...others.flat()];
  if (!table && (json || !cli.stdout.isTTY)) cli.print(findings);
  else for (const finding of findings) cli.stdout.write(describe(finding));
  if (config === null) cli.printMessage("the other checks need an environment that can be used");
  const count = (status: Finding["status"]) => findings.filter((one) => one.status === status).length;
  if (count("failed") > 0)
    throw new CommandRefusal(`${count("failed")} failed, ${count("warning")} warnings, ${count("ok")} ok`);
  cli.printMessage(`${count("warning")} warnings, ${count("ok")} ok`);
}

const WIDTH = 9;

function describe({ check, status, found, advice }: Finding): string {
  const line = `${status.padEnd(WIDTH)}${check}: ${found}`;
  const lines = advice === null ? [line] : [line, `${" ".repeat(WIDTH)}→ ${advice}`];
  return lines.map((one) => `${one.replace(CONTROL_CHARACTERS, "?")}\n`).join("");
}
