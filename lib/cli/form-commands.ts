import { type Command, Option } from "commander";
import type { Env } from "#lib/chains/network-data.ts";
import { formRecord } from "#lib/domain/forms/form-record.ts";
import { archiveForm, createForm, OPTIONAL_TERMS, updateForm } from "#lib/domain/forms/manage-forms.ts";
import { findForm } from "#lib/domain/forms/queries.ts";
import { FORM_QUESTIONS } from "#lib/domain/forms/question-rules.ts";
import type { FormInput, FormView } from "#lib/domain/forms/types.ts";
import { type FormSettings, listForms, viewForm } from "#lib/domain/forms/view-form.ts";
import { findMerchant, listMerchantEmails } from "#lib/domain/merchants/queries.ts";
import type { StoredPicture } from "#lib/domain/merchants/types.ts";
import type { Database, Db } from "#lib/platform/db/connection.ts";
import { type Cli, CommandRefusal, requireSuccess, type WithCli } from "./cli.ts";
import { getMerchant, getMerchantFilter } from "./find-merchant.ts";
import { formSnippets } from "./form-snippet.ts";
import { collect, envOption, parseTextOrNone, parseTime, parseWholeNumber } from "./options.ts";
import { addListOptions, type ListOptions, printList } from "./print-list.ts";
import { REFUSAL_TEXTS } from "./refusals.ts";

export function addFormCommands(form: Command, withCli: WithCli): void {
  addTermOptions(
    form
      .command("create")
      .description("create a form: a page that sells without a server of the merchant")
      .argument("<email>", "the merchant")
      .requiredOption("--title <text>", "what is sold")
      .option("--currency <code>", "of all amounts, such as usd", toLowerCase, "ngn")
      .addOption(envOption()),
  ).action(withCli(create));
  form
    .command("show")
    .description("a form with what it has sold and the HTML of its button, in either environment")
    .argument("<form>", "the last part of its URL")
    .action(withCli(show));
  const list = form
    .command("list")
    .description("newest first")
    .option("--merchant <email>", "only forms of this merchant")
    .option("--archived", "also archived ones")
    .option("--before <form>", "only forms older than this one")
    .addOption(envOption());
  addListOptions(list).action(withCli(printForms));
  addTermOptions(
    form
      .command("update")
      .description("change a form; the links that it has created stay as they are")
      .argument("<form>", "the last part of its URL")
      .option("--title <text>", "what is sold")
      .addOption(new Option("--clear <term...>", "remove these").choices(OPTIONAL_TERMS.map(toOptionName))),
  ).action(withCli(update));
  form
    .command("archive")
    .description("close a form for good; the links that it has created can still be paid")
    .argument("<form>", "the last part of its URL")
    .action(withCli(archive));
}

function addTermOptions(command: Command): Command {
  return command
    .option("--description <text>", "shown under the title")
    .option("--picture <file>", "shown on the page: PNG, JPEG or WebP; none: no picture")
    .option("--amount <amount>", "the price of one unit; without it the payer chooses the amount")
    .option("--minimum-amount <amount>", "least that a payer can choose")
    .option("--maximum-amount <amount>", "most that a payer can choose")
    .option("--suggested-amounts <amount>", "offered to the payer; repeat for more", collect)
    .addOption(
      new Option("--ask <question...>", "what the payer is asked; default: email and name").choices([
        ...FORM_QUESTIONS,
        "nothing",
      ]),
    )
    .option("--fields <label>", "a question of the merchant; repeat for up to three", collect)
    .option("--max-quantity <count>", "most units in one payment; default: 1", parseWholeNumber)
    .option("--stock <count>", "units that can be sold in all", parseWholeNumber)
    .option("--total-limit <amount>", "what the form may take in all")
    .option("--payment-reference <text>", "the reference of every link")
    .option("--success-url <url>", "where a payer continues after the payment")
    .option("--cancel-url <url>", "where a payer goes back to")
    .option("--expires-at <time>", "closed from then on, ISO 8601", parseTime);
}

const toLowerCase = (text: string) => text.toLowerCase();

/** "minimumAmount" as "minimum-amount". */
function toOptionName(term: string): string {
  return term.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

type TermOptions = Partial<FormInput> & { readonly clear?: readonly string[]; readonly picture?: string };

/** The options are named like the terms. */
function readTerms({ clear = [], ask, picture: _picture, ...given }: TermOptions): Partial<FormInput> {
  const cleared = OPTIONAL_TERMS.filter((term) => clear.includes(toOptionName(term)));
  return {
    ...given,
    ...(ask === undefined ? {} : { ask: ask.filter((one) => one !== "nothing") }),
    ...Object.fromEntries(cleared.map((term) => [term, null])),
  };
}

/** Empty: the picture stays as it is. */
async function readNewPicture({ picture: given }: TermOptions): Promise<{ picture?: StoredPicture | null }> {
  if (given === undefined) return {};
  const file = parseTextOrNone(given);
  if (file === null) return { picture: null };
  // sharp takes longer to load than most commands run.
  const { readFormPicture } = await import("./read-picture.ts");
  return { picture: requireSuccess(await readFormPicture(file)).picture };
}

type CreateOptions = TermOptions & { readonly env: Env; readonly title: string };

async function create(cli: Cli, email: string, { env, ...options }: CreateOptions): Promise<void> {
  await withForms(cli, async (database, settings) => {
    const { id: merchantId } = await getMerchant(database.db, email);
    const input = { ...readTerms(options), title: options.title };
    const given = { settings, input, ...(await readNewPicture(options)) };
    const { form } = await cli.perform(database, createForm, { merchantId, env }, given);
    cli.print(showForm(form, email));
  });
}

async function update(cli: Cli, code: string, options: TermOptions): Promise<void> {
  await withForms(cli, async (database, settings) => {
    const given = { settings, code, changes: readTerms(options), ...(await readNewPicture(options)) };
    const { form } = await cli.perform(database, updateForm, await getForm(database.db, code), given);
    cli.print(await showOne(database.db, form));
  });
}

async function archive(cli: Cli, code: string): Promise<void> {
  await withForms(cli, async (database, settings) => {
    const owner = await getForm(database.db, code);
    const { form } = await cli.perform(database, archiveForm, owner, { settings, code });
    cli.print(await showOne(database.db, form));
  });
}

async function show(cli: Cli, code: string): Promise<void> {
  await withForms(cli, async ({ db }, settings) => {
    const form = await viewForm(db, settings, code);
    if (form === null) throw new CommandRefusal(REFUSAL_TEXTS.form_not_found);
    cli.print({ ...(await showOne(db, form)), ...formSnippets(form) });
  });
}

interface ListGiven extends ListOptions {
  readonly env: Env;
  readonly merchant?: string;
  readonly archived?: true;
  readonly before?: string;
}

async function printForms(cli: Cli, options: ListGiven): Promise<void> {
  const { env, limit, archived = false } = options;
  await withForms(cli, async ({ db }, settings) => {
    const merchantId = await getMerchantFilter(db, options.merchant);
    const before = options.before === undefined ? null : (await getForm(db, options.before)).id;
    const forms = await listForms(db, settings, { merchantId, env }, { before, limit: limit + 1, archived });
    const emails = await listMerchantEmails(
      db,
      forms.map((form) => form.merchantId),
    );
    printList(
      cli,
      forms.map((form) => showForm(form, emails.get(form.merchantId) ?? null)),
      options,
      {
        columns: [
          ...(["form", "merchant", "title", "amount", "amount_currency"] as const),
          ...(["taken_quantity", "taken_amount", "created_at", "archived_at"] as const),
        ],
        next: ({ form }) => `--before ${form}`,
      },
    );
  });
}

type FormWork = (database: Database, settings: FormSettings) => Promise<void>;

async function withForms(cli: Cli, work: FormWork): Promise<void> {
  await cli.withDatabase(({ config, database }) => work(database, config));
}

async function getForm(db: Db, code: string) {
  const found = await findForm(db, code);
  if (found === null) throw new CommandRefusal(REFUSAL_TEXTS.form_not_found);
  return found.form;
}

async function showOne(db: Db, form: FormView) {
  return showForm(form, (await findMerchant(db, form.merchantId))?.email ?? null);
}

function showForm(form: FormView, merchant: string | null) {
  return { env: form.env, merchant, ...formRecord(form, (decimal) => decimal) };
}
