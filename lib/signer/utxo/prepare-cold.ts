import type { TransactionNetwork } from "#lib/chains/network.ts";
import { toChainUnits, toLedgerUnits } from "#lib/chains/units.ts";
import { encodeAddressScript } from "#lib/chains/utxo/address.ts";
import { createKeyHashEncoder, KEY_HASH_SCRIPTS } from "#lib/chains/utxo/key-hash-scripts.ts";
import type { MoveDraft, Situation } from "../chain-signer.ts";
import { openCold } from "../cold.ts";
import { chooseCoins, costOf, spendable } from "./coin-rules.ts";
import {
  ancestorBytes,
  findRelayRefusal,
  openRules,
  toDraft,
  type UtxoSignerDeps,
} from "./prepare-payouts.ts";
import { sortPlan } from "./transaction.ts";

/** Moves what all coins hold above the policy's maximum to the cold address, as much as one transaction can. */
export function openColdMoves(
  deps: UtxoSignerDeps,
  adapter: TransactionNetwork,
): (situation: Situation) => Promise<MoveDraft | null> {
  const { sending, spending, keys, policy, log, now } = deps;
  const { coin, chain, family } = sending;
  let situation: Situation = { own: [], open: [], waiting: [] };
  const move = openCold({
    adapter,
    policy,
    log,
    now,
    async fetchBalances() {
      const { coins } = await spending.list(situation);
      const satoshis = coins.reduce((sum, one) => sum + one.satoshis, 0n);
      return new Map([[coin.token, toLedgerUnits(satoshis, coin)]]);
    },
    async build({ amount, to }) {
      const rules = await openRules(deps, situation);
      if (rules === null) return "network_fee_too_high";
      const { coins } = await spending.list(situation);
      const script = encodeAddressScript(to, chain);
      const most = spendable(coins, rules) - costOf({ script, satoshis: 0n }, rules);
      const wanted = toChainUnits(amount, coin);
      const satoshis = wanted - most > 0n ? most : wanted;
      const plan = satoshis > 0n ? chooseCoins(coins, [{ script, satoshis }], rules) : null;
      const [first] = plan?.inputs ?? [];
      if (plan === null || first === undefined || !(await spending.check(plan.inputs)))
        return "hot_balance_too_low";
      const sorted = sortPlan(plan);
      if ((await findRelayRefusal(deps, sorted)) !== null) return "would_fail";
      const { payouts: _payouts, ...draft } = toDraft(deps, sorted, [], ancestorBytes(sorted, situation));
      const encode = createKeyHashEncoder(family.script, chain);
      const from = encode(keys.child(first).script, KEY_HASH_SCRIPTS[family.script].hashAt);
      const moved = { token: coin.token, amount: toLedgerUnits(satoshis, coin), from, to };
      return { ...draft, kind: "cold", moves: [moved] };
    },
  });
  return (given) => {
    situation = given;
    return move(given);
  };
}
