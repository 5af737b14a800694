import type { AddressBalances } from "../custody.ts";
import { NodeError } from "../node-error.ts";
import type { RpcClient } from "../rpc-client.ts";
import { type ChainToken, toLedgerUnits } from "../units.ts";
import { parseEvmHeader, parseUint256 } from "./codec.ts";
import type { EvmDialect } from "./dialect.ts";
import { fetchChainHeaders, toHexHeight } from "./headers.ts";
import type { ListedContract } from "./listed-tokens.ts";

/** balanceOf(address) of ERC-20. */
const BALANCE_OF = "0x70a08231";
/** A block that comes while a page is read changes what the node answers. */
const TRIES = 10;

interface Asked {
  readonly client: RpcClient;
  readonly coin: ChainToken;
  readonly contracts: readonly ListedContract[];
  readonly dialect: EvmDialect;
}

/** See Custody.fetchBalances. */
export async function fetchEvmAddressBalances(
  asked: Asked,
  addresses: readonly string[],
  at: { readonly height: number; readonly hash: string } | null,
): Promise<AddressBalances> {
  if (at !== null && asked.dialect.knowsEarlierStates) {
    const balances = await fetchAt(asked, addresses, toHexHeight(at.height));
    const [header] = await fetchChainHeaders(asked.client, [at.height]);
    if (header?.hash === at.hash) return { block: at, balances };
    throw new NodeError("inconsistent", `block ${at.height} is not in the node's chain`);
  }
  for (let left = TRIES; left > 0; left--) {
    const before = await fetchNewest(asked.client);
    const balances = await fetchAt(asked, addresses, "latest");
    if ((await fetchNewest(asked.client)).hash === before.hash) return { block: before, balances };
  }
  throw new NodeError("inconsistent", "the chain moved each time that balances were read");
}

async function fetchAt(
  { client, coin, contracts, dialect }: Asked,
  addresses: readonly string[],
  block: string,
): Promise<AddressBalances["balances"]> {
  const calls = addresses.flatMap((address) => {
    const hex = dialect.toHex(address);
    const data = `${BALANCE_OF}${hex.slice(2).padStart(64, "0")}`;
    return [
      { method: "eth_getBalance", params: [hex, block] },
      ...contracts.map(({ contract }) => ({ method: "eth_call", params: [{ to: contract, data }, block] })),
    ];
  });
  const tokens: readonly ChainToken[] = [coin, ...contracts];
  const answers = await client.batch(calls);
  return addresses.flatMap((address, place) =>
    tokens.flatMap((token, i) => {
      const units = parseUint256("a balance", answers[place * tokens.length + i]);
      return units === 0n ? [] : { address, token: token.token, amount: toLedgerUnits(units, token) };
    }),
  );
}

async function fetchNewest(client: RpcClient): Promise<{ height: number; hash: string }> {
  const header = parseEvmHeader(await client.call("eth_getBlockByNumber", ["latest", false]));
  if (header === null) throw new NodeError("malformed", "the node has no newest block");
  return { height: header.height, hash: header.hash };
}
