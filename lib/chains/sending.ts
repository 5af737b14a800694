import type { TokenCode } from "#lib/platform/money/tokens.ts";
import type { EvmSending } from "./evm/sending.ts";
import type { ChainReader } from "./network.ts";
import type { NodePool } from "./node-pool.ts";
import type { SolanaSending } from "./solana/sending.ts";
import type { TronSending } from "./tron/sending.ts";
import type { UtxoSending } from "./utxo/sending.ts";
import type { XrpSending } from "./xrp/sending.ts";

/** Throws NodeError if an answer cannot be true. */
export type Check<T> = (answer: T) => Promise<void> | void;

/** The answer of the best node whose answer passes `check`. After one that fails, the next node is asked. */
export const askChecked = <R extends ChainReader, T>(
  pool: Pick<NodePool<R>, "use">,
  ask: (node: R) => Promise<T>,
  check: Check<T> = () => {},
): Promise<T> =>
  pool.use(async (node) => {
    const answer = await ask(node);
    await check(answer);
    return answer;
  });

/** What every family's signer asks. Every failure is a NodeError. */
export interface SendingBase {
  /** The account that the signer pays from, canonical. Null if only the signer's words derive it. */
  hotAccount(): string | null;
  /** What an account holds of each listed token, in ledger units. Absent where nodes have no such question. */
  fetchBalances?(account: string): Promise<ReadonlyMap<TokenCode, bigint>>;
  /** Sends a signed transaction to every node. Accepts one that a node has already. Throws if none took it. */
  broadcast(raw: string): Promise<void>;
}

/** What the signer asks of a network, by its family. */
export type Sending = EvmSending | UtxoSending | SolanaSending | TronSending | XrpSending;
