import { buildPage } from "#lib/demo/build-page.ts";
import { BITCOIND } from "#lib/dev-chains/core-programs.ts";
import { findCoreNode } from "#lib/dev-chains/find-core-node.ts";
import { findBrowser } from "#tests/support/browser.ts";
import { startTestCluster } from "#tests/support/database.ts";

/** Starts the parts that all workers share: the build of the page, PostgreSQL, and the programs of this machine, in variables. */
export default async function setUp(): Promise<() => Promise<void>> {
  const say = (line: string) => console.log(line);
  await buildPage(say);
  const node = await findCoreNode(BITCOIND, process.env, say);
  if (!node.ok) throw new Error(node.problem);
  process.env[BITCOIND.variable] = node.path;
  const browser = await findBrowser();
  if (!browser.ok) throw new Error(browser.problem);
  if (process.env.TEST_POSTGRES_URL) return async () => {};
  const cluster = await startTestCluster();
  process.env.TEST_POSTGRES_URL = cluster.url;
  return () => cluster.stop();
}
