import {
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from "@playwright/test";
import { choosePort } from "#lib/dev-chains/choose-port.ts";
import { checkLedger } from "#lib/domain/ledger/check-ledger.ts";
import { type CheckoutPage, checkoutPage } from "#tests/support/checkout-page.ts";
import { type ShopConsole, shopConsole } from "#tests/support/console.ts";
import { type ConsoleAccess, consoleAccess } from "#tests/support/console-access.ts";
import { type ConsolePage, fillShop } from "#tests/support/console-pages.ts";
import { type SmtpFake, startSmtp } from "#tests/support/smtp.ts";
import { type ChainName, type Stack, startWorld, type World } from "#tests/support/stack.ts";
import { aStranger, newAddress, type Stranger } from "#tests/support/stranger.ts";
import { openWidgetShop, type WidgetShop } from "#tests/support/widget-shop.ts";
import { type FakeRelay, startFakeRelay } from "./wallet-connect.ts";

export { expect };

export const BEP20 = "USDT BNB Smart Chain (BEP20)";

/** The most sockets that one client address may have. */
export const SOCKETS = 200;

/** A server's environment and its networks, for a file that needs its own world. */
export interface WorldKind {
  readonly env: Readonly<Record<string, string>>;
  readonly networks: readonly ChainName[];
}

/** Settings that no test is disturbed by. Links fail at their deadline, because nobody waits a day for a confirmation. */
const COMMON = {
  TRUSTED_PROXIES: "127.0.0.1,::1",
  CONFIRM_GRACE_HOURS: "0",
  SOCKETS_PER_ADDRESS: String(SOCKETS),
  MAIL_FROM: "Pay <pay@example.com>",
  GREENFIELD: "on",
};

/** Kinds of worlds. Each worker starts those that its files ask for, one after another. */
const KINDS = {
  plain: { env: {}, networks: ["bep20", "trc20"] },
  /** With every network that tests pay on, wallets on other devices, and the console on a port of its own. */
  extended: {
    env: { WALLETCONNECT_PROJECT_ID: "f".repeat(32) },
    networks: ["bitcoin", "trc20", "bep20"],
  },
  /** As a proxy's visitors see it. */
  https: { env: { PUBLIC_URL: "https://pay.example.com" }, networks: ["bep20"] },
} as const satisfies Record<string, WorldKind>;

export interface WorldOptions {
  /** The kind of world of a file: one of KINDS, which files share, or one of its own. */
  readonly kind: keyof typeof KINDS | WorldKind;
}

interface VisitOptions extends BrowserContextOptions {
  /** Runs on the page before it loads. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

export type Visit = (url: string, options?: VisitOptions) => Promise<CheckoutPage>;

/** A visitor who has chosen a network: the link, its page, and what it asks for. */
export interface Payer extends CheckoutPage {
  readonly refid: string;
  readonly url: string;
  readonly asked: { readonly amount: string; readonly address: string };
}

interface TestFixtures {
  /** False for a file that writes withdrawals into the database that nobody has paid for. */
  readonly keepsBooks: boolean;
  /** The world with a new merchant. After the test the books of the whole world must be right. */
  readonly shop: Stack;
  /** Opens an URL as a new visitor. */
  readonly visit: Visit;
  /** Opens a new link of the shop as a new visitor, who chooses BEP20. */
  readonly choose: (fields?: Record<string, string>, options?: VisitOptions) => Promise<Payer>;
  readonly widget: WidgetShop;
  readonly stranger: Stranger;
  /** The console of the shop, and tabs of people who work there. */
  readonly desk: ShopConsole;
  /** The shop and another merchant, with one of everything that the console's pages and actions name. */
  readonly access: ConsoleAccess;
}

interface WorkerFixtures extends WorldOptions {
  /** Where the mails of the world arrive. */
  readonly mail: SmtpFake;
  /** Between pages of an extended world and wallets on other devices. */
  readonly relay: FakeRelay;
  /** Chains, server and database of this worker. */
  readonly world: World;
  /** The console of a shop of this world that has something on every page. */
  readonly filled: { readonly desk: ShopConsole; readonly pages: readonly ConsolePage[] };
}

export type PaylinkTest = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & TestFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & WorkerFixtures
>;

export const test: PaylinkTest = base.extend<TestFixtures, WorkerFixtures>({
  kind: ["plain", { option: true, scope: "worker" }],
  mail: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern
    async ({}, use) => {
      const mail = await startSmtp();
      await use(mail);
      await mail.close();
    },
    { scope: "worker" },
  ],
  relay: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const relay = await startFakeRelay();
      await use(relay);
      relay.close();
    },
    { scope: "worker" },
  ],
  world: [
    async ({ kind, mail, relay }, use) => {
      const { env, networks } = typeof kind === "string" ? KINDS[kind] : kind;
      const places = {
        SMTP_URL: `smtp+plain://127.0.0.1:${mail.port}`,
        ...(kind === "extended" && {
          WALLETCONNECT_RELAY_URL: relay.url,
          CONSOLE_PORT: String(await choosePort(0)),
        }),
      };
      const world = await startWorld({ ...COMMON, ...places, ...env }, networks);
      await use(world);
      await world.close();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  filled: [
    async ({ world, browser }, use) => {
      const shop = await world.openShop();
      const desk = shopConsole(shop, browser);
      await use({ desk, pages: await fillShop(shop, desk) });
      await desk.close();
    },
    { scope: "worker" },
  ],
  keepsBooks: [true, { option: true }],
  shop: async ({ world, keepsBooks }, use) => {
    const { problems: former } = await checkLedger(world.db.db);
    await use(await world.openShop());
    if (keepsBooks) expect((await checkLedger(world.db.db)).problems).toEqual(former);
  },
  visit: async ({ browser }, use) => {
    const opened: Page[] = [];
    await use(async (url, { prepare, ...options } = {}) => {
      // An address of its own: the server counts new payment addresses for each visitor.
      const extraHTTPHeaders = { "x-forwarded-for": newAddress(), ...options.extraHTTPHeaders };
      const page = await browser.newPage({ ...options, extraHTTPHeaders });
      opened.push(page);
      await prepare?.(page);
      await page.goto(url);
      return checkoutPage(page);
    });
    await Promise.all(opened.map((page) => page.context().close()));
  },
  choose: async ({ shop, visit }, use) => {
    await use(async (fields, options) => {
      const link = await shop.createLink(fields);
      const checkout = await visit(link.url, options);
      await checkout.choose(BEP20);
      return { ...link, ...checkout, asked: await checkout.ask() };
    });
  },
  widget: async ({ shop, browser }, use) => {
    const widget = await openWidgetShop(shop, browser);
    await use(widget);
    await widget.close();
  },
  stranger: async ({ shop }, use) => {
    const stranger = await aStranger(shop);
    await use(stranger);
    stranger.close();
  },
  desk: async ({ shop, browser }, use) => {
    const desk = shopConsole(shop, browser);
    await use(desk);
    await desk.close();
  },
  access: async ({ shop, world }, use) => {
    await use(await consoleAccess(shop, await world.openShop()));
  },
});

/** Pays what a payer was asked for, and waits until the page says that it is complete. */
export async function payInFull(shop: Stack, { asked, waitForTitle }: Payer): Promise<string> {
  const hash = await shop.pay(asked.address, asked.amount);
  await shop.mine(3);
  await waitForTitle("Payment complete");
  return hash;
}
