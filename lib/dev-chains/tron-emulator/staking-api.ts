import type { TronChain } from "./chain.ts";
import { buildTransaction, isVisible, type Request } from "./contract-call.ts";
import { type Action, actionFromJson, type Resource } from "./contracts.ts";
import { addressField, writeAddress } from "./fields.ts";
import { PARAMETERS, type ResourceAccount, remaining } from "./resources.ts";

type Endpoint = (request: Request, context: { readonly chain: TronChain }) => Promise<unknown>;

const TRX = 1_000_000n;
/** Blocks of three seconds in a day, as java-tron writes the time in which a use recovers. */
const WINDOW = 28_800;

/** An unsigned transaction of this type, on top of the newest block. The request has the fields of the contract. */
const build =
  (type: Action["type"]): Endpoint =>
  async (request, { chain }) => {
    const action = actionFromJson(type, request);
    if (action === null) return { Error: "class java.lang.IllegalArgumentException : invalid fields" };
    return buildTransaction(chain, request, action);
  };

/** The API of frozen, delegated and used resources. */
export const STAKING: Readonly<Record<string, Endpoint>> = {
  createaccount: build("AccountCreateContract"),
  freezebalancev2: build("FreezeBalanceV2Contract"),
  unfreezebalancev2: build("UnfreezeBalanceV2Contract"),
  delegateresource: build("DelegateResourceContract"),
  undelegateresource: build("UnDelegateResourceContract"),
  getaccountresource: async (request, { chain }) => {
    const address = addressField(request.address);
    if (address === null) return { Error: "INVALID address" };
    return resourceJson(chain, address);
  },
  getaccountnet: async (request, { chain }) => {
    const { freeNetUsed, freeNetLimit, NetUsed, NetLimit, TotalNetLimit, TotalNetWeight } =
      await resourceJson(chain, addressField(request.address) ?? "");
    return withoutZeros({ freeNetUsed, freeNetLimit, NetUsed, NetLimit, TotalNetLimit, TotalNetWeight });
  },
  getcandelegatedmaxsize: async (request, { chain }) => {
    const [owner, found] = [addressField(request.owner_address), await chain.resources()];
    if (owner === null || found === null) return {};
    const resource = Number(request.type ?? 0) === 1 ? "ENERGY" : "BANDWIDTH";
    const most = found.state.delegable(owner, resource, found.nowMs);
    return withoutZeros({ max_size: most < TRX ? 0 : Number(most) });
  },
  getdelegatedresourcev2: async (request, { chain }) => {
    const [from, to] = [addressField(request.fromAddress), addressField(request.toAddress)];
    const found = await chain.resources();
    if (!from || !to || found === null) return {};
    const amounts = (["BANDWIDTH", "ENERGY"] as const).map((one) => found.state.delegation(from, to, one));
    if (amounts.every((amount) => amount === 0n)) return {};
    const visible = isVisible(request);
    const [bandwidth, energy] = amounts.map(Number);
    const delegation = withoutZeros({
      frozen_balance_for_bandwidth: bandwidth,
      frozen_balance_for_energy: energy,
    });
    return {
      delegatedResource: [
        { from: writeAddress(from, visible), to: writeAddress(to, visible), ...delegation },
      ],
    };
  },
  getdelegatedresourceaccountindexv2: async (request, { chain }) => {
    const [owner, found] = [addressField(request.value), await chain.resources()];
    if (owner === null || found === null) return {};
    const visible = isVisible(request);
    const receivers = found.state.receiversOf(owner).map((one) => writeAddress(one, visible));
    return {
      account: writeAddress(owner, visible),
      ...(receivers.length > 0 && { toAccounts: receivers }),
    };
  },
  getchainparameters: async () => ({
    chainParameter: Object.entries(PARAMETERS).map(([key, value]) => ({ key, value })),
  }),
};

/** An account as /wallet/getaccount writes it. {} if the account does not exist. */
export async function accountJson(
  chain: TronChain,
  {
    address,
    balance,
    visible,
  }: { readonly address: string; readonly balance: bigint; readonly visible: boolean },
): Promise<Record<string, unknown>> {
  const code = await chain.engine.call("eth_getCode", [address, "latest"]);
  const found = await chain.resources();
  const account = found?.state.account(address);
  if (balance === 0n && account?.exists !== true && code === "0x") return {};
  return {
    address: writeAddress(address, visible),
    ...withoutZeros({ balance: Number(balance) }),
    ...(code !== "0x" && { type: "Contract" }),
    ...(account && found && stakesJson(account, found.nowMs)),
  };
}

function stakesJson({ free, BANDWIDTH, ENERGY }: ResourceAccount, nowMs: number): Record<string, unknown> {
  return {
    ...withoutZeros({
      net_usage: Number(remaining(BANDWIDTH.usage, nowMs)),
      free_net_usage: Number(remaining(free, nowMs)),
      delegated_frozenV2_balance_for_bandwidth: Number(BANDWIDTH.delegated),
      acquired_delegated_frozenV2_balance_for_bandwidth: Number(BANDWIDTH.acquired),
    }),
    net_window_size: WINDOW,
    account_resource: {
      ...withoutZeros({
        energy_usage: Number(remaining(ENERGY.usage, nowMs)),
        latest_consume_time_for_energy: ENERGY.usage.atMs,
        delegated_frozenV2_balance_for_energy: Number(ENERGY.delegated),
        acquired_delegated_frozenV2_balance_for_energy: Number(ENERGY.acquired),
      }),
      energy_window_size: WINDOW,
    },
    frozenV2: [
      withoutZeros({ amount: Number(BANDWIDTH.frozen) }),
      { type: "ENERGY", ...withoutZeros({ amount: Number(ENERGY.frozen) }) },
      { type: "TRON_POWER" },
    ],
  };
}

async function resourceJson(chain: TronChain, address: string): Promise<Record<string, number>> {
  const found = await chain.resources();
  const totals = {
    freeNetLimit: PARAMETERS.getFreeNetLimit,
    TotalNetLimit: PARAMETERS.getTotalNetLimit,
    TotalEnergyLimit: PARAMETERS.getTotalEnergyCurrentLimit,
  };
  if (found === null) return totals;
  const { state, nowMs } = found;
  const account = state.account(address);
  if (!account.exists) return {};
  const used = (resource: Resource) => Number(remaining(account[resource].usage, nowMs));
  return {
    ...withoutZeros({
      freeNetUsed: Number(remaining(account.free, nowMs)),
      NetUsed: used("BANDWIDTH"),
      NetLimit: Number(state.limit(account.BANDWIDTH, "BANDWIDTH")),
      EnergyUsed: used("ENERGY"),
      EnergyLimit: Number(state.limit(account.ENERGY, "ENERGY")),
    }),
    ...totals,
    ...withoutZeros({
      TotalNetWeight: Number(state.weight("BANDWIDTH")),
      TotalEnergyWeight: Number(state.weight("ENERGY")),
    }),
  };
}

/** java-tron leaves zeros out. */
function withoutZeros(fields: Readonly<Record<string, number | undefined>>): Record<string, number> {
  const entries = Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  return Object.fromEntries(entries);
}
