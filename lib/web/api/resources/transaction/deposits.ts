import { z } from "@hono/zod-openapi";
import { ALL_NETWORK_CODES, isNetworkCode } from "#lib/chains/networks.ts";
import { listTransactionDeposits } from "#lib/domain/deposits/find-deposits.ts";
import { countDeposits, listDeposits } from "#lib/domain/deposits/list-deposits.ts";
import type { ListedDepositStatus } from "#lib/domain/deposits/types.ts";
import { type AskingCall, queryingEndpoint, queryingListEndpoint } from "../../endpoint.ts";
import { success } from "../../envelope.ts";
import { failure } from "../../errors.ts";
import { apiReason } from "../../field-reader.ts";
import type { JsonValue } from "../../json-text.ts";
import { cutPage } from "../../paging.ts";
import {
  type DepositJson,
  depositData,
  depositStatusWithOthersData,
  depositToJson,
  depositWithOthersData,
  statusOf,
} from "../deposit-json.ts";
import { supportedNetworkField } from "../supported-network.ts";
import { blockchainEndpoints } from "./blockchain.ts";

const tag = "Transactions";

const include = z
  .string()
  .regex(/^(?:pending|dropped)(?:,(?:pending|dropped))*$/, apiReason("include_unknown"))
  .openapi({
    enum: ["pending", "dropped", "pending,dropped"],
    description: "Beside the credited ones: `pending`, `dropped` or both, with a comma between.",
    example: "pending,dropped",
  });

const oneHash = z.object({
  include: include.optional(),
  network: supportedNetworkField(ALL_NETWORK_CODES).optional(),
  output_pos: z
    .string()
    .regex(/^(?:0|[1-9][0-9]{0,8})$/, apiReason("not_a_number"))
    .optional()
    .openapi({ type: "integer", minimum: 0, description: "Only the output at this position." }),
});

function statusesOf(asked: string | undefined): readonly ListedDepositStatus[] {
  const names = asked?.split(",") ?? [];
  return [
    1,
    ...(names.includes("pending") ? ([0] as const) : []),
    ...(names.includes("dropped") ? ([2] as const) : []),
  ];
}

/** Endpoint 2. */
const list = queryingListEndpoint(
  {
    method: "get",
    path: "/transaction/token-deposit",
    operationId: "listTokenDeposits",
    tag,
    summary: "List token deposits",
    description: "What is credited, newest first. What nothing credits by itself: `/deposits/unmatched`.",
    scopes: ["read"],
    query: z.object({ include: include.optional() }),
    data: z.array(depositData),
    errors: ["include_unknown"],
  },
  async ({ api, caller, input, page }) => {
    const owner = { merchantId: caller.merchant.id, env: caller.env };
    const { db } = api.database;
    const statuses = statusesOf(input.include);
    const found = await listDeposits(db, owner, statuses, { before: page.before, limit: page.limit + 1 });
    const total = page.counted ? await countDeposits(db, owner, statuses) : null;
    const { rows, meta } = cutPage(
      found.map((row) => ({ id: row.deposit.id, row })),
      page,
      total,
    );
    const data = rows.map(({ row }) => depositToJson(api.networks, row));
    return success("token deposits retrieved successfully", data, meta);
  },
);

const byHash = {
  method: "get",
  tag,
  description:
    "Of several outputs the one at the lowest position, with the rest in `others`; `network` and `output_pos` narrow it.",
  scopes: ["read"],
  unknown: "deposit_not_found",
  query: oneHash,
  errors: ["deposit_not_found", "include_unknown", "network_not_supported", "not_a_number"],
} as const;

/** Endpoint 3. */
const read = queryingEndpoint(
  {
    ...byHash,
    path: "/transaction/deposit/:tx_hash",
    operationId: "getDeposit",
    summary: "Get a deposit by its transaction hash",
    data: depositWithOthersData,
  },
  async (call) => answerFor(call, "deposit retrieved successfully", (record) => record),
);

/** Endpoint 4. */
const readStatus = queryingEndpoint(
  {
    ...byHash,
    path: "/transaction/status/:tx_hash",
    operationId: "getDepositStatus",
    summary: "Get a deposit's status by its transaction hash",
    data: depositStatusWithOthersData,
  },
  async (call) => answerFor(call, "deposit status retrieved successfully", statusOf),
);

async function answerFor(
  { api, caller, path, input }: AskingCall<"/:tx_hash", z.output<typeof oneHash>>,
  message: string,
  show: (record: DepositJson) => { readonly [name: string]: JsonValue },
) {
  const { network = null, output_pos } = input;
  if (network !== null && !isNetworkCode(network)) return failure("deposit_not_found");
  const owner = { merchantId: caller.merchant.id, env: caller.env };
  const [first, ...others] = await listTransactionDeposits(api.database.db, owner, {
    txHash: path.tx_hash,
    statuses: statusesOf(input.include),
    network,
    position: output_pos === undefined ? null : Number(output_pos),
  });
  if (first === undefined) return failure("deposit_not_found");
  const shown = (row: typeof first) => show(depositToJson(api.networks, row));
  return success(message, {
    ...shown(first),
    ...(others.length > 0 && { others: others.map(shown) }),
  });
}

export const transactionEndpoints = [list, read, readStatus, ...blockchainEndpoints];
