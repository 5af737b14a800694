import type { EvmWalletTransfer } from "#lib/chains/wallet-transfer.ts";
import { connectWallet } from "./connect-wallet.ts";
import type { WalletProvider } from "./find-wallets.ts";
import { Refusal, reasonOf, type WalletRefusal } from "./outcome.ts";

/** First four bytes of keccak256("balanceOf(address)") (EIP-20). */
const BALANCE_OF = "0x70a08231";

/** Asks an EIP-1193 wallet for exactly this transfer. Null: it sent it. */
export async function payByEvmWallet(
  provider: WalletProvider,
  transfer: EvmWalletTransfer,
): Promise<WalletRefusal | null> {
  try {
    const from = await connectWallet(provider, transfer);
    const balance = await fetchBalance(provider, transfer, from);
    if (balance !== null && balance < BigInt(transfer.amount)) throw new Refusal("tooLittle");
    const params = [{ from, ...transfer.transaction }];
    await provider.request({ method: "eth_sendTransaction", params });
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Null where the wallet does not say. It will then say itself what is missing. */
async function fetchBalance(
  provider: WalletProvider,
  { contract }: EvmWalletTransfer,
  account: string,
): Promise<bigint | null> {
  const data = `${BALANCE_OF}${account.slice(2).toLowerCase().padStart(64, "0")}`;
  try {
    const balance = await (contract === null
      ? provider.request({ method: "eth_getBalance", params: [account, "latest"] })
      : provider.request({ method: "eth_call", params: [{ to: contract, data }, "latest"] }));
    return BigInt(String(balance));
  } catch {
    return null;
  }
}
