/** `signer run` as a process: it reads its policy again on SIGHUP. */
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { signerFiles } from "#lib/signer/host-files.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { folderOfFile } from "#tests/support/folders.ts";
import { prepareHost, startSigner } from "#tests/support/signer-process.ts";
import { until } from "#tests/support/until.ts";
import { ACCOUNT_KEY } from "#tests/support/watched-chain.ts";

const WORDS = "legal winner thank year wave sausage worth useful legal winner thank yellow";
const database = await databaseOfFile();
const folder = folderOfFile();

const policyOf = (networks: object) => JSON.stringify({ version: 1, networks });

test("a network that was added to the policy is reported on SIGHUP, because only a restart pays on it", async (t) => {
  const host = { database, folder, words: WORDS, policy: policyOf({}), env: {} };
  const env = { TEST_BEP20_RPC_URL: "http://127.0.0.1:9", TEST_BEP20_XPUB: ACCOUNT_KEY };
  const signer = startSigner({ folder }, { ...(await prepareHost(host)), ...env });
  t.after(async () => {
    signer.child.kill("SIGTERM");
    await signer.ended;
  });
  await signer.ready;
  const usdt = { per_transfer: "1", per_day: "1", auto_up_to: "1" };
  const added = { "test.bep20": { max_fee_per_gas_gwei: "1", tokens: { usdt } } };
  writeFileSync(signerFiles(folder).policy, policyOf(added), { mode: 0o600 });
  signer.child.kill("SIGHUP");
  await until("the policy to be read", async () => signer.said().includes("the policy was read again"));
  await until("the report of the added network", async () =>
    /"network":"test\.bep20".*restart the signer to pay on it/.test(signer.said()),
  );
});
