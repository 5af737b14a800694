import type { NetworkData } from "#lib/chains/network-data.ts";
import { NETWORKS } from "#lib/chains/networks.ts";
import type {
  AstrayPayment,
  PaymentLinkView,
  PaymentView,
  TokenAmount,
} from "#lib/domain/payment-links/types.ts";
import type { TokenCode } from "#lib/platform/money/tokens.ts";
import { typedText } from "./money-text.ts";
import { formatRate } from "./payment-instructions.ts";
import { type TimeText, timeText } from "./time-text.ts";

/** One payment, as shown in the list and on the receipt. */
export interface PaymentLine {
  readonly key: string;
  readonly amount: string;
  readonly networkName: string;
  readonly address: string;
  readonly txHash: string;
  readonly explorerUrl: string | null;
  readonly progress: "confirming" | "finality" | "unconfirmed" | "confirmed" | "dropped";
  readonly confirmations: number;
  readonly required: number;
  /** Seconds until it usually counts. 0 once the payment is confirmed or reverted. */
  readonly waitSeconds: number;
  readonly late: boolean;
  /** When the payment was first seen. */
  readonly seenAt: TimeText;
  /** Price of one token at that time. Null while it is not known, and where nothing is converted. */
  readonly rate: string | null;
}

/** Money that arrived on another network or in another token. */
export interface AstrayLine
  extends Pick<PaymentLine, "key" | "amount" | "networkName" | "txHash" | "explorerUrl"> {}

export interface PaymentLineOptions {
  /** BCP 47. */
  readonly locale: string;
  /** URL of a transaction in an explorer. Null where no explorer shows the chain. */
  transactionUrl(payment: Pick<PaymentView, "network" | "txHash">): string | null;
}

export function toAstrayLine(
  { network, token, amount, txHash }: AstrayPayment,
  { locale, transactionUrl }: PaymentLineOptions,
): AstrayLine {
  return {
    key: `${network}:${txHash}:${token}`,
    amount: typedText(amount, token, locale),
    networkName: NETWORKS[network].name,
    txHash,
    explorerUrl: transactionUrl({ network, txHash }),
  };
}

export function toPaymentLine(
  view: PaymentLinkView,
  payment: PaymentView,
  { locale, transactionUrl }: PaymentLineOptions,
): PaymentLine {
  const network: NetworkData = NETWORKS[payment.network];
  const confirmations = Math.min(payment.confirmations, payment.requiredConfirmations);
  const blocks = network.finalBlocks ?? payment.requiredConfirmations - confirmations;
  return {
    key: `${payment.network}:${payment.txHash}:${payment.position}`,
    amount: typedText(payment.amount, payment.token, locale),
    networkName: network.name,
    address: payment.address,
    txHash: payment.txHash,
    explorerUrl: transactionUrl(payment),
    progress: chooseProgress(view, payment, network),
    confirmations,
    required: payment.requiredConfirmations,
    waitSeconds: payment.status === "seen" ? blocks * network.blockSeconds : 0,
    late: payment.late,
    seenAt: timeText(payment.firstSeenAt, locale),
    rate: payment.rate && formatRate(payment, payment.rate.price, view.currency, locale),
  };
}

function chooseProgress(view: PaymentLinkView, { status }: PaymentView, network: NetworkData) {
  if (status === "dropped") return "dropped";
  if (status === "credited") return "confirmed";
  if (view.reason === "unconfirmed") return "unconfirmed";
  return network.finality.kind === "finalized" ? "finality" : "confirming";
}

/** One text per token: the total received over all networks. */
export function sumByToken(payments: readonly TokenAmount[], locale: string): string[] {
  const sums = new Map<TokenCode, bigint>();
  for (const { token, amount } of payments) sums.set(token, (sums.get(token) ?? 0n) + amount);
  return [...sums].map(([token, amount]) => typedText(amount, token, locale));
}
