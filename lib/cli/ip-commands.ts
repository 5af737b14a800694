import type { Command } from "commander";
import { addIpEntry, removeIpEntry } from "#lib/domain/merchants/ip-entries.ts";
import { listIpEntries } from "#lib/domain/merchants/queries.ts";
import { getMerchant } from "./find-merchant.ts";
import { parseWholeNumber } from "./options.ts";
import { print, runAudited, withDatabase } from "./run-command.ts";

export function addIpCommands(ip: Command): void {
  ip.command("add")
    .description("allow an address or CIDR range")
    .argument("<email>", "the merchant")
    .requiredOption("--name <name>", "name of the entry")
    .requiredOption("--address <address>", "address or CIDR range, IPv4 or IPv6")
    .action(add);
  ip.command("list").description("a merchant's entries").argument("<email>", "the merchant").action(list);
  ip.command("remove")
    .description("remove an entry; after the last one, any address is allowed again")
    .argument("<id>", "as `ip list` shows it", parseWholeNumber)
    .action(remove);
}

async function add(email: string, entry: { name: string; address: string }): Promise<void> {
  await withDatabase(async ({ database }) => {
    const { name, address } = entry;
    const { id } = await runAudited(
      database,
      (tx, now) => addIpEntry(tx, email, { name, address }, now),
      (added) => ({
        action: "ip.add",
        subject: `ip:${added.id}`,
        details: { merchant: added.merchant.email, name, address },
      }),
    );
    print({ id, name, address });
  });
}

async function list(email: string): Promise<void> {
  await withDatabase(async ({ database }) => {
    const { id } = await getMerchant(database.db, email);
    const entries = await listIpEntries(database.db, id);
    print(
      entries.map((entry) => ({
        id: entry.id,
        name: entry.name,
        address: entry.address,
        created_at: entry.createdAt,
      })),
    );
  });
}

async function remove(id: number): Promise<void> {
  await withDatabase(async ({ database }) => {
    await runAudited(
      database,
      (tx) => removeIpEntry(tx, id),
      ({ entry: { name, address }, merchant }) => ({
        action: "ip.remove",
        subject: `ip:${id}`,
        details: { merchant: merchant.email, name, address },
      }),
    );
    print({ id, removed: true });
  });
}
