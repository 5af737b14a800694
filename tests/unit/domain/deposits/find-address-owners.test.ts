/** Whose an address is that a payment names: that of another network too, if the family derives the same addresses there. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findAddressOwners } from "#lib/domain/deposits/find-address-owners.ts";
import { createWatchContext } from "#lib/domain/deposits/watch/watch-network.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { aMerchant, anAddress } from "#tests/support/unmatched.ts";
import { bep20, evmNetwork, LINK_SETTINGS, log, ROOT } from "#tests/support/watched-chain.ts";

const { db, database } = await databaseOfFile();
const NO_NODE = "http://127.0.0.1:9";

test("an address is found that was allocated on a network of the family that is switched off, or has another key since", async () => {
  const merchantId = await aMerchant(db, "shop@example.com");
  const accountKey = ROOT.derive("m/44'/60'/7'").publicExtendedKey;
  const allocated = [{}, { accountKey }].map((changes) =>
    evmNetwork("base", [NO_NODE], {}, changes).find("test", "base"),
  );
  const networks = bep20(NO_NODE);
  const rates = { current: () => null, refresh: async () => {}, start: () => {}, stop: () => {} };
  const paymentLinks = { db, networks, rates, settings: LINK_SETTINGS };
  const watch = createWatchContext({ database, paymentLinks, log }, networks.find("test", "bep20")!);
  for (const adapter of allocated) {
    const { id, address } = await anAddress(db, adapter!, merchantId);
    const canonical = adapter!.addresses.canonicalize(address)!;
    const owner = (await findAddressOwners(watch, [canonical])).get(canonical);
    assert.deepEqual([owner?.id, owner?.network], [id, "base"]);
  }
});
