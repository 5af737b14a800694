import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { DevChain } from "#lib/dev-chains/dev-chain.ts";
import { FINALIZED_LAG } from "#lib/dev-chains/solana-chain.ts";
import { FIRST_XRP } from "#lib/dev-chains/xrp-chain.ts";
import { recordMovement } from "#lib/domain/ledger/record-movement.ts";
import { type Database, openDatabase } from "#lib/platform/db/connection.ts";
import { parseAmount } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { deriveHotKey } from "#lib/signer/solana/hot-key.ts";
import { actOfDemo } from "./act-of-demo.ts";

/** The amounts that the faucet gives each hot account at a start. A transfer of USDT on TRON burns some TRX. */
const USDT = "10000";
const COINS = "10";
const TRON_COINS = "1000";
/** The longest reference of a movement. Hashes of Solana are longer. */
const REFERENCE_LENGTH = 64;

/**
 * Pays tokens and coins from the faucets to the hot accounts. The ledger records them as the operator's own, as `ledger add-funds` does. So
 * `ledger check --chain` finds no difference.
 */
export async function fillHotAccounts(
  { mnemonic, databaseUrl }: { readonly mnemonic: string; readonly databaseUrl: string },
  adapters: readonly NetworkAdapter[],
  chains: readonly DevChain[],
): Promise<void> {
  const database = openDatabase(databaseUrl, { max: 1 });
  try {
    for (const adapter of adapters) {
      const chain = chains.find(({ network }) => network === adapter.network);
      if (chain !== undefined) await fill(database, adapter, { chain, mnemonic });
    }
  } finally {
    await database.close();
  }
}

async function fill(
  database: Database,
  adapter: NetworkAdapter,
  { chain, mnemonic }: { readonly chain: DevChain; readonly mnemonic: string },
): Promise<void> {
  const { data, network } = adapter;
  const record = (token: TokenCode, amount: string, reference: string) =>
    recordFunds(database, adapter, { token, amount, reference });
  // Its chain gave it this before the server could watch the account.
  if (data.family === "xrp") return record("xrp", FIRST_XRP, `demo-${network}`);
  const account =
    data.family === "solana"
      ? deriveHotKey(mnemonic, adapter).address
      : (adapter.sending?.hotAccount() ?? null);
  if (account === null) return;
  const coins = data.family === "tron" ? TRON_COINS : COINS;
  await record("usdt", USDT, await chain.send(account, USDT));
  await record(data.coin, coins, await chain.send(account, coins, { coin: true }));
  // A node of Solana shows balances of final blocks alone.
  await chain.mine(data.family === "solana" ? 1 + FINALIZED_LAG : 1);
}

/** Funds that were recorded before are not recorded again. */
async function recordFunds(
  { db }: Database,
  { env, network }: NetworkAdapter,
  { token, amount, reference }: Record<"amount" | "reference", string> & { readonly token: TokenCode },
): Promise<void> {
  const parsed = parseAmount(amount, TOKENS[token].ledgerDecimals);
  if (!parsed.ok) throw new Error(`${amount} ${token} is not an amount`);
  const funds = {
    env,
    token,
    amount: parsed.units,
    reference: reference.replace(/^0x/, "").slice(0, REFERENCE_LENGTH),
    movement: { kind: "brought_in", network },
  } as const;
  const done = await db.transaction((tx) => recordMovement(actOfDemo(tx), funds));
  const isKnown = "reason" in done && done.reason === "movement_recorded_before";
  if (!done.ok && !isKnown)
    throw new Error(`the funds of ${network} were not recorded: ${JSON.stringify(done)}`);
}
