import { type TransferRequest, toHexQuantity } from "../evm/wallet-transfer.ts";
import type { TronWalletTransfer } from "../wallet-transfer.ts";

/**
 * 100 TRX, the limit that TRON's developer guide uses (developers.tron.network, "Set FeeLimit"). A transfer of USDT to an
 * address that holds none burns about 13 TRX.
 */
const FEE_LIMIT = 100_000_000;

/** Builds the request for TronWeb in a TRON wallet. */
export function buildTronWalletTransfer({
  chainId,
  contract,
  to,
  amount,
}: TransferRequest): TronWalletTransfer {
  return {
    kind: "tip1193",
    chainId: toHexQuantity(chainId),
    contract,
    to,
    amount: amount.toString(),
    feeLimit: FEE_LIMIT,
  };
}
