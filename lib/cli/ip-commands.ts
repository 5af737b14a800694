import type { Command } from "commander";
import { addIpEntry, removeIpEntry } from "#lib/domain/merchants/ip-entries.ts";
import { listIpEntries } from "#lib/domain/merchants/queries.ts";
import type { Cli, WithCli } from "./cli.ts";
import { getMerchant } from "./find-merchant.ts";
import { parseWholeNumber } from "./options.ts";

export function addIpCommands(ip: Command, withCli: WithCli): void {
  ip.command("add")
    .description("allow an address or CIDR range")
    .argument("<email>", "the merchant")
    .requiredOption("--name <name>", "name of the entry")
    .requiredOption("--address <address>", "address or CIDR range, IPv4 or IPv6")
    .action(withCli(add));
  ip.command("list")
    .description("a merchant's entries")
    .argument("<email>", "the merchant")
    .action(withCli(list));
  ip.command("remove")
    .description("remove an entry; after the last one, any address is allowed again")
    .argument("<id>", "as `ip list` shows it", parseWholeNumber)
    .action(withCli(remove));
}

async function add(cli: Cli, email: string, entry: { name: string; address: string }): Promise<void> {
  await cli.withDatabase(async ({ database }) => {
    const { name, address } = entry;
    const { id } = await cli.runAudited(
      database,
      (tx, now) => addIpEntry(tx, email, { name, address }, now),
      (added) => ({
        action: "ip.add",
        subject: `ip:${added.id}`,
        details: { merchant: added.merchant.email, name, address },
      }),
    );
    cli.print({ id, name, address });
  });
}

async function list(cli: Cli, email: string): Promise<void> {
  await cli.withDatabase(async ({ database }) => {
    const { id } = await getMerchant(database.db, email);
    const entries = await listIpEntries(database.db, id);
    cli.print(
      entries.map((entry) => ({
        id: entry.id,
        name: entry.name,
        address: entry.address,
        created_at: entry.createdAt,
      })),
    );
  });
}

async function remove(cli: Cli, id: number): Promise<void> {
  await cli.withDatabase(async ({ database }) => {
    await cli.runAudited(
      database,
      (tx) => removeIpEntry(tx, id),
      ({ entry: { name, address }, merchant }) => ({
        action: "ip.remove",
        subject: `ip:${id}`,
        details: { merchant: merchant.email, name, address },
      }),
    );
    cli.print({ id, removed: true });
  });
}
