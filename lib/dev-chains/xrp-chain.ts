import { join } from "node:path";
import { isValidClassicAddress, isValidXAddress, xrpToDrops } from "xrpl";
import type { DevChain } from "./dev-chain.ts";
import { startXrpFake } from "./xrp-fake/start-xrp-fake.ts";
import { destinationOf, sendTransaction } from "./xrp-fake/xrp-payer.ts";

/** More than the reserve that an account must hold, for withdrawals. It comes before anybody watches the account. */
export const FIRST_XRP = "10000";
/** No public network's, so that no page leads to an explorer that does not know the transactions. */
const NETWORK_ID = 1_000;

/**
 * XRP: our fake of a rippled server, since no real one is available. The ledger's own library signs its
 * transactions.
 */
export async function startXrp(dataDir: string, account: string): Promise<DevChain> {
  const fake = await startXrpFake({ statePath: join(dataDir, "xrp.ledgers"), networkId: NETWORK_ID });
  const { url, faucet, ledgers } = fake;
  const send = (address: string, amount: string) => {
    const payment = { TransactionType: "Payment", ...destinationOf(address), Amount: xrpToDrops(amount) };
    return sendTransaction(url, faucet, payment);
  };
  // An account exists from its first payment on. It cannot receive anything else before.
  if (!ledgers.state.accounts.has(account)) {
    await send(account, FIRST_XRP);
    fake.mine();
  }
  return {
    network: "xrp",
    title: "XRP (a fake of a server)",
    env: { TEST_XRP_RPC_URL: url, TEST_XRP_CHAIN_ID: String(NETWORK_ID) },
    forScripts: { rpc_url: url, account, faucet_secret: faucet.seed },
    height: async () => ledgers.tip().index,
    mine: async (blocks) => fake.mine(blocks),
    readRequest: (text) =>
      isValidXAddress(text) || isValidClassicAddress(text) ? { address: text, amount: null } : null,
    send,
    stop: () => fake.stop(),
  };
}
