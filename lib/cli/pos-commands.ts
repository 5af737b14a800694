import type { Command } from "commander";
import { findForm } from "#lib/domain/forms/queries.ts";
import { addDevice, listDevices, revokeDevice } from "#lib/domain/pos/manage-devices.ts";
import { findDeviceOwner } from "#lib/domain/pos/queries.ts";
import { posUrl } from "#lib/domain/pos/sell.ts";
import type { DeviceRow } from "#lib/domain/pos/types.ts";
import { type Cli, CommandRefusal, type WithCli } from "./cli.ts";
import { parseWholeNumber } from "./options.ts";
import { addListOptions, type ListOptions, printList } from "./print-list.ts";
import { REFUSAL_TEXTS } from "./refusals.ts";

export function addPosCommands(pos: Command, withCli: WithCli): void {
  pos
    .command("add")
    .description("add a device that sells for a form; prints its page and the code to enter there once")
    .argument("<form>", "the last part of its URL")
    .requiredOption("--name <text>", "what the device is called, such as 'Counter 1'")
    .action(withCli(add));
  const list = pos
    .command("list")
    .description("devices of a form, newest first")
    .argument("<form>", "the last part of its URL")
    .option("--before <id>", "only devices older than this one", parseWholeNumber);
  addListOptions(list).action(withCli(show));
  pos
    .command("revoke")
    .description("end a device at once; what it has sold can still be paid")
    .argument("<device>", "as `pos list` shows it", parseWholeNumber)
    .action(withCli(revoke));
}

async function add(cli: Cli, formCode: string, { name }: { readonly name: string }): Promise<void> {
  await cli.withDatabase(async ({ config, database }) => {
    const found = await findForm(database.db, formCode);
    if (found === null) throw new CommandRefusal(REFUSAL_TEXTS.form_not_found);
    const { device, deviceCode } = await cli.perform(database, addDevice, found.form, { formCode, name });
    const url = posUrl(config, formCode);
    cli.print({
      ...showDevice(device),
      pos_url: url,
      device_code: deviceCode,
      code_expires_at: device.codeExpiresAt,
    });
  });
}

interface ListGiven extends ListOptions {
  readonly before?: number;
}

async function show(cli: Cli, formCode: string, options: ListGiven): Promise<void> {
  const { before = null, limit } = options;
  await cli.withDatabase(async ({ database: { db } }) => {
    const devices = await listDevices(db, formCode, { before, limit: limit + 1 });
    if (devices === null) throw new CommandRefusal(REFUSAL_TEXTS.form_not_found);
    printList(cli, devices.map(showDevice), options, {
      columns: ["device", "name", "created_at", "paired_at", "revoked_at"],
      next: ({ device }) => `--before ${device}`,
    });
  });
}

async function revoke(cli: Cli, id: number): Promise<void> {
  await cli.withDatabase(async ({ database }) => {
    const owner = await findDeviceOwner(database.db, id);
    if (owner === null) throw new CommandRefusal(REFUSAL_TEXTS.device_not_found);
    const { device } = await cli.perform(database, revokeDevice, owner, { id });
    cli.print(showDevice(device));
  });
}

function showDevice({ id, name, createdAt, pairedAt, revokedAt }: DeviceRow) {
  return { device: id, name, created_at: createdAt, paired_at: pairedAt, revoked_at: revokedAt };
}
