import { bytesToHex } from "@noble/hashes/utils.js";
import { keccak256 } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { isEvmSending } from "#lib/chains/evm/sending.ts";
import type { NetworkAdapter } from "#lib/chains/network.ts";
import { storeOutgoing } from "#lib/domain/withdrawals/send/submit-payment.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { deriveChildKey, openAccountKey } from "../account-key.ts";
import type { Journal } from "../journal.ts";
import { policyName } from "../policy-rules.ts";
import { signEntry } from "../sign-entry.ts";
import type { NetworkPolicy } from "../types.ts";
import { chooseFees, costOf } from "./fee-rules.ts";
import { senderOf } from "./nonce-rules.ts";
import { openNonces } from "./nonces.ts";
import { encodeDeployment, PROXY, sweeperAddress } from "./sweeper/sweeper.ts";

/** It needs 474,000, which follows from its bytecode. Unused gas is not paid. */
const GAS = 700_000n;

export interface DeployDeps {
  readonly adapter: NetworkAdapter;
  readonly mnemonic: string;
  readonly policy: NetworkPolicy;
  readonly journal: Journal;
  readonly db: Db;
  readonly now: () => Date;
}

export type DeployedSweeper =
  | {
      readonly ok: true;
      readonly sweeper: string;
      /** The only address that it pays to: the hot account. */
      readonly vault: string;
      /** The transaction that deploys it. Null if it is there already. */
      readonly hash: string | null;
    }
  | {
      readonly ok: false;
      readonly reason:
        | "not_evm"
        | "no_deployment_proxy"
        | "network_fee_too_high"
        | "hot_balance_too_low"
        | "nonce_not_mine";
    };

/**
 * Deploys the sweeper of a network from its hot account, if it is not there. A transaction that waits is broadcast again, and no second one
 * signed. Only while no signer runs: the journal and the nonces have one user. Throws NodeError.
 */
export async function deploySweeper(deps: DeployDeps): Promise<DeployedSweeper> {
  const { adapter, mnemonic, journal } = deps;
  const { sending } = adapter;
  if (!isEvmSending(sending)) return { ok: false, reason: "not_evm" };
  const key = deriveChildKey(openAccountKey(mnemonic, adapter), 1, 0);
  const account = privateKeyToAccount(`0x${bytesToHex(key)}`);
  const vault = account.address.toLowerCase();
  const sweeper = sweeperAddress(vault);
  const [found, proxy] = await sending.fetchAccounts([sweeper, PROXY]);
  if (found?.code !== "0x") return { ok: true, sweeper, vault, hash: null };
  if (proxy?.code === "0x") return { ok: false, reason: "no_deployment_proxy" };
  const name = policyName(adapter);
  const [own, open] = [journal.listLive(name), journal.listOpen(name)];
  const deployment = open.find((entry) => entry.kind === "deploy" && senderOf(entry) === vault);
  if (deployment !== undefined) {
    await sending.broadcast(deployment.raw);
    return { ok: true, sweeper, vault, hash: deployment.hash };
  }
  const state = await sending.fetchState({ from: vault, to: vault, value: 0n, contract: null });
  const fees = chooseFees(state, deps.policy.maxFee);
  if (fees === null) return { ok: false, reason: "network_fee_too_high" };
  if (GAS * fees.maxFeePerGas > state.coinBalance) return { ok: false, reason: "hot_balance_too_low" };
  // The answer says what a log would.
  const nonces = openNonces({ adapter, sending, account: vault, log: { error: () => {} }, now: deps.now });
  await nonces.look();
  const nonce = await nonces.next({ own, open });
  if (nonce === null) return { ok: false, reason: "nonce_not_mine" };
  const { to, data } = encodeDeployment(vault);
  const { chainId } = sending;
  const draft = {
    spends: [`${vault}:${nonce}`],
    expires: null,
    cost: costOf({ ...fees, gas: GAS }, { gas: GAS, price: deps.policy.maxFee }),
    async sign() {
      const raw = await account.signTransaction({ ...fees, chainId, nonce, to, data, gas: GAS, value: 0n });
      return { hash: keccak256(raw), raw };
    },
  };
  const what = { kind: "deploy", payouts: [], moves: [] } as const;
  const entry = await signEntry({ ...deps, networkPolicy: deps.policy }, draft, what, deps.now());
  if (typeof entry === "string") return { ok: false, reason: "network_fee_too_high" };
  await storeOutgoing(deps.db, entry, entry.at);
  await sending.broadcast(entry.raw);
  return { ok: true, sweeper, vault, hash: entry.hash };
}
