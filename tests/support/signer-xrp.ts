import type { TestContext } from "node:test";
import { Wallet } from "xrpl";
import { startXrpFake } from "#lib/dev-chains/xrp-fake/start-xrp-fake.ts";
import {
  destinationOf,
  sendTransaction,
  type TransactionFields,
} from "#lib/dev-chains/xrp-fake/xrp-payer.ts";
import { payoutWorld } from "./payout-world.ts";
import type { SignerProcessWorld } from "./signer-process.ts";
import { WORDS } from "./signer-world.ts";
import { DROPS_PER_XRP, xrpNetwork } from "./xrp.ts";

/** The account of the signer's words. */
export const XRP_ACCOUNT = Wallet.fromMnemonic(WORDS, {
  derivationPath: "m/44'/144'/0'/0/0",
}).classicAddress;

/** Our fake of a server, the account with 500 XRP, and a merchant who may withdraw 1,000. */
export async function xrpSignerWorld(t: TestContext) {
  const fake = await startXrpFake();
  t.after(() => fake.stop());
  const { url, faucet, ledgers } = fake;
  const submit = (wallet: Wallet, fields: TransactionFields) => sendTransaction(url, wallet, fields);
  const give = (to: string, drops: bigint) =>
    submit(faucet, { TransactionType: "Payment", ...destinationOf(to), Amount: String(drops) });
  await give(XRP_ACCOUNT, 500n * DROPS_PER_XRP);
  fake.mine();
  const xrp = { per_transfer: "100", per_day: "1000", auto_up_to: "100" };
  const world = await payoutWorld(t, {
    network: "xrp",
    networks: xrpNetwork(XRP_ACCOUNT, url),
    policy: { max_fee: "0.001", tokens: { xrp } },
    balances: { xrp: 1_000n * DROPS_PER_XRP },
    finalize: () => fake.mine(),
  });
  return {
    ...world,
    ...{ fake, url, limits: xrp, submit },
    mine: fake.mine,
    /** An account of a person, with this much. */
    async person(drops = 20n * DROPS_PER_XRP) {
      const wallet = Wallet.generate();
      await give(wallet.classicAddress, drops);
      fake.mine();
      return wallet;
    },
    pay: (to: string, xrp = 10n) => world.create("xrp", xrp * DROPS_PER_XRP, to),
    balance: (account: string) => ledgers.state.accounts.get(account)?.balance ?? 0n,
  };
}

/** The same for a signer in a process of its own: 2 XRP at once, the least that a merchant can withdraw. */
export async function xrpProcessWorld(t: TestContext): Promise<SignerProcessWorld> {
  const w = await xrpSignerWorld(t);
  const person = await w.person();
  const before = w.balance(person.classicAddress);
  return {
    ...w,
    words: WORDS,
    policy: w.policyText(),
    env: { TEST_XRP_RPC_URL: w.url, TEST_XRP_ACCOUNT: XRP_ACCOUNT, TEST_XRP_CHAIN_ID: "1" },
    isBatched: false,
    unit: 2n * DROPS_PER_XRP,
    ask: () => w.pay(person.classicAddress, 2n),
    received: async () => w.balance(person.classicAddress) - before,
    mine: async (blocks) => w.mine(blocks),
  };
}
