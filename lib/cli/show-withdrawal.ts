import type { NetworkRegistry } from "#lib/chains/network.ts";
import type { Env } from "#lib/chains/network-data.ts";
import { openNetworks } from "#lib/chains/registry.ts";
import { openCertificateStore } from "#lib/domain/deposits/watch/node-certificates.ts";
import { waitsForApproval } from "#lib/domain/withdrawals/approve/approval-rules.ts";
import { findWithdrawalByRefid } from "#lib/domain/withdrawals/queries.ts";
import type { WithdrawalDeps, WithdrawalFinding, WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import { composeWithdrawalRecord } from "#lib/domain/withdrawals/withdrawal-record.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { type Cli, CommandRefusal } from "./cli.ts";
import { REFUSAL_TEXTS } from "./refusals.ts";

/** Runs `work` with the withdrawals of the database and the networks that are on. */
export async function withQueue(cli: Cli, work: (deps: WithdrawalDeps) => Promise<void>): Promise<void> {
  await cli.withDatabase(({ config, database: { db } }) =>
    work({ db, networks: openNetworks(config.networks, { certificates: openCertificateStore(db) }) }),
  );
}

/** A withdrawal by its reference, which names its environment by itself. Refused if no withdrawal has it. */
export async function getWithdrawal(
  { db }: WithdrawalDeps,
  refid: string,
  env: Env | null = null,
): Promise<WithdrawalRow> {
  const found = await findWithdrawalByRefid(db, { env, refid, merchantId: null });
  if (found === null) throw new CommandRefusal(REFUSAL_TEXTS.withdrawal_not_found);
  return found;
}

/** The commands that the operator can run after a finding. HASH is the transaction that really paid or pays. */
const NEXT_COMMANDS: Readonly<Record<WithdrawalFinding, (refid: string) => string>> = {
  unpayable: (refid) => `fail ${refid}`,
  unknown: (refid) => `correct ${refid} --tx-hash HASH`,
  amount_mismatch: (refid) => `propose-settlement ${refid} --tx-hash HASH --reason TEXT`,
  inconclusive: (refid) => `propose-settlement ${refid} --tx-hash HASH --amount AMOUNT --reason TEXT`,
};

/** The record of the API with amounts as texts, and the fields that only the operator sees. */
export function show(row: WithdrawalRow, networks: NetworkRegistry) {
  const { env, refid, finding, failureReason, transactions } = row;
  const next = finding === null ? null : NEXT_COMMANDS[finding](refid);
  return {
    env,
    ...composeWithdrawalRecord(row, networks, formatAmount),
    waits_for_approval: waitsForApproval(row),
    tx_seen: transactions.at(-1)?.seen ?? null,
    finding,
    failure_reason: failureReason,
    next_command: next === null ? null : `npm run -s paylink -- withdrawal ${next} --env ${env}`,
  };
}
