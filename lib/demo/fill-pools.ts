import { createPoolAddresses } from "#lib/domain/wallets/create-wallet.ts";
import { importAddresses } from "#lib/domain/wallets/import-addresses.ts";
import { openDatabase } from "#lib/platform/db/connection.ts";
import { actOfDemo } from "./act-of-demo.ts";
import type { DemoState } from "./state.ts";

const ADDRESSES = 200;

/**
 * Fills the pools of networks that derive no addresses, from the demo's mnemonic. Existing addresses stay.
 */
export async function fillPools(databaseUrl: string, { mnemonic }: DemoState): Promise<void> {
  const { db, close } = openDatabase(databaseUrl, { max: 2 });
  try {
    for (const { env, network, addresses } of createPoolAddresses(mnemonic, ADDRESSES)) {
      if (env !== "test") continue;
      const text = addresses.map(({ address, path }) => `${address} ${path}`).join("\n");
      const done = await db.transaction((tx) => importAddresses(actOfDemo(tx), { env, network, text }));
      if (!done.ok) throw new Error(`the pool of ${network} was not filled: ${JSON.stringify(done)}`);
    }
  } finally {
    await close();
  }
}
