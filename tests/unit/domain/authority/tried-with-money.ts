/** The verbs about deposits, the ledger and addresses, with what they need. */
import { HDKey } from "@scure/bip32";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import type { Act } from "#lib/domain/authority/types.ts";
import { requeryTransaction } from "#lib/domain/deposits/requery/requery-transaction.ts";
import { refundDeposit } from "#lib/domain/deposits/unmatched/refund-deposit.ts";
import { resolveDeposit } from "#lib/domain/deposits/unmatched/resolve-deposit.ts";
import { resolveDepositBatch } from "#lib/domain/deposits/unmatched/resolve-many.ts";
import { buyToken } from "#lib/domain/ledger/buy-token.ts";
import { recordMovement } from "#lib/domain/ledger/record-movement.ts";
import { payTestLink } from "#lib/domain/sandbox/pay-test-link.ts";
import type { Sandbox } from "#lib/domain/sandbox/types.ts";
import { generateWallet } from "#lib/domain/wallets/generate-wallet.ts";
import { importAddresses } from "#lib/domain/wallets/import-addresses.ts";
import { skipAddresses } from "#lib/domain/wallets/skip-addresses.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { solanaAddress } from "#tests/support/solana.ts";
import { anAddress, anUnmatchedDeposit } from "#tests/support/unmatched.ts";
import { DESTINATION } from "#tests/support/withdrawals.ts";
import type { Tried } from "./tried.ts";

const keyOf = (account: number) =>
  HDKey.fromMasterSeed(Buffer.alloc(32, 1)).derive(`m/44'/60'/${account}'`).publicExtendedKey;
const common = {
  network: "bep20",
  rpcUrls: ["http://127.0.0.1:9"],
  zmqUrl: null,
  chainId: null,
  contracts: {},
} as const;
const networks = openNetworks([
  { ...common, env: "live", accountKey: keyOf(0) },
  { ...common, env: "test", accountKey: keyOf(1) },
]);

function adapterOf(env: Env): NetworkAdapter {
  const adapter = networks.find(env, "bep20");
  if (adapter === null) throw new Error(`there is no bep20 in ${env}`);
  return adapter;
}

/** A held deposit at an address of the merchant. */
async function aDeposit({ tx, merchantId, env }: Act): Promise<number> {
  const db = tx as unknown as Db;
  const { id: addressId } = await anAddress(db, adapterOf(env), merchantId);
  return (await anUnmatchedDeposit(db, { addressId })).id;
}
const ALL = {
  network: null,
  token: null,
  reason: null,
  ownerId: null,
  below: null,
  createdBefore: null,
  upTo: null,
};

/** A trading desk without prices, which refuses each buy. */
const DESK = { db: {}, rates: { current: () => null }, deskLimitUsd: 1, deskSpreadBps: 0 } as never;
const ORDER = { feePercentage: "1", token: "btc", amount: 1_000_000n } as const;
const SANDBOX: Sandbox = {
  play: async () => ({ ok: false, reason: "link_not_found" }),
  panel: async () => null,
};
const PLAYED = { refid: "0".repeat(16), scenario: "exact", network: null, token: null, mine: true } as const;

export const TRIED_WITH_MONEY = {
  "deposit.resolve": {
    attempt: (act, id) => resolveDeposit(act, { networks, id }),
    prepare: aDeposit,
    notFound: "deposit_not_found",
    reachesEveryMerchant: true,
  },
  "deposit.refund": {
    attempt: (act, id) => refundDeposit(act, { networks, id, to: DESTINATION, amount: null }),
    prepare: aDeposit,
    notFound: "deposit_not_found",
    reachesEveryMerchant: true,
  },
  "deposit.resolve-many": {
    attempt: (act) => resolveDepositBatch(act, { networks, filter: ALL, kind: "held", after: 0 }),
    prepare: aDeposit,
  },
  "ledger.movement": {
    attempt: (act) =>
      recordMovement(act, {
        env: "test",
        token: "btc",
        amount: 1n,
        reference: "coins",
        movement: { kind: "brought_in", network: "bitcoin" },
      }),
    isOfInstallation: true,
  },
  "addresses.import": {
    attempt: (act) => importAddresses(act, { env: "test", network: "solana", text: solanaAddress(0) }),
    isOfInstallation: true,
  },
  "addresses.skip": {
    attempt: (act) => skipAddresses(act, { adapter: adapterOf("test"), to: 0 }),
    isOfInstallation: true,
  },
  "address.allocate": {
    attempt: ({ tx, ...act }) =>
      generateWallet({ ...act, db: tx }, { networks, network: "bep20", customer: null, fresh: true }),
    keepsOwnRecord: true,
  },
  "trade.buy": {
    attempt: ({ tx, ...act }) => buyToken({ ...act, db: tx }, { deps: DESK, order: ORDER }),
    keepsOwnRecord: true,
  },
  "transaction.requery": {
    attempt: ({ tx, ...act }) =>
      // Nothing is asked about a text that is no hash.
      requeryTransaction({ ...act, db: tx }, { watch: { adapter: adapterOf("test") } as never, text: "x" }),
    keepsOwnRecord: true,
  },
  "sandbox.pay": {
    attempt: ({ tx, ...act }) => payTestLink({ ...act, db: tx }, { sandbox: SANDBOX, request: PLAYED }),
    keepsOwnRecord: true,
  },
} as const satisfies Readonly<Record<string, Tried>>;
