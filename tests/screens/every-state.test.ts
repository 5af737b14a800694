import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Browser } from "@playwright/test";
import { getAddress, parseUnits } from "viem";
import { DRAFT_LANGUAGE_CODES, LANGUAGE_CODES } from "#lib/platform/languages/languages.ts";
import { openBrowser } from "#tests/support/browser.ts";
import { awaitingLink, type LinkPage, reachStates, soon } from "#tests/support/link-states.ts";
import {
  LOOKS as ALL_LOOKS,
  faultsOf,
  nameOf,
  openLook,
  readCode,
  SCREENS,
  THEMES,
} from "#tests/support/page-looks.ts";
import { type Stack, startStack } from "#tests/support/stack.ts";
import { until } from "#tests/support/until.ts";
import { contactSheet } from "./contact-sheet.ts";
import { readWalletUri } from "./read-wallet-uri.ts";

/** A network without a pass for this long is reported as unwatched, milliseconds. */
const BLIND_MS = 60_000;
/** Looks for people who need other colours or no movement. */
const NEEDS = { forcedColors: "active", reducedMotion: "reduce" } as const;

/** The other languages, including drafts, on the narrowest screen. */
const OTHER_LANGUAGES = LANGUAGE_CODES.filter((code) => !ALL_LOOKS.some(({ language }) => language === code));

/** LOOKS=phone-dark runs only the looks whose name contains it. */
const LOOKS = ALL_LOOKS.filter((look) => nameOf(look).includes(process.env.LOOKS ?? ""));

let stack: Stack;
let browser: Browser;
let states: readonly LinkPage[] = [];

before(async () => {
  stack = await startStack({ CONFIRM_GRACE_HOURS: "0", DRAFT_LANGUAGES: DRAFT_LANGUAGE_CODES.join(",") }, [
    "bitcoin",
    "trc20",
    "bep20",
  ]);
  browser = await openBrowser();
  for (const look of LOOKS) rmSync(join(SCREENS, nameOf(look)), { recursive: true, force: true });
});
after(async () => {
  await browser?.close();
  await stack?.close();
  for (const look of LOOKS) await contactSheet(join(SCREENS, nameOf(look)));
});

/** Every state in every look. */
async function lookAt(shown: readonly LinkPage[]): Promise<void> {
  const faults: string[] = [];
  for (const look of LOOKS) {
    const visitor = await openLook(browser, look);
    for (const state of shown) faults.push(...(await faultsOf(visitor, look, state)));
    await visitor.page.context().close();
  }
  assert.equal(faults.join("\n"), "");
}

test("every lasting state", async () => {
  states = await reachStates(stack);
  const detected = await awaitingLink(stack, "bitcoin", { amount: "1600000" });
  await stack.pay(detected.address, "0.01666667", "bitcoin");
  await stack.mine(1, "bitcoin");
  await stack.waitForState(detected.refid, "detected");
  await lookAt([
    ...states,
    { name: "awaiting-bitcoin", url: (await awaitingLink(stack, "bitcoin")).url, stage: "pay" },
    { name: "awaiting-trc20", url: (await awaitingLink(stack, "trc20")).url, stage: "pay" },
    { name: "detected-bitcoin", url: detected.url, stage: "confirming" },
  ]);
});

test("every lasting state, in every other language", async () => {
  const looks = OTHER_LANGUAGES.flatMap((language) =>
    THEMES.map((theme) => ({ device: "phone", theme, language }) as const),
  );
  const faults: string[] = [];
  for (const look of looks) {
    const visitor = await openLook(browser, look);
    for (const state of states) faults.push(...(await faultsOf(visitor, look, state)));
    await visitor.page.context().close();
    await contactSheet(join(SCREENS, nameOf(look)));
  }
  assert.equal(faults.join("\n"), "");
});

test("other libraries read from the codes what the page says", async () => {
  const { page } = await openLook(browser, { device: "phone", theme: "dark", language: "ar" });
  const chains = {
    bep20: { decimals: 18, chainId: 97, contract: getAddress(String(stack.chain("bep20").forScripts.usdt)) },
    bitcoin: { decimals: 8, chainId: null, contract: null },
    trc20: { decimals: null, chainId: null, contract: null },
  } as const;
  for (const [network, { decimals, ...chain }] of Object.entries(chains)) {
    const link = await awaitingLink(stack, network as keyof typeof chains);
    await page.goto(link.url);
    const amount = (await page.getByTestId("amount").getAttribute("value")) ?? "";
    assert.deepEqual(readWalletUri(readCode(await page.screenshot({ fullPage: true })) ?? ""), {
      address: link.address,
      units: decimals === null ? null : parseUnits(amount, decimals),
      ...chain,
    });
    assert.equal(await page.getByTestId("address").textContent(), link.address);
  }
  await page.context().close();
});

test("loses nothing in forced colours, and moves nothing with reduced motion", async () => {
  const faults: string[] = [];
  for (const theme of THEMES) {
    const look = { device: "phone", theme, language: "en" } as const;
    const visitor = await openLook(browser, look, NEEDS);
    for (const state of states.filter(({ name }) => ["awaiting", "detected", "completed"].includes(name))) {
      faults.push(...(await faultsOf(visitor, look, { ...state, name: `${state.name}-forced-colours` })));
      const moving = await visitor.page.evaluate(() => document.getAnimations().length);
      if (moving > 0) faults.push(`${state.name}: ${moving} things move`);
    }
    await visitor.page.context().close();
  }
  assert.equal(faults.join("\n"), "");
});

test("shows that no watcher runs or that no price is known", async () => {
  const noPrice = await awaitingLink(stack);
  const noChoice = await stack.createLink();
  const awaiting = await awaitingLink(stack);
  const checking = await awaitingLink(stack, "bep20", soon(6));
  const { expires_at: deadline } = await stack.getLink(checking.refid);
  const detected = states.find(({ name }) => name === "detected");
  await stack.server().stop();
  await stack.db.database.pool.query(
    `update quotes set valid_until = now() - interval '1 second'
     where payment_link_id = (select id from payment_links where refid = $1)`,
    [noPrice.refid],
  );
  Object.assign(stack.env, { ROLES: "web", FIXED_RATES: "btc/usd=60000" });
  const stopped = Date.now();
  await stack.startServer();
  await until("the deadline", () => Date.now() > Date.parse(String(deadline)));
  await lookAt([{ name: "checking", url: checking.url, stage: "checking" }]);
  await lookAt([
    { name: "no-price", url: noPrice.url, stage: "noPrice" },
    { name: "no-choice", url: noChoice.url, stage: "noChoice" },
  ]);
  await until("the networks to be unwatched", () => Date.now() > stopped + BLIND_MS, {
    withinMs: BLIND_MS,
  });
  await lookAt([
    { name: "stalled-awaiting", url: awaiting.url, stage: "pay" },
    { name: "stalled-checking", url: checking.url, stage: "checking" },
    { name: "stalled-detected", url: detected?.url ?? "", stage: "confirming" },
  ]);
});
