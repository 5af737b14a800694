import { type Command, Option } from "commander";
import type { Env } from "#lib/chains/network-data.ts";
import { pairCode } from "#lib/chains/networks.ts";
import { ROLES } from "#lib/domain/authority/role-rules.ts";
import { KEY_SCOPES, type KeyScope, type Role } from "#lib/domain/authority/types.ts";
import { invitationUrl, inviteMember } from "#lib/domain/members/invite.ts";
import { createMerchant, type MerchantCredentials } from "#lib/domain/merchants/create-merchant.ts";
import { listMerchants } from "#lib/domain/merchants/queries.ts";
import type { Merchant, StoredPicture } from "#lib/domain/merchants/types.ts";
import {
  type ProfileChanges,
  setFee,
  setStatus,
  updateMerchant,
} from "#lib/domain/merchants/update-merchant.ts";
import { merchantPairs } from "#lib/domain/payment-links/availability-rules.ts";
import { updateEndpoint } from "#lib/domain/webhooks/change-endpoints.ts";
import { listEndpoints, listFirstEndpointUrls } from "#lib/domain/webhooks/queries.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import {
  type Cli,
  CommandRefusal,
  openCommandSecrets,
  type Place,
  requireSuccess,
  type WithCli,
} from "./cli.ts";
import { requireConsole, showInvitation } from "./console-commands.ts";
import { getMerchant } from "./find-merchant.ts";
import { addMerchantMailCommand } from "./merchant-mail-command.ts";
import {
  collect,
  envOption,
  parseFlag,
  parseNumberOrNone,
  parseTextOrNone,
  parseWholeNumber,
} from "./options.ts";
import { REFUSAL_TEXTS } from "./refusals.ts";

export function addMerchantCommands(merchant: Command, withCli: WithCli): void {
  merchant
    .command("create")
    .description("create a merchant and print its keys and webhook secrets once")
    .requiredOption("--email <email>", "the merchant's e-mail address, which other commands use")
    .requiredOption("--name <name>", "name on the payment page")
    .option("--webhook-url <url>", "URL for events of both environments")
    .addOption(
      new Option("--scope <scope>", "permissions of the two keys").choices(KEY_SCOPES).default("full"),
    )
    .action(withCli(create));
  merchant.command("list").description("every merchant").action(withCli(list));
  merchant
    .command("update")
    .description("change a merchant's settings")
    .argument("<email>", "the merchant")
    .addOption(envOption())
    .option("--name <name>", "name on the payment page")
    .option("--webhook-url <url>", "URL for events of --env; none: no events")
    .addOption(
      new Option("--late-policy <policy>", "what a payment does after the link expired").choices([
        "hold",
        "accept",
      ]),
    )
    .option("--fee-percentage <percent>", "fee on buys and withdrawals")
    .option("--rate-markup-bps <bps>", "basis points added to every rate", parseWholeNumber)
    .option("--fixed-rates <rates>", "rates instead of market rates; none: market rates")
    .option("--tolerance-under-bps <bps>", "basis points that may be missing", parseWholeNumber)
    .option(
      "--tolerance-under-max <units>",
      "the most that may be missing, in whole units of the link's currency; none: no limit but the basis points",
      parseNumberOrNone,
    )
    .option(
      "--round-stablecoins <0|1>",
      "1: amounts of stablecoins are rounded up to a cent; 0: they are exact",
      parseFlag,
    )
    .option("--tolerance-over-bps <bps>", "basis points over that are no overpayment", parseWholeNumber)
    .option(
      "--allow-origin <origin>",
      "a web origin that may frame the payment page; repeat for more, none: nobody",
      collect,
    )
    .option(
      "--pairs <pairs>",
      "pairs that payment links offer, in this order, like bitcoin/btc,erc20/eth; none: the default three",
    )
    .option("--logo <file>", "picture on the payment page: PNG, JPEG or WebP, best square; none: the initial")
    .option("--accent <color>", "color of the payment page, like '#c81e1e'; none: Paylink's own")
    .option(
      "--support <contact>",
      "e-mail address, https URL or +telephone where customers find help; none: nowhere",
    )
    .addOption(new Option("--disable", "reject the merchant's API calls").conflicts("enable"))
    .option("--enable", "accept the merchant's API calls again")
    .action(withCli(update));
  addMerchantMailCommand(merchant, withCli);
  addMerchantInviteCommand(merchant, withCli);
}

interface CreateOptions {
  email: string;
  name: string;
  webhookUrl?: string;
  scope: KeyScope;
}

async function create(cli: Cli, options: CreateOptions): Promise<void> {
  await cli.withDatabase(async ({ config, database }) => {
    const sealer = openCommandSecrets(config);
    const { email, name, scope } = options;
    const webhookUrl = parseTextOrNone(options.webhookUrl ?? "");
    const made = await cli.performHere(database, createMerchant, { sealer, email, name, webhookUrl, scope });
    cli.print({
      merchant: { id: made.merchant.id, email: made.merchant.email, name: made.merchant.name },
      live: showCredentials(made.live),
      test: showCredentials(made.test),
    });
  });
}

function showCredentials({ apiKey, webhookSecret }: MerchantCredentials) {
  return { api_key: apiKey, webhook_secret: webhookSecret };
}

async function list(cli: Cli): Promise<void> {
  await cli.withDatabase(async ({ database: { db } }) =>
    cli.print(await showMerchants(db, await listMerchants(db))),
  );
}

interface ProfileOptions {
  name?: string;
  latePolicy?: "hold" | "accept";
  rateMarkupBps?: number;
  fixedRates?: string;
  toleranceUnderBps?: number;
  toleranceUnderMax?: number | "none";
  toleranceOverBps?: number;
  roundStablecoins?: boolean;
  allowOrigin?: string[];
  pairs?: string;
  logo?: string;
  accent?: string;
  support?: string;
}

interface UpdateOptions extends ProfileOptions {
  env: Env;
  webhookUrl?: string;
  feePercentage?: string;
  disable?: true;
  enable?: true;
}

async function update(cli: Cli, email: string, options: UpdateOptions, command: Command): Promise<void> {
  const { env, webhookUrl, feePercentage, disable, enable, ...given } = options;
  const profile = await readProfile(given);
  const isSame = Object.keys(profile).length === 0;
  if (isSame && [webhookUrl, feePercentage, disable, enable].every((one) => one === undefined))
    command.error("error: nothing to change was given");
  await cli.withDatabase(async ({ database }) => {
    const { id: merchantId } = await getMerchant(database.db, email);
    const place = { merchantId, env };
    await cli.performTogether(database, place, async (perform) => {
      if (!isSame) await perform(updateMerchant, profile);
      if (feePercentage !== undefined) await perform(setFee, { feePercentage });
      if (enable || disable) await perform(setStatus, { status: enable ? "active" : "disabled" });
      if (webhookUrl !== undefined) {
        const url = parseTextOrNone(webhookUrl);
        await perform(updateEndpoint, { ...(await getFirstEndpoint(database.db, place)), url });
      }
    });
    const merchant = await getMerchant(database.db, email);
    cli.print((await showMerchants(database.db, [merchant]))[0]);
  });
}

/** The endpoint that the merchant was created with. */
async function getFirstEndpoint(db: Db, place: Place): Promise<{ readonly id: number }> {
  const [endpoint] = await listEndpoints(db, place);
  if (endpoint === undefined) throw new CommandRefusal(REFUSAL_TEXTS.no_endpoint);
  return { id: endpoint.id };
}

/** The changes of the options. The picture is read before the database is opened, so that a bad picture is refused early. */
async function readProfile(options: ProfileOptions): Promise<ProfileChanges> {
  const { fixedRates, allowOrigin, pairs, logo, accent, support, ...rest } = options;
  const { toleranceUnderMax: most, ...changes } = rest;
  const logoFile = parseTextOrNone(logo ?? "");
  const newLogo = logoFile === null ? null : await readNewLogo(logoFile);
  return {
    ...changes,
    ...(most === undefined ? {} : { toleranceUnderMax: most === "none" ? null : most }),
    ...(fixedRates === undefined ? {} : { fixedRates: parseTextOrNone(fixedRates) }),
    ...(allowOrigin === undefined ? {} : { allowOrigins: allowOrigin.filter((origin) => origin !== "none") }),
    ...(pairs === undefined ? {} : { paymentPairs: parsePairs(pairs) }),
    ...(logo === undefined ? {} : { logo: newLogo }),
    ...(accent === undefined ? {} : { accent: parseTextOrNone(accent.toLowerCase()) }),
    ...(support === undefined ? {} : { support: parseTextOrNone(support.trim()) }),
  };
}
/** The names as they are stored, checked later. Null: the default ones. */
function parsePairs(text: string): string[] | null {
  return (
    parseTextOrNone(text)
      ?.split(",")
      .map((code) => code.trim().toLowerCase()) ?? null
  );
}

/** The library that decodes pictures is large, and few calls need it. */
async function readNewLogo(file: string): Promise<StoredPicture> {
  const { readLogo } = await import("./read-picture.ts");
  return requireSuccess(await readLogo(file)).picture;
}

async function showMerchants(db: Db, merchants: readonly Merchant[]) {
  const urls = await listFirstEndpointUrls(
    db,
    merchants.map(({ id }) => id),
  );
  return merchants.map((merchant) => ({
    id: merchant.id,
    email: merchant.email,
    name: merchant.name,
    status: merchant.status,
    late_policy: merchant.latePolicy,
    fee_percentage: merchant.feePercentage,
    rate_markup_bps: merchant.rateMarkupBps,
    fixed_rates: merchant.fixedRates,
    tolerance_under_bps: merchant.toleranceUnderBps,
    tolerance_under_max: merchant.toleranceUnderMax,
    tolerance_over_bps: merchant.toleranceOverBps,
    round_stablecoins: Number(merchant.roundStablecoins),
    pairs: merchantPairs(merchant).map(pairCode),
    allow_origins: merchant.allowOrigins,
    logo: merchant.logo,
    accent: merchant.accent,
    support: merchant.support,
    webhook_url: urls.get(merchant.id) ?? null,
    created_at: merchant.createdAt,
    updated_at: merchant.updatedAt,
  }));
}

export function addMerchantInviteCommand(merchant: Command, withCli: WithCli): void {
  merchant
    .command("invite")
    .description(
      "invite a person to the merchant's console; prints a link that works once, for 72 hours, and mails it with SMTP_URL",
    )
    .argument("<email>", "the merchant")
    .requiredOption("--person <email>", "whom to invite")
    .addOption(new Option("--role <role>", "what the person may do").choices(ROLES).default("owner"))
    .action(withCli(invitePerson));
}

async function invitePerson(
  cli: Cli,
  email: string,
  { person, role }: { readonly person: string; readonly role: Role },
): Promise<void> {
  await cli.withDatabase(async ({ config, database }) => {
    const consoleUrl = requireConsole(config);
    const { id } = await getMerchant(database.db, email);
    const mailSealer = config.mail === null ? null : openCommandSecrets(config);
    const place = { merchantId: id, env: "live" } as const;
    const given = { email: person, role, mailSealer };
    const { invitation, token } = await cli.perform(database, inviteMember, place, given);
    cli.print(showInvitation(invitation, invitationUrl(consoleUrl, token)));
  });
}
