import { after, before } from "node:test";
import pg from "pg";
import { switchCluster } from "#tests/support/database.ts";
import { type Postgres17, startPostgres17 } from "#tests/support/postgres-17.ts";

/** Puts the databases of a file's tests on a PostgreSQL that has pg_dump. Returns how one is dumped and restored. */
export function openDumps() {
  let postgres: Postgres17;
  let switchBack: () => void;
  before(async () => {
    postgres = await startPostgres17();
    switchBack = switchCluster(postgres.url);
  });
  after(() => {
    switchBack();
    return postgres.stop();
  });
  return {
    dump: (url: string, file: string) =>
      postgres.run("pg_dump", "--format=custom", `--file=${file}`, `--dbname=${url}`),
    /** Loses the database first. */
    async restore(url: string, file: string): Promise<void> {
      const name = new URL(url).pathname.slice(1);
      const admin = new pg.Client({ connectionString: postgres.url });
      await admin.connect();
      await admin.query(`drop database ${name} with (force)`);
      await admin.query(`create database ${name}`);
      await admin.end();
      await postgres.run("pg_restore", "--exit-on-error", `--dbname=${url}`, file);
    },
  };
}
