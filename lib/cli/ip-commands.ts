import type { Command } from "commander";
import { addIp, removeIp } from "#lib/domain/merchants/ip-entries.ts";
import { findIpMerchant, listIpEntries } from "#lib/domain/merchants/queries.ts";
import { type Cli, CommandRefusal, type WithCli } from "./cli.ts";
import { getMerchant } from "./find-merchant.ts";
import { parseWholeNumber } from "./options.ts";
import { REFUSAL_TEXTS } from "./refusals.ts";

/** The list is about live keys. */
const LIVE = { env: "live" } as const;

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
    const { id: merchantId } = await getMerchant(database.db, email);
    const { id, name, address } = await cli.perform(database, addIp, { merchantId, ...LIVE }, entry);
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
    const merchantId = await findIpMerchant(database.db, id);
    if (merchantId === null) throw new CommandRefusal(REFUSAL_TEXTS.entry_not_found);
    await cli.perform(database, removeIp, { merchantId, ...LIVE }, { id });
    cli.print({ id, removed: true });
  });
}
