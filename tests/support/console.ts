import { randomUUID } from "node:crypto";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { TOTP } from "otpauth";
import { startSession } from "#lib/domain/members/sessions.ts";
import { insertMember, insertUser } from "#lib/domain/members/store.ts";
import type { Role } from "#lib/domain/members/types.ts";
import type { Database } from "#lib/platform/db/connection.ts";
import type { Stack } from "./stack.ts";

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

/** The code that an authenticator app shows now. */
export function appCode(secret: string, at: Date = new Date()): string {
  return new TOTP({ secret }).generate({ timestamp: at.getTime() });
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

/** The console of a stack's merchant. Passkeys and cookies need a host name. */
export interface ShopConsole {
  readonly origin: string;
  readonly merchantId: number;
  /** Of the test environment, without a trailing slash. */
  readonly base: string;
  /** A tab of a new person who is signed in. `look` is how their browser looks. */
  tabOf(
    role: Role | "operator",
    look?: Parameters<Browser["newContext"]>[0],
  ): Promise<{ readonly page: Page; readonly token: string; readonly userId: number }>;
  close(): Promise<void>;
}

export function shopConsole({ pageUrl, merchantId, code, db }: Stack, browser: Browser): ShopConsole {
  const origin = new URL(pageUrl).origin.replace("127.0.0.1", "localhost");
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
      return { page: await context.newPage(), token, userId };
    },
    close: async () => {
      await Promise.all(opened.map((context) => context.close()));
    },
  };
}
