import type { NetworkAdapter } from "#lib/chains/network.ts";
import { isUtxoSending } from "#lib/chains/utxo/sending.ts";
import { openAccountKey } from "../account-key.ts";
import type { ChainSigner, ChainSignerDeps } from "../chain-signer.ts";
import { openDepositCoins } from "./deposit-coins.ts";
import { findRefusal } from "./destination.ts";
import { observeUtxo } from "./observe-utxo.ts";
import { openOwnChange } from "./own-change.ts";
import { openOwnKeys } from "./own-keys.ts";
import { openColdMoves } from "./prepare-cold.ts";
import { prepareConsolidation, preparePayouts } from "./prepare-payouts.ts";
import { prepareCancel, prepareRaise } from "./prepare-replacement.ts";
import { openSpending } from "./spending.ts";

/** Outputs of one transaction: 3,500 virtual bytes. */
const MOST_PAYOUTS = 100;
/** Nodes relay up to 25 that spend each other's outputs. */
const MOST_WAITING = 20;

/**
 * Pays on bitcoin, litecoin and dogecoin: from the deposits themselves, and from its own change. Many withdrawals with one transaction.
 * Throws a KeyError if the words do not derive the configured key.
 */
export function openUtxoSigner({ adapter, mnemonic, policy, db, log, now }: ChainSignerDeps): ChainSigner {
  const { sending } = adapter;
  if (!isUtxoSending(sending)) throw new Error(`${adapter.network} is not paid from outputs`);
  const keys = openOwnKeys(openAccountKey(mnemonic, adapter), sending.family.script);
  const change = openOwnChange(keys);
  const deposits = openDepositCoins({ db, adapter, sending, keys, log });
  const spending = openSpending({ sending, keys, change, deposits, now });
  const deps = {
    sending,
    keys,
    change,
    spending,
    policy,
    log,
    now,
    refused: new Map<string, number>(),
    counted: { at: Number.NEGATIVE_INFINITY },
  };
  const moveToCold = openColdMoves(deps, adapter);
  const blocks = new Map<string, string>();
  return {
    account: accountPath(adapter),
    mostPayouts: MOST_PAYOUTS,
    mostWaiting: MOST_WAITING,
    checkPayout: (payout) => findRefusal(payout, sending, change.isOurs),
    async observe(own) {
      const observed = await observeUtxo({ db, adapter, blocks, now }, own);
      spending.noteOpen(own, observed.settled);
      return observed;
    },
    prepare: (payouts, situation) => preparePayouts(deps, payouts, situation),
    prepareReplacement: (entry, purpose, situation) =>
      purpose === "raise" ? prepareRaise(deps, entry, situation) : prepareCancel(deps, entry, situation),
    prepareMove: async (situation) => (await moveToCold(situation)) ?? prepareConsolidation(deps, situation),
    broadcast: ({ raw }) => sending.broadcast(raw),
  };
}

/** The account whose children pay, as wallets write it: m/84'/0'/0'. */
const accountPath = (adapter: NetworkAdapter) => adapter.addresses.derive(0).path.replace(/\/0\/0$/, "");
