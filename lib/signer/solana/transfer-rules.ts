import type { SolanaAccount, SolanaSendState } from "#lib/chains/solana/types.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { HoldReason } from "../types.ts";

const SYSTEM_PROGRAM = "11111111111111111111111111111111";

/** A payment on Solana, before it is signed. */
export interface SolanaTransfer {
  readonly token: TokenCode;
  readonly decimals: number;
  /** Null for SOL. */
  readonly mint: string | null;
  readonly to: string;
  /** In the token's unit on this chain. */
  readonly value: bigint;
}

/**
 * Why a transfer cannot be made now. `held`: what the hot account has of the token. `reserved`: what waiting transactions will use of it. The
 * fee is not looked at.
 */
export function findHold(
  { mint, value }: SolanaTransfer,
  {
    destination,
    rent,
    held,
    reserved,
  }: {
    /** Null if it does not exist. */
    readonly destination: SolanaAccount | null;
    readonly rent: SolanaSendState["rent"];
    readonly held: bigint;
    readonly reserved: bigint;
  },
): HoldReason | null {
  // A token account, a mint or a program can have the address of a key pair. A person's account has no data.
  if (destination !== null && !isPlain(destination)) return "destination_unsafe";
  if (mint === null && destination === null && value < rent.empty) return "below_minimum";
  return held < value + reserved ? "hot_balance_too_low" : null;
}

const isPlain = ({ owner, space, executable }: SolanaAccount): boolean =>
  owner === SYSTEM_PROGRAM && space === 0 && !executable;
