import { z } from "@hono/zod-openapi";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import { composeDepositRecord, getNetworkDisplay } from "#lib/domain/deposits/deposit-record.ts";
import type { DepositRow } from "#lib/domain/deposits/types.ts";
import { integerEnum } from "../field-reader.ts";
import { toJsonNumber } from "../json-text.ts";

const moment = z.string().openapi({ format: "date-time" });

export const depositData = z
  .object({
    ref: z.string().openapi({ description: "Deposit reference, numeric text.", example: "1042" }),
    status: integerEnum(0, 1, 2).openapi({
      description: "1: credited. Only where `include` asks for them, 0: seen, 2: dropped by its chain.",
    }),
    genesis: integerEnum(0, 1).openapi({ description: "1: the address is the merchant's own." }),
    email: z.string().openapi({ description: "The merchant's." }),
    value: z.number().openapi({ description: "Whole tokens, exact.", example: 25.5 }),
    network: z.string().openapi({ example: "bep20" }),
    token: z.string().openapi({ example: "usdt" }),
    address: z.string().openapi({ description: "Where it was received." }),
    sender: z.string().openapi({ description: "Empty where a payment has no one sender (bitcoin)." }),
    extra: z.string().nullable().openapi({ description: "XRP destination tag or Solana memo." }),
    tx_hash: z.string(),
    output_pos: z.number().int().nullable().openapi({
      description:
        "Output index on UTXO chains, log index on chains with logs; null for a network's own coin there.",
    }),
    customer: z.string().nullable().openapi({ description: "E-mail address." }),
    total_received: z.number().openapi({
      description: "Whole tokens credited to the address in this token so far, exact.",
    }),
    created_at: moment,
    updated_at: moment,
    deleted_at: moment.nullable(),
  })
  .openapi("Deposit");

export const depositStatusData = z
  .object({
    status: depositData.shape.status,
    email: depositData.shape.email,
    value: depositData.shape.value,
    network: depositData.shape.network,
  })
  .openapi("DepositStatus");

const OTHERS = "Where the transaction pays more than one output: the rest, by position, 500 at most.";

export const depositWithOthersData = depositData
  .extend({ others: z.array(depositData).optional().openapi({ description: OTHERS }) })
  .openapi("DepositWithOthers");

export const depositStatusWithOthersData = depositStatusData
  .extend({ others: z.array(depositStatusData).optional().openapi({ description: OTHERS }) })
  .openapi("DepositStatusWithOthers");

export type DepositJson = ReturnType<typeof depositToJson>;

/** The deposit record, amounts as exact JSON numbers. Its sender is a text always: empty where there is no one sender. */
export function depositToJson(networks: NetworkRegistry, row: DepositRow) {
  const { env, network } = row.deposit;
  const record = composeDepositRecord(row, getNetworkDisplay(networks, env, network), toJsonNumber);
  return { ...record, sender: record.sender ?? "" };
}

/** The deposit status view of a record. */
export function statusOf({ status, email, value, network }: DepositJson) {
  return { status, email, value, network };
}
