import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import { auditLog } from "#lib/domain/audit/tables.ts";
import { findLogo, findMerchantByEmail } from "#lib/domain/merchants/queries.ts";
import { merchantLogos, merchants } from "#lib/domain/merchants/tables.ts";
import { type TestDatabase, testDatabase } from "#tests/support/database.ts";
import { type CliRun, runCli } from "#tests/support/run-cli.ts";

let t: TestDatabase;
let folder: string;
before(async () => {
  t = await testDatabase();
  folder = mkdtempSync(join(tmpdir(), "paylink-branding-"));
});
after(async () => {
  await t.close();
  rmSync(folder, { recursive: true, force: true });
});

async function aMerchant(email: string): Promise<void> {
  await t.db.insert(merchants).values({ email, name: "Shop" });
}

async function aPicture(name: string, background: string): Promise<string> {
  const path = join(folder, name);
  writeFileSync(
    path,
    await sharp({ create: { width: 100, height: 100, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  return path;
}

const update = (email: string, ...args: string[]) =>
  runCli({ DATABASE_URL: t.url, USER: "ada" }, "merchant", "update", email, ...args);

function showBranding(run: CliRun) {
  assert.equal(run.status, 0, run.stderr);
  const { logo, accent, support } = run.json() as Record<string, string | null>;
  return { logo, accent, support };
}

test("sets, prints and removes a merchant's branding at once, and records it without the picture", async () => {
  const email = "branding@example.com";
  await aMerchant(email);
  const set = showBranding(
    update(
      email,
      ...["--logo", await aPicture("red.png", "#c81e1e")],
      ...["--accent", "#C81E1E", "--support", "help@shop.example"],
    ),
  );
  const logo = String(set.logo);
  assert.deepEqual(set, { logo, accent: "#c81e1e", support: "help@shop.example" });
  const bytes = await findLogo(t.db, logo);
  assert.equal(createHash("sha256").update(bytes!).digest("hex"), logo);
  const merchant = await findMerchantByEmail(t.db, email);
  assert.deepEqual([merchant?.logo, merchant?.accent], [logo, "#c81e1e"]);
  const decisions = await t.db.select().from(auditLog).orderBy(auditLog.id);
  assert.deepEqual(decisions.at(-1)?.details, {
    ...{ merchant: email, logo, accent: "#c81e1e", support: "help@shop.example" },
  });

  const other = showBranding(update(email, "--logo", await aPicture("blue.png", "#1e1ec8")));
  assert.notEqual(other.logo, logo);
  assert.deepEqual({ ...other, logo }, set, "what was not named stays");
  assert.equal(await findLogo(t.db, logo), null, "the former picture is gone");

  const none = showBranding(update(email, "--logo", "none", "--accent", "none", "--support", "none"));
  assert.deepEqual(none, { logo: null, accent: null, support: null });
  const left = await t.db.select().from(merchantLogos).where(eq(merchantLogos.merchantId, merchant!.id));
  assert.deepEqual(left, []);
});

test("two merchants may have the same picture, and one keeps it when the other removes it", async () => {
  const picture = await aPicture("same.png", "#0a6b43");
  await aMerchant("one@example.com");
  await aMerchant("two@example.com");
  const { logo } = showBranding(update("one@example.com", "--logo", picture));
  assert.equal(showBranding(update("two@example.com", "--logo", picture)).logo, logo);
  showBranding(update("one@example.com", "--logo", "none"));
  assert.notEqual(await findLogo(t.db, String(logo)), null);
});

test("a wrong value gets one clear message and changes nothing", async () => {
  const email = "wrong@example.com";
  await aMerchant(email);
  const svg = join(folder, "logo.svg");
  writeFileSync(svg, "<svg xmlns='http://www.w3.org/2000/svg'/>");
  const before = await findMerchantByEmail(t.db, email);
  const wrong: [string[], string][] = [
    [["--accent", "red"], "--accent must be a colour like '#c81e1e', in quotes"],
    [
      ["--support", "call us"],
      "--support must be an e-mail address, an https URL, or a telephone number with + and its country code",
    ],
    [["--logo", svg], "the picture must be a PNG, JPEG or WebP file"],
    [["--logo", join(folder, "absent.png")], "the picture cannot be read: check the path"],
  ];
  for (const [args, message] of wrong) {
    const run = update(email, "--name", "Another", ...args);
    assert.deepEqual([run.status, run.stdout, run.stderr], [1, "", `${message}\n`]);
  }
  assert.deepEqual(await findMerchantByEmail(t.db, email), before);
});
