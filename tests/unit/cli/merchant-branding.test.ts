import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import { findLogo, findMerchantByEmail } from "#lib/domain/merchants/queries.ts";
import { merchantLogos } from "#lib/domain/merchants/tables.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { folderOfFile } from "#tests/support/folders.ts";
import { openTestCli } from "#tests/support/run-cli.ts";
import { aMerchant } from "#tests/support/unmatched.ts";
import { readLastDecision } from "./decisions.ts";

const t = await databaseOfFile();
const folder = folderOfFile();

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

const cli = openTestCli(() => ({ DATABASE_URL: t.url, USER: "ada" }));

/** The merchant's branding after this update. */
async function update(email: string, options: string) {
  const { logo, accent, support } = await cli.answer(`merchant update ${email} ${options}`);
  return { logo, accent, support };
}

test("sets, prints and removes a merchant's branding at once, and records it without the picture", async () => {
  const email = "branding@example.com";
  await aMerchant(t.db, email);
  const red = await aPicture("red.png", "#c81e1e");
  const set = await update(email, `--logo ${red} --accent #C81E1E --support help@shop.example`);
  const logo = String(set.logo);
  assert.deepEqual(set, { logo, accent: "#c81e1e", support: "help@shop.example" });
  const bytes = await findLogo(t.db, logo);
  assert.equal(createHash("sha256").update(bytes!).digest("hex"), logo);
  const merchant = await findMerchantByEmail(t.db, email);
  assert.deepEqual([merchant?.logo, merchant?.accent], [logo, "#c81e1e"]);
  const before = { logo_before: null, accent_before: null, support_before: null };
  assert.deepEqual((await readLastDecision(t.db))?.details, { ...set, ...before });

  const other = await update(email, `--logo ${await aPicture("blue.png", "#1e1ec8")}`);
  assert.notEqual(other.logo, logo);
  assert.deepEqual({ ...other, logo }, set, "what was not named stays");
  assert.equal(await findLogo(t.db, logo), null, "the former picture is gone");

  const none = await update(email, "--logo none --accent none --support none");
  assert.deepEqual(none, { logo: null, accent: null, support: null });
  const left = await t.db.select().from(merchantLogos).where(eq(merchantLogos.merchantId, merchant!.id));
  assert.deepEqual(left, []);
});

test("two merchants may have the same picture, and one keeps it when the other removes it", async () => {
  const picture = await aPicture("same.png", "#0a6b43");
  await aMerchant(t.db, "one@example.com");
  await aMerchant(t.db, "two@example.com");
  const { logo } = await update("one@example.com", `--logo ${picture}`);
  assert.equal((await update("two@example.com", `--logo ${picture}`)).logo, logo);
  await update("one@example.com", "--logo none");
  assert.notEqual(await findLogo(t.db, String(logo)), null);
});

test("a wrong value gets one clear message and changes nothing", async () => {
  const email = "wrong@example.com";
  await aMerchant(t.db, email);
  const svg = join(folder, "logo.svg");
  writeFileSync(svg, "<svg xmlns='http://www.w3.org/2000/svg'/>");
  const before = await findMerchantByEmail(t.db, email);
  const line = `merchant update ${email} --name Another`;
  await cli.refuses({
    [`${line} --accent red`]: "--accent must be a color like '#c81e1e', in quotes",
    [`${line} --support 'call us'`]:
      "--support must be an e-mail address, an https URL, or a telephone number with + and its country code",
    [`${line} --logo ${svg}`]: "the picture must be a PNG, JPEG or WebP file",
    [`${line} --logo ${join(folder, "absent.png")}`]: "the picture cannot be read: check the path",
  });
  assert.deepEqual(await findMerchantByEmail(t.db, email), before);
});
