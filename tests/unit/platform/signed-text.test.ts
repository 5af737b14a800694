import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openSecrets } from "#lib/platform/secrets.ts";
import { openSigner, type PublicKeySet, verifySigned } from "#lib/platform/signed-text.ts";
import { openTestCli } from "#tests/support/run-cli.ts";

const SECRET_KEY = "k".repeat(43);
const signer = openSigner(openSecrets(SECRET_KEY).deriveAll("receipt signatures"));
const RECEIPT = {
  issuer: "https://pay.example",
  environment: "live",
  refid: "4fRk9ZqWm2TgYx7LbNc3Vd",
  merchant: "Kola & Sons „Electronics“",
  amount: "25000.5",
  currency: "ngn",
  completed_at: "2026-03-01T12:04:11.000Z",
  transactions: [{ network: "bep20", token: "usdt", amount: "15.503876", tx_hash: `0x${"9f".repeat(32)}` }],
};
const signed = signer.sign(RECEIPT);

// RFC 8037, appendix A: the key, its thumbprint, and a signature of that key.
test("keys, thumbprints and signatures are those of RFC 8037", () => {
  const d = Buffer.from("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A", "base64url");
  const { publicKeys } = openSigner([d]);
  const [key] = publicKeys.keys;
  assert.equal(key?.x, "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo");
  assert.equal(key?.kid, "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
  const example =
    "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg";
  const keys: PublicKeySet = { keys: [{ ...key!, kid: undefined as never }] };
  // Its payload is a text and no JSON.
  assert.deepEqual(verifySigned(example, keys), { ok: true, payload: null });
});

test("verifies what it signed, also after a change of SECRET_KEY, and nothing of another key", () => {
  assert.deepEqual(verifySigned(signed, signer.publicKeys), { ok: true, payload: RECEIPT });
  const next = openSigner(openSecrets("n".repeat(43), [SECRET_KEY]).deriveAll("receipt signatures"));
  assert.deepEqual(verifySigned(signed, next.publicKeys), { ok: true, payload: RECEIPT });
  assert.notEqual(next.publicKeys.keys[0]?.kid, signer.publicKeys.keys[0]?.kid);
  const other = openSigner(openSecrets("o".repeat(43)).deriveAll("receipt signatures"));
  assert.deepEqual(verifySigned(signed, other.publicKeys), { ok: false, reason: "unknown_key" });
});

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ";

/**
 * Another text: one character changed, removed, added or swapped, at a random place. Spaces around a text are no change where it is
 * read from a file.
 */
function mutate(text: string): string {
  const at = randomInt(text.length);
  const one = ALPHABET[randomInt(ALPHABET.length)] ?? "";
  const changes = [
    text.slice(0, at) + one + text.slice(at + 1),
    text.slice(0, at) + text.slice(at + 1),
    text.slice(0, at) + one + text.slice(at),
    text.slice(0, at) + (text[at + 1] ?? "") + (text[at] ?? "") + text.slice(at + 2),
    text.slice(0, at),
  ];
  const changed = changes[randomInt(changes.length)] ?? "";
  return changed.trim() === text ? mutate(text) : changed;
}

test("rejects 1,000 random mutations, and every other last character", () => {
  for (let i = 0; i < 1_000; i++) {
    const text = mutate(signed);
    assert.equal(verifySigned(text, signer.publicKeys).ok, false, text);
  }
  for (const last of ALPHABET) {
    const text = signed.slice(0, -1) + last;
    assert.equal(verifySigned(text, signer.publicKeys).ok, text === signed, text);
  }
});

test("a signature cannot be moved, left out or made with another algorithm", () => {
  const [header = "", payload = "", signature = ""] = signed.split(".");
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const { kid } = signer.publicKeys.keys[0]!;
  const other = encode({ ...RECEIPT, amount: "99999" });
  for (const text of [
    `${header}.${other}.${signature}`,
    `${header}.${payload}.`,
    `${encode({ alg: "none", kid })}.${payload}.`,
    `${encode({ alg: "none", kid })}.${payload}.${signature}`,
    `${encode({ alg: "HS256", kid })}.${payload}.${signature}`,
    `${header}.${payload}.${signature}.${signature}`,
    ` ${signed}`,
    `${signed} `,
    "x".repeat(20_000),
    "",
    "..",
  ]) {
    assert.equal(verifySigned(text, signer.publicKeys).ok, false, text.slice(0, 60));
  }
});

test("the program in the docs and the command agree: they accept a receipt and reject changed ones", async () => {
  const folder = mkdtempSync(join(tmpdir(), "paylink-receipt-"));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const docs = readFileSync("docs/integrate/receipts.md", "utf8");
  const program = file("check.mjs", /```js\n([\s\S]*?)```/.exec(docs)?.[1] ?? "");
  const keys = file("keys.json", JSON.stringify(signer.publicKeys));
  const texts = [signed, ...Array.from({ length: 5 }, () => mutate(signed)), signed.replace(/.$/, "B")];
  for (const [i, text] of texts.entries()) {
    const receipt = file(`receipt-${i}.txt`, `${text}\n`);
    const run = spawnSync(process.execPath, [program, receipt, keys], { encoding: "utf8" });
    assert.equal(run.status, text === signed ? 0 : 1, run.stderr);
    if (text === signed) assert.deepEqual(JSON.parse(run.stdout), RECEIPT);
  }
  const receipt = join(folder, "receipt-0.txt");
  const own = openTestCli(() => ({ SECRET_KEY }));
  assert.deepEqual(await own.answer(`receipt verify ${receipt}`), RECEIPT);
  const piped = openTestCli(() => ({ SECRET_KEY }), { input: `${signed}\n` });
  assert.deepEqual(await piped.answer("receipt verify -"), RECEIPT);
  const anybody = openTestCli(() => ({}));
  assert.deepEqual(await anybody.answer(`receipt verify ${receipt} --keys ${keys}`), RECEIPT);
  await own.refuses({
    [`receipt verify ${join(folder, "receipt-1.txt")}`]: /./,
    [`receipt verify ${join(folder, "none")}`]: /^the file cannot be read/,
  });
});
