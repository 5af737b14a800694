import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { generateClientFiles } from "#lib/web/api/generate-client.ts";
import { temporaryFolder } from "#tests/support/database.ts";

const ROOT = join(import.meta.dirname, "../../..");
const CLIENT = join(ROOT, "packages/client");
const { name: NAME } = JSON.parse(readFileSync(join(CLIENT, "package.json"), "utf8")) as { name: string };

test("the client files equal those generated from the OpenAPI document (else: npm run client)", async () => {
  for (const [name, text] of await generateClientFiles()) {
    assert.equal(
      readFileSync(join(CLIENT, "src", name), "utf8"),
      text,
      `packages/client/src/${name} is stale`,
    );
  }
});

test("the built client is plain JavaScript with types that a merchant's project can import", () => {
  const shop = temporaryFolder();
  try {
    const installed = join(shop, "node_modules", NAME);
    mkdirSync(installed, { recursive: true });
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    const dist = join(installed, "dist");
    const run = (args: string[], cwd: string) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
      assert.equal(status, 0, stdout + stderr);
      return stdout;
    };
    run([tsc, "-p", "packages/client/tsconfig.json", "--outDir", dist], ROOT);
    writeFileSync(join(installed, "package.json"), readFileSync(join(CLIENT, "package.json")));
    for (const name of [
      "openapi-fetch",
      "openapi-typescript-helpers",
      "standardwebhooks",
      "@stablelib",
      "fast-sha256",
    ]) {
      symlinkSync(join(ROOT, "node_modules", name), join(shop, "node_modules", name));
    }
    assert.ok(readdirSync(dist).includes("client.d.ts"));
    writeFileSync(join(shop, "package.json"), '{"type":"module"}');
    const program = `import { createPaylinkClient, verifyWebhook } from "${NAME}";
const paylink = createPaylinkClient({ baseUrl: "https://pay.example/v1", apiKey: "pl_test_x" });
export async function link(): Promise<string> {
  const { data, error } = await paylink.GET("/payment-links/{refid}", { params: { path: { refid: "x" } } });
  if (error) throw new Error(error.message);
  const amount: string = data.data.amount_required;
  return amount;
}
export const type = (body: string): string => verifyWebhook("whsec_AAAA", body, {}).type;
console.log(typeof link);
`;
    writeFileSync(join(shop, "shop.ts"), program);
    assert.equal(run(["shop.ts"], shop), "function\n");
    run(
      [
        tsc,
        "--noEmit",
        "--strict",
        "--module",
        "nodenext",
        "--target",
        "es2023",
        "--skipLibCheck",
        "shop.ts",
      ],
      shop,
    );
  } finally {
    rmSync(shop, { recursive: true, force: true });
  }
});
