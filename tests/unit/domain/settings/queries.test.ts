import assert from "node:assert/strict";
import { test } from "node:test";
import { NETWORK_CODES } from "#lib/chains/networks.ts";
import { listNetworkSettings, listTokenSettings } from "#lib/domain/settings/queries.ts";
import { TOKENS } from "#lib/platform/money/tokens.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";

const t = await databaseOfFile();

// A network without its row raises no error: links never offer it. A migration inserts the rows of a new code.
for (const env of ["live", "test"] as const)
  test(`the migrations insert settings of every network and token in ${env}`, async () => {
    const networks = (await listNetworkSettings(t.db, env)).map((row) => row.network);
    const tokens = (await listTokenSettings(t.db, env)).map((row) => row.token);
    assert.deepEqual(networks.toSorted(), NETWORK_CODES.toSorted());
    assert.deepEqual(tokens.toSorted(), Object.keys(TOKENS).toSorted());
  });
