import assert from "node:assert/strict";
import { test } from "node:test";
import { listOurAddresses } from "#lib/domain/proof/list-our-addresses.ts";
import { allocateAddress } from "#lib/domain/wallets/allocate-address.ts";
import { USDT_ADDRESS } from "#tests/support/anvil.ts";
import { aDeposit, evmHash } from "#tests/support/deposits.ts";
import { evmNetwork } from "#tests/support/watched-chain.ts";
import { openOffline } from "../deposits/offline-chain.ts";

test("lists a network's own addresses, and those of a twin network that were paid on it, page by page", async (t) => {
  const { db, adapter, merchantId, address } = await openOffline(t);
  const twin = evmNetwork("erc20", ["http://127.0.0.1:9"], { usdt: USDT_ADDRESS }).find("test", "erc20")!;
  const ofTwin = () =>
    db.transaction((tx) => allocateAddress(tx, twin, { merchantId, purpose: "merchant", customerId: null }));
  const [own, paid, unpaid, paidThere] = [await address(), await ofTwin(), await ofTwin(), await ofTwin()];
  const others = [await address(), await address()];
  let deposits = 0;
  const pay = (id: number, network: "bep20" | "erc20") => {
    deposits += 1;
    return aDeposit(db, id, { network, txHash: evmHash(deposits), unmatchedReason: "other_network" });
  };
  for (const [{ id }, network] of [
    [paid, "bep20"],
    [paid, "bep20"],
    [paid, "erc20"],
    [paidThere, "erc20"],
    [others[0]!, "erc20"],
  ] as const)
    await pay(id, network);
  const read = async (limit: number, of = adapter) => {
    const pages: number[][] = [];
    for await (const page of listOurAddresses(db, of, limit)) pages.push(page.map(({ id }) => id));
    return pages.filter((ids) => ids.length > 0);
  };
  const bep20 = [own.id, ...others.map(({ id }) => id)];
  assert.deepEqual(await read(9), [bep20, [paid.id]]);
  assert.deepEqual(await read(2), [bep20.slice(0, 2), bep20.slice(2), [paid.id]]);
  assert.deepEqual(await read(9, twin), [[paid.id, unpaid.id, paidThere.id], [others[0]!.id]]);
});
