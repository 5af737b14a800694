import type { WalletTransfer } from "#lib/chains/wallet-transfer.ts";
import type { WalletProvider } from "./find-wallets.ts";
import { codeOf, Refusal } from "./outcome.ts";

/** The wallet did not find the chain (EIP-3326, TIP-3326). */
const UNKNOWN_CHAIN = 4902;

/** Returns the account that the payer lets the page see, on the transfer's chain. Throws what reasonOf reads. */
export async function connectWallet(provider: WalletProvider, transfer: WalletTransfer): Promise<string> {
  const accounts = await provider.request({ method: "eth_requestAccounts" });
  const account: unknown = Array.isArray(accounts) ? accounts[0] : null;
  if (typeof account !== "string") throw new Refusal("locked");
  if (await isOnChain(provider, transfer)) return account;
  await switchChain(provider, transfer).catch(() => {
    throw new Refusal("wrongChain");
  });
  if (await isOnChain(provider, transfer)) return account;
  throw new Refusal("wrongChain");
}

async function isOnChain(provider: WalletProvider, { chainId }: WalletTransfer): Promise<boolean> {
  return Number(await provider.request({ method: "eth_chainId" })) === Number(chainId);
}

async function switchChain(provider: WalletProvider, transfer: WalletTransfer): Promise<void> {
  const { chainId } = transfer;
  const addChain = transfer.kind === "eip1193" ? transfer.addChain : null;
  try {
    await provider.request({ method: "wallet_switchEthereumChain", params: [{ chainId }] });
  } catch (error) {
    if (codeOf(error) !== UNKNOWN_CHAIN || addChain === null) throw error;
    await provider.request({ method: "wallet_addEthereumChain", params: [addChain] });
  }
}
