import { z } from "@hono/zod-openapi";
import type { NetworkRegistry } from "#lib/chains/network.ts";
import { isNetworkCode, NETWORK_CODES } from "#lib/chains/networks.ts";
import { composeDepositRecord, getNetworkDisplay } from "#lib/domain/deposits/deposit-record.ts";
import { countDeposits, listDeposits, listTransactionDeposits } from "#lib/domain/deposits/queries.ts";
import type { DepositRow, ListedDepositStatus } from "#lib/domain/deposits/types.ts";
import { integerEnum } from "#lib/platform/integer-enum.ts";
import { type JsonValue, toJsonNumber } from "#lib/platform/json-text.ts";
import { endpoint, type MerchantCall } from "../../endpoint.ts";
import { success } from "../../envelope.ts";
import { failure } from "../../errors.ts";
import { apiReason } from "../../field-reader.ts";
import { flag, timestamp } from "../../fields/common.ts";
import { supportedNetworkField } from "../../fields/network.ts";
import { paged } from "../../paging.ts";

const tag = "Transactions";

const depositData = z
  .object({
    ref: z.string().openapi({ description: "Deposit reference, numeric text.", example: "1042" }),
    status: integerEnum(0, 1, 2).openapi({
      description: "1: credited. Only if `include` asks for them, 0: seen; 2: removed from the chain.",
    }),
    genesis: flag("1: the address is the merchant's own."),
    email: z.string().openapi({ description: "The merchant's e-mail address." }),
    value: z.number().openapi({ description: "Whole tokens, exact.", example: 25.5 }),
    network: z.string().openapi({ example: "bep20" }),
    token: z.string().openapi({ example: "usdt" }),
    address: z.string().openapi({ description: "Address that received it." }),
    sender: z.string().openapi({ description: "Empty if the payment has no single sender (bitcoin)." }),
    extra: z.string().nullable().openapi({ description: "XRP destination tag, else null." }),
    tx_hash: z.string(),
    output_pos: z.number().int().nullable().openapi({
      description:
        "Output index on UTXO chains, log index on chains with logs. null for the network's own coin there.",
    }),
    customer: z.string().nullable().openapi({ description: "The customer's e-mail address." }),
    total_received: z.number().openapi({
      description: "Whole tokens credited to the address in this token so far, exact.",
    }),
    created_at: timestamp,
    updated_at: timestamp,
    deleted_at: timestamp.nullable(),
  })
  .openapi("Deposit");

const depositStatusData = z
  .object({
    status: depositData.shape.status,
    email: depositData.shape.email,
    value: depositData.shape.value,
    network: depositData.shape.network,
  })
  .openapi("DepositStatusView");

const OTHERS = "Present if the transaction pays several outputs: the others, by position, at most 500.";

const depositWithOthersData = z
  .object({
    ...depositData.shape,
    others: z.array(depositData).optional().openapi({ description: OTHERS }),
  })
  .openapi("DepositWithOthers");

const depositStatusWithOthersData = z
  .object({
    ...depositStatusData.shape,
    others: z.array(depositStatusData).optional().openapi({ description: OTHERS }),
  })
  .openapi("DepositStatusViewWithOthers");

type DepositJson = ReturnType<typeof depositToJson>;

/** The deposit record with exact JSON numbers. `sender` is always a text: it is empty if there is no single sender. */
function depositToJson(networks: NetworkRegistry, row: DepositRow) {
  const { env, network } = row.deposit;
  const record = composeDepositRecord(row, getNetworkDisplay(networks, env, network), toJsonNumber);
  return { ...record, sender: record.sender ?? "" };
}

/** The fields of a deposit record that the status endpoint returns. */
function toDepositStatus({ status, email, value, network }: DepositJson) {
  return { status, email, value, network };
}

const includeField = z
  .string()
  .regex(/^(?:pending|dropped)(?:,(?:pending|dropped))*$/, apiReason("include_unknown"))
  .openapi({
    enum: ["pending", "dropped", "pending,dropped"],
    description:
      "Deposits to list in addition to credited ones: `pending`, `dropped`, or both, separated by a comma.",
    example: "pending,dropped",
  });

/** The largest position that the database holds. */
const MAX_POSITION = 2 ** 31 - 1;

const byHashQuery = z.object({
  include: includeField.optional(),
  network: supportedNetworkField(NETWORK_CODES).optional(),
  output_pos: z
    .string()
    .regex(/^(?:0|[1-9][0-9]*)$/, apiReason("not_a_number"))
    .optional()
    .openapi({ type: "integer", minimum: 0, description: "Only the output at this position." }),
});

function parseInclude(include: string | undefined): readonly ListedDepositStatus[] {
  const names = include?.split(",") ?? [];
  return [
    "credited",
    ...(names.includes("pending") ? (["seen"] as const) : []),
    ...(names.includes("dropped") ? (["dropped"] as const) : []),
  ];
}

/** Endpoint 2. */
export const listTokenDepositsEndpoint = endpoint(
  {
    method: "get",
    path: "/transaction/token-deposit",
    operationId: "listTokenDeposits",
    tag,
    summary: "List token deposits",
    description:
      "Credited deposits, newest first. Deposits that are not credited automatically: `/deposits/unmatched`.",
    auth: ["read"],
    action: "payments.view",
    query: z.object({ include: includeField.optional() }),
    paged: "id",
    message: "token deposits retrieved successfully",
    data: z.array(depositData),
    errors: ["include_unknown"],
  },
  async ({ api, caller, input, page }) => {
    const owner = { merchantId: caller.merchant.id, env: caller.env };
    const { db } = api.database;
    const statuses = parseInclude(input.include);
    const { data, meta } = await paged(page, {
      list: async (range) => {
        const found = await listDeposits(db, owner, statuses, range);
        return found.map((row) => ({ id: row.deposit.id, row }));
      },
      count: () => countDeposits(db, owner, statuses),
      toJson: ({ row }) => depositToJson(api.networks, row),
    });
    return success(data, meta);
  },
);

const byHash = {
  method: "get",
  tag,
  description:
    "If the transaction pays several outputs: the one at the lowest position, and the rest in `others`. `network` and " +
    "`output_pos` select fewer.",
  auth: ["read"],
  action: "payments.view",
  notFound: "deposit_not_found",
  query: byHashQuery,
  errors: ["deposit_not_found", "include_unknown", "network_not_supported", "not_a_number"],
} as const;

/** Endpoint 3. */
export const getDepositEndpoint = endpoint(
  {
    ...byHash,
    path: "/transaction/deposit/:tx_hash",
    operationId: "getDeposit",
    summary: "Get a deposit by its transaction hash",
    message: "deposit retrieved successfully",
    data: depositWithOthersData,
  },
  async (call) => respondWithDeposits(call, (record) => record),
);

/** Endpoint 4. */
export const getDepositStatusEndpoint = endpoint(
  {
    ...byHash,
    path: "/transaction/status/:tx_hash",
    operationId: "getDepositStatus",
    summary: "Get a deposit's status by its transaction hash",
    message: "deposit status retrieved successfully",
    data: depositStatusWithOthersData,
  },
  async (call) => respondWithDeposits(call, toDepositStatus),
);

async function respondWithDeposits(
  { api, caller, path, input }: MerchantCall<"/:tx_hash"> & { input: z.output<typeof byHashQuery> },
  toJson: (record: DepositJson) => { readonly [name: string]: JsonValue },
) {
  const { network = null, output_pos } = input;
  if (network !== null && !isNetworkCode(network)) return failure("deposit_not_found");
  const position = output_pos === undefined ? null : Number(output_pos);
  if (position !== null && position > MAX_POSITION) return failure("deposit_not_found");
  const owner = { merchantId: caller.merchant.id, env: caller.env };
  const [first, ...others] = await listTransactionDeposits(api.database.db, owner, {
    txHash: path.tx_hash,
    statuses: parseInclude(input.include),
    network,
    position,
  });
  if (first === undefined) return failure("deposit_not_found");
  const recordToJson = (row: typeof first) => toJson(depositToJson(api.networks, row));
  return success({
    ...recordToJson(first),
    ...(others.length > 0 && { others: others.map(recordToJson) }),
  });
}
