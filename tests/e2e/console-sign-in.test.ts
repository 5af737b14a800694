/** People of the console, which is on a port of its own: invited, signed in, asked again, and kept out. */
import assert from "node:assert/strict";
import type { Browser, BrowserContext, Page, Request } from "@playwright/test";
import { type CheckoutPage, checkoutPage } from "#tests/support/checkout-page.ts";
import { addAuthenticator, addSignedIn, appCode, DESKTOP, wrongCode } from "#tests/support/console.ts";
import { paidLink } from "#tests/support/link-states.ts";
import type { SmtpFake } from "#tests/support/smtp.ts";
import type { Stack } from "#tests/support/stack.ts";
import { test as base, expect } from "./fixtures.ts";

const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };
const PASSWORD = "correct horse battery staple";

type Look = Parameters<Browser["newContext"]>[0];
type Person = Pick<CheckoutPage, "page" | "shot">;

interface People {
  /** A browser of a person who is not signed in. */
  meet(look?: Look): Promise<Person>;
  /** The same, and they sign up with a passkey. */
  join(invitation: string, name: string, look?: Look): Promise<Person>;
}

const test = base.extend<{ people: People }>({
  people: async ({ browser }, use) => {
    const opened: BrowserContext[] = [];
    const meet: People["meet"] = async (look = DESKTOP) => {
      const context = await browser.newContext(look);
      opened.push(context);
      return checkoutPage(await context.newPage());
    };
    await use({
      meet,
      async join(invitation, name, look) {
        const person = await meet(look);
        const { page } = person;
        await addAuthenticator(page.context(), page);
        await page.goto(invitation);
        await page.getByLabel("Your name").first().fill(name);
        await page.getByRole("button", { name: "Sign up with a passkey" }).click();
        await page.getByRole("heading", { name: "Your account" }).waitFor();
        return person;
      },
    });
    await Promise.all(opened.map((context) => context.close()));
  },
});

test.use({ kind: "extended" });

/** An e-mail address that nobody of another shop has. */
const emailOf = ({ merchantId }: Stack, name: string) => `${name}.${merchantId}@example.com`;

/** The link of an invitation that the operator's command makes. */
async function invite(shop: Stack, name: string, role: string): Promise<string> {
  const person = ["--person", emailOf(shop, name), "--role", role];
  return String((await shop.run("merchant", "invite", shop.email, ...person)).invitation_url);
}

/** The link that a mail brought to the invited person. */
async function mailedLink({ accepted }: SmtpFake, page: Page, to: string): Promise<string> {
  await page.getByRole("status").getByText("A mail brings the link to the person.").waitFor();
  const find = () => accepted.find((one) => one.toLowerCase().includes(`to: ${to}`));
  await expect.poll(find).toBeDefined();
  const text =
    find()
      ?.replaceAll(/=\r?\n/g, "")
      .replaceAll("=3D", "=") ?? "";
  return /https?:\/\/\S+\/join\/\S+/.exec(text)?.[0] ?? "";
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByText("You are signed out.").waitFor();
}

test("an owner signs up with a passkey, and invites a cashier, who sees what the role allows on a phone", async ({
  shop,
  desk: { origin },
  people,
  mail,
}) => {
  const url = await invite(shop, "ada", "owner");
  const { page, shot } = await people.join(url, "Ada Obi");
  await shot("console-account");
  const cookies = (await page.context().cookies()).filter(({ name }) => name === "paylink_session");
  assert.deepEqual(
    cookies.map(({ httpOnly, sameSite }) => [httpOnly, sameSite]),
    [[true, "Lax"]],
  );
  await page.goto(`${origin}/console`);
  await page.getByRole("link", { name: "Test", exact: true }).click();
  await page.getByText("Charts begin with the first one").waitFor();
  await paidLink(shop);
  await page.getByRole("link", { name: "Members" }).click();
  await page.getByLabel("E-mail address").fill(emailOf(shop, "chi"));
  await page.getByRole("button", { name: "Make an invitation" }).click();
  const invitation = await mailedLink(mail, page, emailOf(shop, "chi"));
  await shot("console-members");

  const chi = await people.join(invitation, "Chi", PHONE);
  await chi.page.goto(`${origin}/console`);
  await chi.page.getByRole("heading", { name: "Overview" }).waitFor();
  await chi.page.getByRole("link", { name: "Test", exact: true }).click();
  await chi.page.getByText("Paid volume").waitFor();
  await chi.shot("console-overview-phone");
  await chi.page.getByRole("link", { name: "Payments" }).click();
  await chi.page.getByRole("heading", { name: "Payments" }).waitFor();
  await chi.shot("console-phone");
  assert.equal(await chi.page.getByRole("link", { name: "Members" }).count(), 0, "a cashier manages nobody");
  const members = chi.page.url().replace(/payments$/, "members");
  assert.equal((await chi.page.goto(members))?.status(), 404);

  const late = await people.meet();
  for (const used of [url, invitation]) {
    await late.page.goto(used);
    await late.page.getByText("This invitation has ended").waitFor();
  }
});

interface Posted {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Whether a posted body has what a passkey answered. */
const holdsAnswer = (body: Buffer | null) => body?.includes("clientDataJSON") === true;

const postedBy = async (request: Request): Promise<Posted> => ({
  body: request.postDataBuffer() ?? Buffer.alloc(0),
  headers: await request.allHeaders(),
});

/** Sends what a browser posted, without the browser: it gets no cookie of the answer. */
function post(url: string, { body, headers: sent }: Posted): Promise<Response> {
  const { "content-length": _, ...headers } = Object.fromEntries(
    Object.entries(sent).filter(([name]) => !name.startsWith(":")),
  );
  return fetch(url, { method: "POST", headers, body: Uint8Array.from(body), redirect: "manual" });
}

test("a passkey signs in once for each answer, and is asked for again in an old session", async ({
  shop,
  desk: { origin },
  people,
}) => {
  const { page, shot } = await people.join(await invite(shop, "dayo", "owner"), "Dayo");
  await signOut(page);
  const answering = page.waitForRequest((request) => holdsAnswer(request.postDataBuffer()));
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  const answer = await answering;
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  const replayed = await post(`${origin}/console/sign-in`, await postedBy(answer));
  assert.equal(replayed.headers.getSetCookie().length, 0);
  assert.match(await replayed.text(), /wrong_passkey/);

  await shop.db.database.pool.query(
    `update sessions set verified_at = now() - interval '6 minutes'
      where user_id = (select id from users where email = $1)`,
    [emailOf(shop, "dayo")],
  );
  await page.goto(`${origin}/console/account`);
  await page.getByLabel("Name of the new passkey").fill("Second");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("heading", { name: "Is it you?" }).waitFor();
  await shot("console-confirm");
  // The answer that brings the new token is lost on the way: nobody is signed out.
  const lost: Response[] = [];
  await page.route(/\/console\/confirm\?/, async (route) => {
    const request = route.request();
    if (lost.length > 0 || !holdsAnswer(request.postDataBuffer())) return route.continue();
    lost.push(await post(request.url(), await postedBy(request)));
    await route.abort();
  });
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByText("The server did not answer.").waitFor();
  assert.match(lost[0]?.headers.getSetCookie().join() ?? "", /paylink_session=/);
  await shot("console-confirm-lost");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.getByRole("heading", { name: "Your account" }).waitFor();
});

test("a password needs the app's code, and a recovery code works once", async ({
  shop,
  desk: { origin },
  people,
}) => {
  const { page, shot } = await people.meet();
  await page.goto(await invite(shop, "bob", "manager"));
  const form = page.locator("form", { hasText: "Scan this" });
  const signUp = async (codeOf: (secret: string) => string = appCode) => {
    await page.getByText("Use a password and an authenticator app").click();
    const secret = (await form.locator("code").textContent()) ?? "";
    const code = codeOf(secret);
    await form.getByLabel("Your name").fill("Bob");
    await form.getByLabel("Password").fill(PASSWORD);
    await form.getByLabel("Code that the app shows").fill(code);
    if (codeOf === wrongCode) await shot("console-join-password");
    await form.getByRole("button").click();
    return { secret, code };
  };
  const { secret } = await signUp(wrongCode);
  await page.getByText("The code is wrong").waitFor();
  const used = await signUp();
  assert.equal(used.secret, secret, "a mistake does not ask for another scan");
  await page.getByRole("heading", { name: "Your account" }).waitFor();
  await page.getByRole("button", { name: "Make recovery codes" }).click();
  await page.getByTestId("recovery-codes").waitFor();
  const codes = await page.getByTestId("recovery-codes").locator("span").allTextContents();
  assert.equal(codes.length, 10);
  const [recovery = ""] = codes;
  await signOut(page);
  await shot("console-sign-in");

  const email = emailOf(shop, "bob").toUpperCase();
  const signIn = async (code: string, changes: { email?: string; password?: string } = {}) => {
    await page.goto(`${origin}/console/sign-in`);
    await page.getByLabel("E-mail address").fill(changes.email ?? email);
    await page.getByLabel("Password").fill(changes.password ?? PASSWORD);
    await page.getByLabel("Code").fill(code);
    await page.getByRole("button", { name: "Sign in with a password" }).click();
    await page.waitForURL(/notice=|overview$/);
    return new URL(page.url()).searchParams.get("notice");
  };
  assert.equal(await signIn(used.code), "wrong_sign_in", "the code of the sign-up was used already");
  assert.equal(await signIn(recovery, { password: "wrong password here" }), "wrong_sign_in");
  assert.equal(await signIn(recovery, { email: "nobody@example.com" }), "wrong_sign_in");
  assert.equal(await signIn(recovery.toLowerCase()), null);
  await page.goto(`${origin}/console/account`);
  await signOut(page);
  assert.equal(await signIn(recovery), "wrong_sign_in", "a recovery code works once");
});

test("the operator sees each network, and adds a merchant whose owner signs up", async ({
  shop,
  desk: { origin },
  people,
  mail,
}) => {
  const email = emailOf(shop, "root");
  const { invitation_url: url } = await shop.run("console", "operator", "add", email);
  const { page, shot } = await people.join(String(url), "Root");
  await page.goto(`${origin}/console`);
  await page.getByRole("link", { name: "This installation" }).click();
  const network = page.getByRole("region", { name: /BNB Smart Chain/ });
  await network.getByText("Read", { exact: true }).waitFor();
  await shot("console-operator");
  await page.getByRole("link", { name: "Merchants" }).click();
  await page.getByLabel("Name on the payment page").fill("Abuja Books");
  await page.getByLabel("Owner's e-mail address").fill(emailOf(shop, "owner"));
  await page.getByRole("button", { name: "Add the merchant" }).click();
  const invitation = await mailedLink(mail, page, emailOf(shop, "owner"));
  await shot("console-operator-merchants");
  await page.getByRole("link", { name: "Audit log" }).click();
  await page.getByText(`Root (${email}) created the merchant`).waitFor();
  await shot("console-operator-audit");
  const owner = await people.join(invitation, "Bisi", PHONE);
  await owner.page.goto(`${origin}/console`);
  await owner.page.getByRole("heading", { name: "Overview" }).waitFor();
  await owner.page.getByText("Abuja Books").waitFor();
});

test("the console's port serves it and nothing else, and no other port serves it", async ({ shop, desk }) => {
  const { refid } = await shop.createLink();
  const others = new URL(shop.pageUrl).origin;
  const own = desk.origin;
  const statusOf = async (url: string, init: RequestInit = {}) => {
    const response = await fetch(url, { ...init, redirect: "manual" });
    await response.body?.cancel();
    return response.status;
  };
  for (const path of ["/console/sign-in", `/pay/${refid}/version`])
    assert.equal(await statusOf(own + path), 200, path);
  for (const path of ["/console", "/console/sign-in", "/console/operator"])
    assert.equal(await statusOf(others + path), 404, path);
  const forPayers = [`/pay/${refid}`, "/checkout.js", "/receipt", "/v1/payment-links", "/healthz"];
  for (const path of forPayers) {
    assert.notEqual(await statusOf(others + path), 404, path);
    assert.equal(await statusOf(own + path), 404, path);
  }
  const posted = { method: "POST", body: "email=a", headers: { origin: own, "content-type": "text/plain" } };
  assert.equal(await statusOf(`${others}/console/sign-in`, posted), 405);
  // The socket that follows a merchant's links belongs to the console too.
  const { token } = await addSignedIn(shop.db.database, { merchantId: shop.merchantId, role: "cashier" });
  const follow = (origin: string) =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(`${origin.replace("http", "ws")}/realtime/?EIO=4&transport=websocket`, {
        headers: { origin: own, cookie: `paylink_session=${token}` },
      } as unknown as string[]);
      socket.addEventListener("message", ({ data }) => {
        if (String(data).startsWith("0")) socket.send(`40{"desk":"${shop.code}/test"}`);
        else if (!String(data).startsWith("40")) {
          resolve(String(data));
          socket.close();
        }
      });
      socket.addEventListener("error", () => resolve("refused"));
    });
  assert.equal(await follow(own), '42["joined"]');
  assert.match(await follow(others), /^44.*unknown merchant/);
});
