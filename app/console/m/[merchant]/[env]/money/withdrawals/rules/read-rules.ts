import type { FieldProblem } from "#components/console/field-problem.tsx";
import { NOTICES } from "#components/console/notices.ts";
import type { WithdrawalLimits } from "#lib/domain/withdrawals/types.ts";
import { isTokenCode, TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { parseTypedAmount } from "#lib/platform/money/typed-amount.ts";

/** The field that a refusal is about. */
const FIELDS = {
  network_unknown: "network",
  destination_malformed: "address",
  book_has_address: "address",
  book_full: "address",
  book_name_malformed: "name",
  token_unknown: "token",
  limit_raised: "limits",
} as const satisfies Partial<Record<keyof typeof NOTICES, string>>;

/** The text for each refused rule, and the field next to which it is shown. */
export function ruleProblem(reason: keyof typeof FIELDS): FieldProblem {
  return { field: FIELDS[reason], text: NOTICES[reason] };
}

const LIMITS = [
  ["per_transfer", "perTransfer"],
  ["per_day", "perDay"],
] as const;

/** The limits of a posted form, in ledger units, or why they cannot be read. An empty field is no limit. */
export function readLimits(
  read: (name: string) => string,
):
  | { readonly ok: true; readonly limits: WithdrawalLimits & { readonly token: TokenCode } }
  | { readonly ok: false; readonly problem: FieldProblem } {
  const token = read("token");
  if (!isTokenCode(token)) return { ok: false, problem: ruleProblem("token_unknown") };
  const limits: { perTransfer: bigint | null; perDay: bigint | null } = { perTransfer: null, perDay: null };
  const { ledgerDecimals } = TOKENS[token];
  for (const [field, name] of LIMITS) {
    const text = read(field).trim();
    if (text === "") continue;
    const parsed = parseTypedAmount(text, ledgerDecimals, 10n ** 40n);
    if (!parsed.ok || parsed.units < 0n)
      return { ok: false, problem: { field, text: NOTICES.limit_malformed } };
    limits[name] = parsed.units;
  }
  return { ok: true, limits: { token, ...limits } };
}
