import { randomUUID } from "node:crypto";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { TOTP } from "otpauth";
import type { Role } from "#lib/domain/authority/types.ts";
import { startSession } from "#lib/domain/members/sessions.ts";
import { insertMember, insertUser } from "#lib/domain/members/store.ts";
import type { Database } from "#lib/platform/db/connection.ts";
import { type CheckoutPage, checkoutPage } from "./checkout-page.ts";
import type { Stack } from "./stack.ts";

/** How the browsers of people look who work in the console. */
export const DESKTOP = { viewport: { width: 1280, height: 900 } };
export const PHONE = { viewport: { width: 360, height: 640 }, colorScheme: "dark" } as const;

/** Gives a browser's tab an authenticator that checks its user, as a phone's screen lock does. */
export async function addAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Adds a passkey to the account of the person whose tab this is. */
export async function addPasskey(page: Page, origin: string): Promise<void> {
  await addAuthenticator(page.context(), page);
  await page.goto(`${origin}/console/account`);
  await page.getByLabel("Name of the new passkey").fill("Phone");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("The passkey was added.").waitFor();
}

/** Loses the first two answers of a page's action on their way. Returns how many were lost. */
export async function loseAnswers(page: Page, path: string): Promise<() => number> {
  let lost = 0;
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() !== "POST" || lost === 2) return route.continue();
    lost += 1;
    await route.fetch({ maxRedirects: 0 });
    await route.abort();
  });
  return () => lost;
}

/** The code that an authenticator app shows now. */
export function appCode(secret: string, at: Date = new Date()): string {
  return new TOTP({ secret }).generate({ timestamp: at.getTime() });
}

/** A code that the app shows in none of the minutes around this time. Any fixed code is right at some time. */
export function wrongCode(secret: string, now: Date = new Date()): string {
  const times = Array.from({ length: 41 }, (_, n) => new Date(now.getTime() + (n - 20) * 30_000));
  const near = new Set(times.map((at) => appCode(secret, at)));
  const codes = Array.from({ length: near.size + 1 }, (_, n) => String(n).padStart(6, "0"));
  return codes.find((code) => !near.has(code)) ?? "";
}

/** Stores a person who is signed in, without the ceremonies. Returns their id and the token of their session. */
export async function addSignedIn(
  { db }: Database,
  { merchantId, role }: { readonly merchantId: number; readonly role: Role | "operator" },
  now = new Date(),
): Promise<{ readonly userId: number; readonly token: string }> {
  return db.transaction(async (tx) => {
    const handle = randomUUID();
    const isOperator = role === "operator";
    const user = await insertUser(tx, { handle, email: `${handle}@example.com`, name: role, isOperator });
    if (user === null) throw new Error("the person was not stored");
    if (role !== "operator") await insertMember(tx, { merchantId, userId: user.id, role });
    const token = await startSession(tx, user.id, { ip: "127.0.0.1", userAgent: "test" }, now);
    return { userId: user.id, token };
  });
}

/** A tab of a person who is signed in. */
export interface Tab extends Pick<CheckoutPage, "page" | "shot"> {
  readonly token: string;
  readonly userId: number;
}

/** The console of a stack's merchant. */
export interface ShopConsole {
  readonly origin: string;
  readonly merchantId: number;
  /** The URL of the test environment, without a trailing slash. */
  readonly base: string;
  /** A tab of a new person. `look` is how their browser looks. */
  tabOf(role: Role | "operator", look?: Parameters<Browser["newContext"]>[0]): Promise<Tab>;
  /** How many rows of the merchant a table has. */
  count(table: string): Promise<number>;
  close(): Promise<void>;
}

/** The console's origin. Passkeys and cookies need a host name. */
export function consoleOrigin({ pageUrl, env }: Stack): string {
  const { CONSOLE_PORT: port } = env;
  if (port !== undefined) return `http://localhost:${port}`;
  return new URL(pageUrl).origin.replace("127.0.0.1", "localhost");
}

export function shopConsole(stack: Stack, browser: Browser): ShopConsole {
  const { merchantId, code, db } = stack;
  const origin = consoleOrigin(stack);
  const opened: BrowserContext[] = [];
  return {
    origin,
    merchantId,
    base: `${origin}/console/m/${code}/test`,
    tabOf: async (role, look = {}) => {
      const { token, userId } = await addSignedIn(db.database, { merchantId, role });
      const context = await browser.newContext(look);
      opened.push(context);
      await context.addCookies([{ name: "paylink_session", value: token, url: origin }]);
      const page = await context.newPage();
      return { page, token, userId, shot: checkoutPage(page).shot };
    },
    count: async (table) => {
      const sql = `select count(*)::int as n from ${table} where merchant_id = $1`;
      return (await db.database.pool.query(sql, [merchantId])).rows[0].n;
    },
    close: async () => {
      await Promise.all(opened.map((context) => context.close()));
    },
  };
}
