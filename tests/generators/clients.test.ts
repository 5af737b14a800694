/** Clients of common generators create and read a payment link, and linters accept the OpenAPI document. */
import assert from "node:assert/strict";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { startApi } from "#tests/support/api.ts";
import { installTools, NEWTONSOFT, runTool } from "./tools.ts";

const PROGRAMS = join(import.meta.dirname, "programs");
const api = await startApi();
const merchant = await api.merchant();
const tools = await installTools();
after(async () => {
  await api.close();
  if (!process.env.GENERATORS) rmSync(tools, { recursive: true, force: true });
});

const env = {
  BASE_URL: `${api.origin}/v1`,
  API_KEY: merchant.test,
  PATH: `${join(tools, "python/bin")}:${process.env.PATH}`,
};
const bin = (name: string) => join(tools, "node_modules/.bin", name);
const python = join(tools, "python/bin/python");
const document = join(tools, "openapi.json");
writeFileSync(document, await (await fetch(`${api.origin}/v1/openapi.json`)).text());
/** The document of answers whose amounts are strings. */
const withStrings = join(tools, "openapi-strings.json");
writeFileSync(withStrings, await (await fetch(`${api.origin}/v1/openapi.json?amounts=string`)).text());

/** An empty folder below the tools, so that their packages are found, with one program in it. */
function workFolder(name: string, program: string, target: string): string {
  const folder = join(tools, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, target, ".."), { recursive: true });
  cpSync(join(PROGRAMS, program), join(folder, target));
  return folder;
}

/** Runs the official generator. Fails if it leaves something out. */
async function generate(language: string, cwd: string, properties: string[] = []): Promise<void> {
  const output = await runTool(
    join(tools, "python/bin/openapi-generator-cli"),
    ["generate", "-i", withStrings, "-g", language, "-o", ".", ...properties],
    { cwd, env },
  );
  assert.doesNotMatch(output, /FILEPATH_COLLISION|has no effect on schema/);
}

/** The program prints both refids, the state, the amount and the reason. */
function checkLink(output: string, amount: number | string = 38250.5): void {
  const [created, read, ...rest] = JSON.parse(output) as unknown[];
  assert.match(String(created), /^[1-9A-HJ-NP-Za-km-z]{22}$/);
  assert.equal(read, created);
  assert.deepEqual(rest, ["awaiting", amount, null]);
}

/** 18 digits: a float would round them. */
const EXACT = "123456789012.345678";

async function runTypeScript(cwd: string, program: string): Promise<void> {
  const options =
    "--noEmit --strict --skipLibCheck --allowImportingTsExtensions --target es2022 --types node";
  await runTool(
    bin("tsc"),
    [...options.split(" "), "--module", "esnext", "--moduleResolution", "bundler", program],
    { cwd },
  );
  checkLink(await runTool(bin("tsx"), [program], { cwd, env }));
}

test("openapi-typescript with openapi-fetch", async () => {
  const cwd = workFolder("openapi-fetch", "openapi-fetch.ts", "link.ts");
  await runTool(bin("openapi-typescript"), [document, "-o", "schema.ts"], { cwd });
  await runTypeScript(cwd, "link.ts");
});

test("@hey-api/openapi-ts", async () => {
  const cwd = workFolder("hey-api", "hey-api.ts", "link.ts");
  await runTool(bin("openapi-ts"), ["-i", document, "-o", "generated", "-p", "@hey-api/client-fetch"], {
    cwd,
  });
  await runTypeScript(cwd, "link.ts");
});

test("openapi-generator, php", async () => {
  const cwd = workFolder("php", "openapi-generator.php", "link.php");
  await generate("php", cwd);
  checkLink(await runTool("php", ["link.php"], { cwd, env }), EXACT);
});

test("openapi-generator, python", async () => {
  const cwd = workFolder("python-generator", "openapi-generator.py", "link.py");
  await generate("python", cwd);
  checkLink(await runTool(python, ["link.py"], { cwd, env }), EXACT);
});

test("openapi-generator, go", async () => {
  const cwd = workFolder("go", "openapi-generator.go", "link/main.go");
  const names = ["--git-user-id", "paylink", "--git-repo-id", "client"];
  await generate("go", cwd, [...names, "--additional-properties", "packageName=paylink"]);
  rmSync(join(cwd, "test"), { recursive: true });
  const cache = { GOCACHE: join(tools, "go-build"), GOMODCACHE: join(tools, "go-modules") };
  const options = { cwd, env: { ...env, ...cache, GOFLAGS: "-mod=mod -modcacherw" } };
  await runTool("go", ["vet", "."], options);
  checkLink(await runTool("go", ["run", "./link"], options), EXACT);
});

test("openapi-generator, ruby", async () => {
  const cwd = workFolder("ruby", "openapi-generator.rb", "link.rb");
  await generate("ruby", cwd);
  checkLink(await runTool("ruby", ["link.rb"], { cwd, env }), EXACT);
});

test("openapi-generator, java", async () => {
  const cwd = workFolder("java", "openapi-generator.java", "src/main/java/Link.java");
  // Without it, lists that the program does not set are sent, empty.
  await generate("java", cwd, [
    "--library",
    "native",
    "--additional-properties",
    "containerDefaultToNull=true",
  ]);
  const quietly = ["--quiet", "--batch-mode", "-Dmaven.test.skip=true"];
  await runTool("mvn", [...quietly, "compile", "dependency:copy-dependencies"], { cwd, env });
  checkLink(
    await runTool("java", ["-cp", "target/classes:target/dependency/*", "Link"], { cwd, env }),
    EXACT,
  );
});

test("openapi-generator, csharp", async () => {
  const cwd = workFolder("csharp", "openapi-generator.cs", "link.cs");
  // Repeated attempts would need Polly, which Mono lacks.
  const properties = "packageName=Paylink,targetFramework=net48,supportsRetry=false";
  await generate("csharp", cwd, ["--library", "httpclient", "--additional-properties", properties]);
  cpSync(join(tools, NEWTONSOFT), join(cwd, "Newtonsoft.Json.dll"));
  const assemblies = [
    ...["System.ComponentModel.DataAnnotations", "System.Net.Http", "System.Runtime.Serialization"],
    ...["System.Web", "Newtonsoft.Json.dll"],
  ].map((name) => `-r:${name}`);
  await runTool(
    "mcs",
    ["-langversion:7.2", ...assemblies, "-out:link.exe", "-recurse:src/Paylink/*.cs", "link.cs"],
    { cwd },
  );
  checkLink(await runTool("mono", ["link.exe"], { cwd, env }), EXACT);
});

test("openapi-python-client", async () => {
  const cwd = workFolder("python-client", "openapi-python-client.py", "link.py");
  await runTool(
    join(tools, "python/bin/openapi-python-client"),
    [
      ...["generate", "--path", document, "--output-path", "generated"],
      "--meta",
      "none",
      "--fail-on-warning",
    ],
    { cwd, env },
  );
  checkLink(await runTool(python, ["link.py"], { cwd, env }));
});

test("Redocly finds nothing to say about the document", async () => {
  const output = await runTool(bin("redocly"), ["lint", "--format", "json", document], { cwd: tools });
  const { totals } = JSON.parse(output) as { totals: { errors: number; warnings: number } };
  assert.deepEqual([totals.errors, totals.warnings], [0, 0], output.slice(0, 5000));
});

test("Spectral finds nothing to say about the document", async () => {
  writeFileSync(join(tools, ".spectral.yaml"), "extends: ['spectral:oas']\n");
  await runTool(bin("spectral"), ["lint", "--fail-severity", "hint", document], { cwd: tools });
});
