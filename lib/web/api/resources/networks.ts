import { z } from "@hono/zod-openapi";
import type { Env } from "#lib/chains/network-data.ts";
import { ALL_NETWORK_CODES, isNetworkCode, NETWORKS } from "#lib/chains/networks.ts";
import { findNetworkSettings, listNetworkSettings } from "#lib/domain/settings/read-settings.ts";
import type { NetworkSettings } from "#lib/domain/settings/types.ts";
import { type ApiContext, askingEndpoint } from "../endpoint.ts";
import { success } from "../envelope.ts";
import { failure } from "../errors.ts";
import { integerEnum } from "../field-reader.ts";
import { networkField } from "../fields/network.ts";
import type { JsonValue } from "../json-text.ts";

const tag = "Wallets and networks";
const moment = z.string().openapi({ format: "date-time" });
const flag = (description: string) => integerEnum(0, 1).openapi({ description });

const networkData = z
  .object({
    id: z.number().int(),
    network: z.enum(ALL_NETWORK_CODES),
    status: flag(
      "1: on. A network that this service has no node or account key for in this environment is off.",
    ),
    send: flag("1: withdrawals can be sent on it. Always 0 while it is off, like the next two."),
    receive: flag("1: payments are asked for on it."),
    generate: flag("1: addresses can be generated on it."),
    tx_explorer: z.string().openapi({
      description: "Address of a transaction's public page, `{tx}` standing for the hash.",
      example: "https://bscscan.com/tx/{tx}",
    }),
    addr_explorer: z.string().openapi({
      description: "Address of an address's public page, `{address}` standing for it.",
      example: "https://bscscan.com/address/{address}",
    }),
    created_at: moment,
    updated_at: moment,
    deleted_at: moment.nullable(),
  })
  .openapi("NetworkConfiguration");

/** Endpoint 16. */
const one = askingEndpoint(
  {
    method: "post",
    path: "/wallets/get-network",
    operationId: "getNetwork",
    tag,
    summary: "Read the configuration of a network",
    scopes: ["read"],
    body: () => z.object({ network: networkField }),
    data: networkData,
    errors: ["not_a_string", "network_unknown"],
  },
  async ({ api, caller, input }) => {
    const settings = await findNetworkSettings(api.database.db, caller.env, input.network);
    if (settings === null) return failure("network_unknown");
    return success("network retrieved successfully", networkToJson(api, caller.env, settings));
  },
);

/** Endpoint 17. */
const all = askingEndpoint(
  {
    method: "post",
    path: "/wallets/get-all-networks",
    operationId: "getAllNetworks",
    tag,
    summary: "Read the configuration of every network",
    description: "All nine networks of the service, those that are off included.",
    scopes: ["read"],
    body: () => z.object({}),
    data: z.array(networkData),
    errors: [],
  },
  async ({ api, caller }) => {
    const settings = await listNetworkSettings(api.database.db, caller.env);
    return success(
      "networks retrieved successfully",
      settings.map((row) => networkToJson(api, caller.env, row)),
    );
  },
);

/** The flags say what works: what the operator allows, where a node and an account key are configured. */
function networkToJson(edge: ApiContext, env: Env, row: NetworkSettings): JsonValue {
  const { network } = row;
  if (!isNetworkCode(network)) throw new Error(`a network that is none of the service's: ${network}`);
  const on = row.status && edge.networks.find(env, network) !== null;
  const explorer = NETWORKS[network].explorer[env];
  return {
    id: row.id,
    network,
    status: Number(on),
    send: Number(on && row.send),
    receive: Number(on && row.receive),
    generate: Number(on && row.generate),
    tx_explorer: explorer.tx,
    addr_explorer: explorer.address,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    deleted_at: null,
  };
}

export const networkEndpoints = [one, all];
