import type { Command } from "commander";
import { addIp, removeIp } from "#lib/merchants/manage-ips.ts";
import { wholeNumber } from "./options.ts";
import { accepted, print, withDatabase } from "./run-command.ts";

export function addIpCommands(program: Command): void {
  const ip = program.command("ip").description("addresses that live keys may be used from; none listed: any");
  ip.command("add")
    .description("let an address or CIDR range in")
    .argument("<email>", "the merchant")
    .requiredOption("--name <name>", "what it is")
    .requiredOption("--address <address>", "address or CIDR range, IPv4 or IPv6")
    .action(add);
  ip.command("remove")
    .description("take an entry off; with the last one, every address is let in again")
    .argument("<id>", "as `ip add` printed it", wholeNumber)
    .action(remove);
}

async function add(email: string, entry: { name: string; address: string }): Promise<void> {
  await withDatabase(async ({ database }) => {
    const { name, address } = entry;
    const added = await database.db.transaction((tx) => addIp(tx, email, { name, address }, new Date()));
    print({ id: accepted(added).id, name, address });
  });
}

async function remove(id: number): Promise<void> {
  await withDatabase(async ({ database }) => {
    accepted(await database.db.transaction((tx) => removeIp(tx, id)));
    print({ id, removed: true });
  });
}
