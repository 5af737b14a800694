import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { z } from "zod";
import { RECEIPT_PURPOSE } from "#lib/domain/payment-links/receipt/receipt-rules.ts";
import { openSigner, type PublicKeySet, verifySigned } from "#lib/platform/signed-text.ts";
import { readCommandConfig } from "#lib/server/config.ts";
import { type Cli, CommandRefusal, openCommandSecrets, type WithCli } from "./cli.ts";
import { REFUSAL_TEXTS, type RefusalReason } from "./refusals.ts";

export function addReceiptCommands(receipt: Command, withCli: WithCli): void {
  receipt
    .command("verify")
    .description("check a signed receipt, offline, and print what it says")
    .argument("<file>", "the receipt; - reads standard input")
    .option(
      "--keys <file>",
      "the issuer's keys, from its /.well-known/paylink-receipts.json; default: your own",
    )
    .action(withCli(verify));
}

async function verify(cli: Cli, file: string, { keys }: { readonly keys?: string }): Promise<void> {
  const receipt = file === "-" ? await text(cli.stdin) : read(file, "receipt_unreadable");
  const verified = verifySigned(receipt.trim(), keys === undefined ? readOwnKeys(cli) : readKeys(keys));
  if (!verified.ok) throw new CommandRefusal(REFUSAL_TEXTS[`receipt_${verified.reason}`]);
  cli.print(verified.payload);
}

function readOwnKeys(cli: Cli): PublicKeySet {
  const secrets = openCommandSecrets(readCommandConfig(cli.env));
  return openSigner(secrets.deriveAll(RECEIPT_PURPOSE)).publicKeys;
}

const keySet = z.object({
  keys: z.array(
    z.object({
      kty: z.literal("OKP"),
      crv: z.literal("Ed25519"),
      alg: z.literal("EdDSA"),
      use: z.literal("sig"),
      kid: z.string(),
      x: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
    }),
  ),
});

function readKeys(file: string): PublicKeySet {
  try {
    return keySet.parse(JSON.parse(read(file, "receipt_keys_unreadable")));
  } catch {
    throw new CommandRefusal(REFUSAL_TEXTS.receipt_keys_unreadable);
  }
}

function read(file: string, refusal: RefusalReason): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new CommandRefusal(REFUSAL_TEXTS[refusal]);
  }
}
