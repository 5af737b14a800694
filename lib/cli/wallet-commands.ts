import type { Command } from "commander";
import { accountVariable } from "#lib/server/network-config.ts";
import { createWallet } from "#lib/wallets/create-wallet.ts";
import { print, say } from "./run-command.ts";

export function addWalletCommands(program: Command): void {
  const wallet = program.command("wallet").description("keys that addresses are derived from");
  wallet
    .command("new")
    .description("make a mnemonic and its account public keys, offline; nothing is stored")
    .action(create);
}

const NOTE =
  "Live receives on account 0 of these words; test on account 1, or on the test chains' own coin type, so that the " +
  "two never share an address. " +
  "Configure the public keys and accounts only; whoever has the words has the money.";

function create(): void {
  const { mnemonic, accounts } = createWallet();
  say("Write the 24 words down on paper and keep them offline. They are shown this once and stored nowhere.");
  print({
    mnemonic,
    accounts: accounts.map(({ env, network, path, xpub }) => ({
      env,
      network,
      path,
      ...(accountVariable(env, network).endsWith("_ACCOUNT") ? { account: xpub } : { xpub }),
      variable: accountVariable(env, network),
    })),
    note: NOTE,
  });
}
