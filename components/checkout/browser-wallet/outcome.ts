/** Why a wallet sent nothing. `failed`: it did not say why, and may have sent. */
export type WalletRefusal = "refused" | "locked" | "wrongChain" | "tooLittle" | "noFee" | "failed";

/** Thrown between the steps of a payment by a wallet. */
export class Refusal extends Error {
  readonly reason: WalletRefusal;
  constructor(reason: WalletRefusal) {
    super(reason);
    this.reason = reason;
  }
}

/** Code of a wallet's error (EIP-1193, TIP-1193). MetaMask's app has it one level deeper. */
export function codeOf(error: unknown): unknown {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: { originalError?: { code?: unknown } } };
  return data?.originalError?.code ?? code;
}

/** Why a wallet did not name an account, sign or send. Wallets of TRON throw plain texts. */
export function reasonOf(error: unknown): WalletRefusal {
  if (error instanceof Refusal) return error.reason;
  const text = String((error as Error | null)?.message ?? error);
  if (codeOf(error) === 4001 || /declined|rejected|denied|cancell?ed/i.test(text)) return "refused";
  // Another request waits in the wallet, often to be unlocked.
  if (codeOf(error) === -32_002 || /locked/i.test(text)) return "locked";
  return /insufficient|not sufficient|not enough/i.test(text) ? "noFee" : "failed";
}
