import { type Command, InvalidArgumentError } from "commander";
import { createPoolAddresses, createWallet } from "#lib/domain/wallets/create-wallet.ts";
import { MAX_IMPORTED_ADDRESSES } from "#lib/domain/wallets/pool-rules.ts";
import { accountVariable } from "#lib/server/network-config.ts";
import { print, printMessage } from "./run-command.ts";

export function addWalletCommands(program: Command): void {
  const wallet = program.command("wallet").description("keys that addresses are derived from");
  wallet
    .command("new")
    .description("make a mnemonic and its account public keys, offline; nothing is stored")
    .option("--solana <count>", "Solana addresses too, so many for each environment, to import", addressCount)
    .action(create);
}

const NOTE =
  "Live receives on account 0 of these words; test on account 1, or on the test chains' own coin type, so that the " +
  "two never share an address. " +
  "Configure the public keys and accounts only; anyone with these words can spend the funds.";

/** Each address takes some milliseconds. */
function addressCount(text: string): number {
  const count = /^[0-9]{1,6}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > MAX_IMPORTED_ADDRESSES) {
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_IMPORTED_ADDRESSES}.`);
  }
  return count;
}

function create({ solana = 0 }: { solana?: number }): void {
  const { mnemonic, accounts } = createWallet();
  printMessage(
    "Write the 24 words down on paper and keep them offline. They are shown this once and stored nowhere.",
  );
  print({
    mnemonic,
    accounts: accounts.map(({ env, network, path, xpub }) => ({
      env,
      network,
      path,
      ...(accountVariable(env, network)?.endsWith("_ACCOUNT") ? { account: xpub } : { xpub }),
      variable: accountVariable(env, network),
    })),
    ...(solana > 0 && { pools: createPoolAddresses(mnemonic, solana) }),
    note: NOTE,
  });
}
