import type { Withdrawal } from "#lib/domain/withdrawals/types.ts";
import type { Payout } from "./types.ts";

/** Returns the payout of a withdrawal. */
export function toPayout({
  env,
  network,
  refid,
  merchantId,
  token,
  amount,
  toAddress: to,
}: Pick<Withdrawal, "env" | "network" | "refid" | "merchantId" | "token" | "amount" | "toAddress">): Payout {
  return { env, network, refid, merchantId, token, amount, to };
}
