/** A signed request of a rehearsal. */
export interface RehearsedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body arrives in two pieces. */
  readonly isSlow?: boolean;
}

/** The requests to a receiver, and the answer of a right receiver. */
export interface RehearsalCase {
  readonly name: string;
  /** Sent one after another, or all at once. */
  readonly requests: readonly RehearsedRequest[];
  readonly atOnce?: boolean;
  readonly expects: "accepted" | "refused";
  /** The fault of a receiver that answers otherwise, and the advice. */
  readonly otherwise: string;
  /** A question that the answers leave open, for the developer to look at. */
  readonly look?: string;
}

/** The answer to a request. `status` is null without an answer: then `error` says why. */
export interface RehearsedAnswer {
  readonly status: number | null;
  readonly error: string | null;
  readonly ms: number;
}

/** As long as a worker waits. */
export const TIMEOUT_MS = 15_000;
/** A receiver that needs longer does its work before it answers, and reaches the timeout on a bad day. */
const SLOW_MS = 5_000;

/** The receiver's fault in a case, in plain words. null: it has none. */
export function findProblem(
  { expects, otherwise }: RehearsalCase,
  answers: readonly RehearsedAnswer[],
): string | null {
  for (const { status, error, ms } of answers) {
    if (status === null)
      return error === "timeout"
        ? `it does not answer within ${TIMEOUT_MS / 1_000} s. Store the event, answer 2xx, and do the work afterwards`
        : `it does not answer (${error})`;
    const isAccepted = status >= 200 && status < 300;
    if (isAccepted !== (expects === "accepted")) return describeStatus(status, expects, otherwise);
    if (ms > SLOW_MS)
      return `it answers after ${ms} ms. After ${TIMEOUT_MS} ms the event counts as failed: store it, answer, and do the work afterwards`;
  }
  return null;
}

function describeStatus(status: number, expects: RehearsalCase["expects"], otherwise: string): string {
  if (expects === "accepted" && status === 410)
    return "it answers 410, which disables your webhook endpoint until somebody enables it again";
  if (expects === "accepted" && status >= 300 && status < 400)
    return `it answers ${status}: redirects are not followed and count as failures. Give the last URL`;
  return `it answers ${status}: ${otherwise}`;
}
