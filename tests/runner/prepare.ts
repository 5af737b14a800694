/** The programs that suites need on the machine. */
export interface Needs {
  /** Nodes of the development chains. */
  readonly chains: boolean;
  /** A build of the page. */
  readonly page: boolean;
  readonly browser: boolean;
  /** A PostgreSQL that has pg_dump. */
  readonly dumps: boolean;
  /** A PostgreSQL that fails over, on machines with networks of their own. */
  readonly patroni: boolean;
}

/**
 * Finds or builds it, and sets the variables that name it for all processes of the run. Returns one line for each that
 * this machine cannot have.
 */
export async function prepare(needs: Needs): Promise<string[]> {
  const say = (line: string) => console.log(line);
  const problems: string[] = [];
  if (needs.chains) {
    const { BITCOIND, LITECOIND } = await import("#lib/dev-chains/core-programs.ts");
    const { findCoreNode } = await import("#lib/dev-chains/find-core-node.ts");
    for (const program of [BITCOIND, LITECOIND]) {
      const found = await findCoreNode(program, process.env, say);
      if (found.ok) process.env[program.variable] = found.path;
      else problems.push(found.problem);
    }
  }
  if (needs.dumps) {
    const { findPostgres17, POSTGRES_17 } = await import("#tests/support/postgres-17.ts");
    const found = await findPostgres17(process.env, say);
    if (found.ok) process.env[POSTGRES_17] = found.folder;
    else problems.push(found.problem);
  }
  if (needs.patroni) {
    const { findPatroni } = await import("#tests/support/patroni.ts");
    const { findNetworksProblem } = await import("#tests/support/own-networks.ts");
    const found = await findPatroni(say);
    if (!found.ok) problems.push(found.problem);
    const problem = await findNetworksProblem();
    if (problem !== null) problems.push(problem);
  }
  if (needs.page) {
    const { buildPage } = await import("#lib/demo/build-page.ts");
    await buildPage(say);
  }
  if (needs.browser) {
    const { findBrowser } = await import("#tests/support/browser.ts");
    const found = await findBrowser();
    if (found.ok) say(`the browser is ${found.path}`);
    else problems.push(found.problem);
  }
  return problems;
}
