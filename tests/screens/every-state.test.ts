import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions } from "@playwright/test";
import { getAddress, parseUnits } from "viem";
import { textsOf } from "#components/checkout/texts.ts";
import { LANGUAGE_CODES } from "#lib/platform/languages/languages.ts";
import { test as base } from "#tests/e2e/fixtures.ts";
import { awaitingLink, endTimeToPay, type LinkPage, reachStates } from "#tests/support/link-states.ts";
import {
  LOOKS as ALL_LOOKS,
  faultsOf,
  type Look,
  nameOf,
  openLook,
  readCode,
  SCREENS,
  THEMES,
} from "#tests/support/page-looks.ts";
import type { Stack } from "#tests/support/stack.ts";
import { until } from "#tests/support/until.ts";
import { contactSheet } from "./contact-sheet.ts";
import { readWalletUri } from "./read-wallet-uri.ts";

/** A network without a pass for this long is reported as unwatched, milliseconds. */
const BLIND_MS = 60_000;
/** Looks for people who need other colors or no movement. */
const NEEDS = { forcedColors: "active", reducedMotion: "reduce" } as const;

/** LOOKS=phone-dark runs only the looks whose name contains it. */
const isAsked = (look: Look) => nameOf(look).includes(process.env.LOOKS ?? "");
const LOOKS = ALL_LOOKS.filter(isAsked);

/** The other languages, including drafts, on a phone. */
const OTHER_LANGUAGES = LANGUAGE_CODES.filter((code) => !ALL_LOOKS.some(({ language }) => language === code))
  .flatMap((language) => THEMES.map((theme) => ({ device: "phone", theme, language }) as const))
  .filter(isAsked);

const folderOf = (look: Look) => join(SCREENS, nameOf(look));
/** Folders with pictures of this run. */
const filled = new Set<string>();

/** Everything that is wrong with these states in these looks. */
async function lookAt(
  browser: Browser,
  looks: readonly Look[],
  states: readonly LinkPage[],
  options: BrowserContextOptions = {},
): Promise<string[]> {
  const faults: string[] = [];
  for (const look of looks) {
    const visitor = await openLook(browser, look, options);
    for (const state of states) {
      faults.push(...(await faultsOf(visitor, look, state)));
      const moving = await visitor.page.evaluate(() => document.getAnimations().length);
      if (options.reducedMotion === "reduce" && moving > 0)
        faults.push(`${state.name}: ${moving} things move`);
    }
    await visitor.page.context().close();
    filled.add(folderOf(look));
  }
  return faults;
}

/** A shop with a link in every state that lasts. */
const test = base.extend<object, { lasting: { shop: Stack; states: readonly LinkPage[] } }>({
  lasting: [
    async ({ world }, use) => {
      for (const look of [...LOOKS, ...OTHER_LANGUAGES])
        rmSync(folderOf(look), { recursive: true, force: true });
      const shop = await world.openShop();
      const states = await reachStates(shop);
      const detected = await awaitingLink(shop, "bitcoin", { amount: "1600000" });
      await shop.pay(detected.address, "0.01666667", "bitcoin");
      await shop.mine(1, "bitcoin");
      await shop.waitForState(detected.refid, "detected");
      await use({
        shop,
        states: [
          ...states,
          { name: "awaiting-bitcoin", url: (await awaitingLink(shop, "bitcoin")).url, stage: "pay" },
          { name: "awaiting-trc20", url: (await awaitingLink(shop, "trc20")).url, stage: "pay" },
          { name: "detected-bitcoin", url: detected.url, stage: "confirming" },
        ],
      });
      for (const folder of filled) await contactSheet(folder);
    },
    { scope: "worker", timeout: 600_000 },
  ],
});

test.use({
  kind: { env: {}, networks: ["bitcoin", "trc20", "bep20"] },
});

test("every lasting state", async ({ browser, lasting: { states } }) => {
  assert.equal((await lookAt(browser, LOOKS, states)).join("\n"), "");
});

test("every lasting state, in every other language", async ({ browser, lasting: { states } }) => {
  assert.equal((await lookAt(browser, OTHER_LANGUAGES, states)).join("\n"), "");
});

test("other libraries read from the codes what the page says", async ({ browser, lasting: { shop } }) => {
  const { page } = await openLook(browser, { device: "phone", theme: "dark", language: "ar" });
  const chains = {
    bep20: { decimals: 18, chainId: 97, contract: getAddress(String(shop.chain("bep20").forScripts.usdt)) },
    bitcoin: { decimals: 8, chainId: null, contract: null },
    trc20: { decimals: null, chainId: null, contract: null },
  } as const;
  for (const [network, { decimals, ...chain }] of Object.entries(chains)) {
    const link = await awaitingLink(shop, network as keyof typeof chains);
    await page.goto(link.url);
    const amount = (await page.getByTestId("amount").getAttribute("value")) ?? "";
    // The code of a token with its amount is folded.
    const isFolded = network === "bep20";
    if (isFolded) await page.getByText(textsOf("ar").folds.ways).click();
    const code = page.locator("svg[role=img]").nth(isFolded ? 1 : 0);
    assert.deepEqual(readWalletUri(readCode(await code.screenshot()) ?? ""), {
      address: link.address,
      units: decimals === null ? null : parseUnits(amount, decimals),
      ...chain,
    });
    assert.equal(await page.getByTestId("address").textContent(), link.address);
  }
  await page.context().close();
});

test("loses nothing in forced colors, and moves nothing with reduced motion", async ({
  browser,
  lasting: { states },
}) => {
  const looks = THEMES.map((theme) => ({ device: "phone", theme, language: "en" }) as const);
  const some = states
    .filter(({ name }) => ["awaiting", "detected", "completed"].includes(name))
    .map((state) => ({ ...state, name: `${state.name}-forced-colors` }));
  assert.equal((await lookAt(browser, looks, some, NEEDS)).join("\n"), "");
});

test("shows that no watcher runs or that no price is known", async ({
  browser,
  lasting: { shop, states },
}) => {
  const look = async (shown: readonly LinkPage[]) =>
    assert.equal((await lookAt(browser, LOOKS, shown)).join("\n"), "");
  const noPrice = await awaitingLink(shop);
  const noChoice = await shop.createLink();
  const awaiting = await awaitingLink(shop);
  const checking = await awaitingLink(shop);
  const detected = states.find(({ name }) => name === "detected");
  await shop.server().stop();
  // Only now: the watchers must not see it.
  await endTimeToPay(shop, checking.refid);
  await shop.db.database.pool.query(
    `update quotes set valid_until = now() - interval '1 second'
     where payment_link_id = (select id from payment_links where refid = $1)`,
    [noPrice.refid],
  );
  Object.assign(shop.env, { ROLES: "web", FIXED_RATES: "btc/usd=60000" });
  const stopped = Date.now();
  await shop.startServer();
  await look([{ name: "checking", url: checking.url, stage: "checking" }]);
  await look([
    { name: "no-price", url: noPrice.url, stage: "noPrice" },
    { name: "no-choice", url: noChoice.url, stage: "noChoice" },
  ]);
  await until("the networks to be unwatched", () => Date.now() > stopped + BLIND_MS, {
    withinMs: BLIND_MS,
  });
  await look([
    { name: "stalled-awaiting", url: awaiting.url, stage: "pay" },
    { name: "stalled-checking", url: checking.url, stage: "checking" },
    { name: "stalled-detected", url: detected?.url ?? "", stage: "confirming" },
  ]);
});
