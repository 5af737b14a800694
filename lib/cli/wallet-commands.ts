import { writeFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { openNetworks } from "#lib/chains/registry.ts";
import { createPoolAddresses, createWallet, type WalletAccount } from "#lib/domain/wallets/create-wallet.ts";
import { MAX_IMPORTED_ADDRESSES } from "#lib/domain/wallets/pool-rules.ts";
import { readAccountKeys } from "#lib/server/config.ts";
import { accountVariable } from "#lib/server/network-config.ts";
import { type Cli, CommandRefusal, type WithCli } from "./cli.ts";

/** How many addresses `wallet check` shows of each key. */
const CHECKED = 5;

export function addWalletCommands(wallet: Command, withCli: WithCli): void {
  wallet
    .command("new")
    .description("make a mnemonic and its account public keys, offline; nothing is stored")
    .option("--solana <count>", "Solana addresses too, so many for each environment, to import", addressCount)
    .addOption(
      new Option("--format <format>", "env: the keys as lines for .env, and the words on standard error")
        .choices(["json", "env"])
        .default("json"),
    )
    .option(
      "--out <file>",
      "write the keys to this new file, which only you can read, and the words on standard error",
    )
    .action(withCli(create));
  wallet
    .command("check")
    .description(`the first ${CHECKED} addresses of each configured key, to compare with your own wallet`)
    .action(withCli(check));
}

const NOTE =
  "Live receives on account 0 of these words; test on account 1, or on the test chains' own coin type, so that the " +
  "two never share an address. " +
  "Configure the public keys and accounts only; anyone with these words can spend the funds.";

const WRITE_DOWN =
  "Write the 24 words down on paper and keep them offline. They are shown this once and stored nowhere.";

/** Each address takes some milliseconds. */
function addressCount(text: string): number {
  const count = /^[0-9]{1,6}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > MAX_IMPORTED_ADDRESSES) {
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_IMPORTED_ADDRESSES}.`);
  }
  return count;
}

interface CreateOptions {
  readonly solana?: number;
  readonly format: "json" | "env";
  readonly out?: string;
}

function create(cli: Cli, { solana = 0, format, out }: CreateOptions, command: Command): void {
  if (solana > 0 && format === "env") command.error("error: --solana needs --format json");
  const { mnemonic, accounts } = createWallet();
  const pools = solana > 0 ? createPoolAddresses(mnemonic, solana) : null;
  // A file never has the words: with it they would be lost, or stay on a disk.
  const isShown = format === "env" || out !== undefined;
  const keys = {
    ...(!isShown && { mnemonic }),
    accounts: accounts.map(showAccount),
    ...(pools && { pools }),
    note: NOTE,
  };
  const answer = format === "env" ? formatEnvLines(accounts) : `${JSON.stringify(keys, null, 2)}\n`;
  if (out !== undefined) writePrivately(out, answer);
  cli.printMessage(WRITE_DOWN);
  if (isShown) cli.printMessage(mnemonic);
  if (out === undefined) cli.stdout.write(answer);
  else cli.print({ written: out });
}

const showAccount = ({ env, network, path, xpub }: WalletAccount) => ({
  env,
  network,
  path,
  ...(accountVariable(env, network)?.endsWith("_ACCOUNT") ? { account: xpub } : { xpub }),
  variable: accountVariable(env, network),
});

/** Without the words: `.env` is on the server. */
function formatEnvLines(accounts: readonly WalletAccount[]): string {
  return accounts.map(({ env, network, xpub }) => `${accountVariable(env, network)}=${xpub}\n`).join("");
}

/** An existing file keeps its permissions and may hold other keys, so it is refused. */
function writePrivately(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  } catch (error) {
    const exists = error instanceof Error && "code" in error && error.code === "EEXIST";
    throw new CommandRefusal(
      exists
        ? "--out exists already: choose a new file, so that no keys are overwritten"
        : "--out cannot be written: check the path",
    );
  }
}

function check(cli: Cli): void {
  const keyed = readAccountKeys(cli.readEnvironmentWithDemo());
  if (keyed.length === 0) {
    throw new CommandRefusal("no account key is configured: see docs/operate/wallets.md");
  }
  cli.print(
    openNetworks(keyed)
      .all()
      .map((adapter) => ({
        env: adapter.env,
        network: adapter.network,
        variable: accountVariable(adapter.env, adapter.network),
        addresses: Array.from({ length: CHECKED }, (_, index) => {
          const { address, path } = adapter.addresses.derive(index);
          return { path, address: adapter.addresses.display(address) };
        }),
      })),
  );
}
