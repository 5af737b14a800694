import type { TestContext } from "node:test";
import { eq } from "drizzle-orm";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { NetworkCode } from "#lib/chains/networks.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import type { WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { SignerDeps } from "#lib/signer/run-signer.ts";
import { signerHost } from "./signer-host.ts";
import { EMAIL, WORDS } from "./signer-world.ts";
import { aMerchant } from "./unmatched.ts";
import { aWithdrawal, fund } from "./withdrawals.ts";

/** A chain that a test runs, as far as the signer's world needs it. */
export interface PayoutChain {
  readonly network: NetworkCode;
  readonly networks: NetworkRegistry;
  /** The network's part of the policy file. */
  readonly policy: object;
  /** The amount that the merchant can withdraw, in ledger units. */
  readonly balances: Readonly<Partial<Record<TokenCode, bigint>>>;
  /** Called before anything is allocated. */
  prepare?(db: Db): Promise<void>;
  /** Makes what is in a block final. */
  finalize(): Promise<void> | void;
}

/** A signer of the test environment over a chain, with a database, a merchant and a journal. */
export async function payoutWorld(t: TestContext, chain: PayoutChain) {
  const { network, networks } = chain;
  const host = await signerHost(t, networks, network, { mnemonic: WORDS });
  const { db, adapter } = host;
  await chain.prepare?.(db);
  const merchantId = await aMerchant(db, EMAIL);
  for (const [token, amount] of Object.entries(chain.balances))
    await fund(db, adapter, merchantId, amount, token as TokenCode);

  /** The text of a policy file. `changes` of the network's policy. */
  const policyText = (changes: object = {}) =>
    JSON.stringify({ version: 1, networks: { [`test.${network}`]: { ...chain.policy, ...changes } } });
  return {
    ...{ ...host, merchantId, policyText },
    start: (changes: object = {}, other: Partial<SignerDeps> = {}) => host.start(policyText(changes), other),
    create: (token: TokenCode, amount: bigint, to: string) =>
      aWithdrawal({ db, networks }, EMAIL, { network, token, amount, to }),
    async settle() {
      await chain.finalize();
      await host.follow();
    },
    status: async (id: number) => (await host.row(id)).status,
    /** Changes the destination of a withdrawal in the database, as an attacker with write access to it. */
    async point(withdrawal: WithdrawalRow, toAddress: string): Promise<WithdrawalRow> {
      await db.update(withdrawals).set({ toAddress }).where(eq(withdrawals.id, withdrawal.id));
      return { ...withdrawal, toAddress };
    },
  };
}
