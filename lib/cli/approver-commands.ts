import type { Command } from "commander";
import { passkeyFingerprint } from "#lib/domain/members/passkey-fingerprint.ts";
import { findUserByEmail, listPasskeys } from "#lib/domain/members/queries.ts";
import { signWithdrawal } from "#lib/domain/withdrawals/sign-withdrawal.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { createApprover, signPayout } from "#lib/signer/approvals.ts";
import { readPrivateFile, writeNewFile } from "#lib/signer/host-files.ts";
import { toPayout } from "#lib/signer/to-payout.ts";
import { requireConsole } from "./console-commands.ts";
import {
  CommandRefusal,
  getOperatorName,
  print,
  printMessage,
  requireSuccess,
  withDatabase,
} from "./run-command.ts";

/** Commands for people who approve large withdrawals. */
export function addApproverCommands(signer: Command): void {
  signer
    .command("approver")
    .description("the key of a person who approves large withdrawals, for the policy")
    .option("--out <file>", "make a key, and write its secret to a new file on that person's own machine")
    .option("--passkey <email>", "print the passkeys that this person has in the console; on the server")
    .action(approver);
  signer
    .command("approve")
    .description("approve a pending withdrawal with an approver's key")
    .argument("<refid>", "the withdrawal")
    .requiredOption("--name <name>", "the approver's name in the policy")
    .requiredOption("--key <file>", "the file of `signer approver`")
    .action(approve);
}

async function approver({
  out,
  passkey,
}: {
  readonly out?: string;
  readonly passkey?: string;
}): Promise<void> {
  if ((out === undefined) === (passkey === undefined))
    throw new CommandRefusal("give --out for a key file, or --passkey for a person of the console");
  if (passkey !== undefined) return showPasskeys(passkey);
  const { secretKey, publicKey } = createApprover();
  writeNewFile(out ?? "", `${secretKey}\n`);
  print({ written: out, public_key: publicKey });
}

const COMPARE =
  'Compare the fingerprint with the one that this person sees on the page "Your account", by telephone or in person.';

/** Each passkey as the policy file has it. Anyone who can write to the database can change what this prints. */
async function showPasskeys(email: string): Promise<void> {
  await withDatabase(async ({ config, database: { db } }) => {
    const { origin, hostname } = new URL(requireConsole(config));
    const user = await findUserByEmail(db, email);
    const passkeys = user === null ? [] : await listPasskeys(db, user.id);
    if (passkeys.length === 0)
      throw new CommandRefusal(`no person of the console with the e-mail address ${email} has a passkey`);
    print(
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
    printMessage(COMPARE);
  });
}

async function approve(
  refid: string,
  { name, key }: { readonly name: string; readonly key: string },
): Promise<void> {
  const secretKey = readPrivateFile(key).trim();
  if (!/^[0-9a-f]{64}$/.test(secretKey)) throw new CommandRefusal("--key is no file of `signer approver`");
  await withDatabase(async ({ database: { db } }) => {
    const sign = (row: Parameters<typeof toPayout>[0]) => signPayout(toPayout(row), secretKey);
    const request = { refid, approver: name, actor: getOperatorName() };
    const { withdrawal } = requireSuccess(await signWithdrawal(db, request, sign, new Date()));
    const { env, network, token, amount, toAddress } = withdrawal;
    const whole = formatAmount(amount, TOKENS[token].ledgerDecimals);
    print({ refid, approved_by: name, env, network, token, amount: whole, to: toAddress });
  });
}
