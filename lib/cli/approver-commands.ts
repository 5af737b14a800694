import type { Command } from "commander";
import { openNetworks } from "#lib/chains/registry.ts";
import { passkeyFingerprint } from "#lib/domain/members/passkey-fingerprint.ts";
import { findUserByEmail, listPasskeys } from "#lib/domain/members/queries.ts";
import { signWithdrawal } from "#lib/domain/withdrawals/approve/approve-withdrawal.ts";
import { findWithdrawalByRefid } from "#lib/domain/withdrawals/queries.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { createApprover, signPayout } from "#lib/signer/approvals.ts";
import { isSamePayout } from "#lib/signer/entry-rules.ts";
import { readPrivateFile, writeNewFile } from "#lib/signer/host-files.ts";
import { toPayout } from "#lib/signer/payout-rules.ts";
import { type Cli, CommandRefusal, type WithCli } from "./cli.ts";
import { requireConsole } from "./console-commands.ts";
import { readLine } from "./read-line.ts";

/** Commands for people who approve large withdrawals. */
export function addApproverCommands(signer: Command, withCli: WithCli): void {
  signer
    .command("approver")
    .description("the key of a person who approves large withdrawals, for the policy")
    .option("--out <file>", "make a key, and write its secret to a new file on that person's own machine")
    .option("--passkey <email>", "print the passkeys that this person has in the console; on the server")
    .action(withCli(approver));
  signer
    .command("approve")
    .description("show a pending withdrawal, ask, and approve it with an approver's key")
    .argument("<refid>", "the withdrawal")
    .requiredOption("--name <name>", "the approver's name in the policy")
    .requiredOption("--key <file>", "the file of `signer approver`")
    .option("--yes", "sign without a question, for scripts: it is printed, but nobody compares it")
    .action(withCli(approve));
}

async function approver(
  cli: Cli,
  {
    out,
    passkey,
  }: {
    readonly out?: string;
    readonly passkey?: string;
  },
): Promise<void> {
  if ((out === undefined) === (passkey === undefined))
    throw new CommandRefusal("give --out for a key file, or --passkey for a person of the console");
  if (passkey !== undefined) return showPasskeys(cli, passkey);
  const { secretKey, publicKey } = createApprover();
  writeNewFile(out ?? "", `${secretKey}\n`);
  cli.print({ written: out, public_key: publicKey });
}

const COMPARE =
  'Compare the fingerprint with the one that this person sees on the page "Your account", by telephone or in person.';

/** Each passkey as the policy file has it. Anyone who can write to the database can change what this prints. */
async function showPasskeys(cli: Cli, email: string): Promise<void> {
  await cli.withDatabase(async ({ config, database: { db } }) => {
    const { origin, hostname } = new URL(requireConsole(config));
    const user = await findUserByEmail(db, email);
    const passkeys = user === null ? [] : await listPasskeys(db, user.id);
    if (passkeys.length === 0)
      throw new CommandRefusal(`no person of the console with the e-mail address ${email} has a passkey`);
    cli.print(
      passkeys.map(({ name, createdAt, credentialId, publicKey }) => ({
        name,
        created_at: createdAt,
        fingerprint: passkeyFingerprint({ credentialId, publicKey }),
        policy: {
          passkey: {
            id: credentialId,
            public_key: publicKey.toString("base64url"),
            rp_id: hostname,
            origin,
          },
        },
      })),
    );
    cli.printMessage(COMPARE);
  });
}

interface Approval {
  readonly name: string;
  readonly key: string;
  readonly yes?: boolean;
}

/** Signs exactly what the person has compared. */
async function approve(cli: Cli, refid: string, { name, key, yes = false }: Approval): Promise<void> {
  const secretKey = readPrivateFile(key).trim();
  if (!/^[0-9a-f]{64}$/.test(secretKey))
    throw new CommandRefusal(`${key} is no key of an approver: make one with "signer approver --out FILE"`);
  await cli.withDatabase(async ({ config, database }) => {
    const found = await findWithdrawalByRefid(database.db, { env: null, refid, merchantId: null });
    if (found === null)
      throw new CommandRefusal(`there is no withdrawal ${refid}: "withdrawal list" shows those that wait`);
    if (found.status !== "pending")
      throw new CommandRefusal(`the withdrawal ${refid} was sent or ended: it waits for nobody`);
    const { env, network, token, amount, toAddress, email } = found;
    const to = openNetworks(config.networks).find(env, network)?.addresses.display(toAddress) ?? toAddress;
    const whole = formatAmount(amount, TOKENS[token].ledgerDecimals);
    const shown = { env, network, token, amount: whole, to, merchant: email };
    for (const [field, value] of Object.entries(shown)) cli.printMessage(`${`${field}:`.padEnd(10)}${value}`);
    if (!yes) await askYes(cli, "Compare each line with the merchant by another way. Type yes to sign: ");
    const sign = (row: Parameters<typeof toPayout>[0]) => {
      if (isSamePayout(toPayout(row), toPayout(found))) return signPayout(toPayout(row), secretKey);
      throw new CommandRefusal("the withdrawal was changed meanwhile, and nothing was signed: start again");
    };
    await cli.perform(database, signWithdrawal, found, { refid, approver: name, sign });
    cli.print({ refid, approved_by: name, ...shown });
  });
}

/** Asks a question on the terminal. Throws a CommandRefusal unless "yes" is typed. Without a terminal, the line comes from standard input. */
async function askYes(cli: Cli, question: string): Promise<void> {
  cli.stderr.write(question);
  const line = await readLine(cli.stdin);
  if (line?.trim() === "yes") return;
  cli.stderr.write("\n");
  throw new CommandRefusal('nothing was signed: the answer was not "yes". Scripts add --yes');
}
