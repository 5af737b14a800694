import { encodeAbiParameters, type Hex } from "viem";
import { privateKeyToAddress, sign } from "viem/accounts";
import { tronAddressToHex } from "#lib/chains/tron/address.ts";

const FEE_LIMIT = 1_000_000_000;

/**
 * Pays test USDT (10⁻⁶) over a TRON node's HTTP API, as a wallet does. `to` is base58. Resolves to the
 * transaction id, mined or not. Throws the node's message when it is refused.
 */
export async function sendTronUsdt(node: Payer, to: string, amount: bigint): Promise<string> {
  const parameter = encodeAbiParameters(
    [{ type: "address" }, { type: "uint256" }],
    [tronAddressToHex(to) as Hex, amount],
  );
  const built = (await post(`${node.url}/wallet/triggersmartcontract`, {
    owner_address: ownerOf(node),
    contract_address: `41${tronAddressToHex(node.usdt).slice(2)}`,
    function_selector: "transfer(address,uint256)",
    parameter: parameter.slice(2),
    fee_limit: FEE_LIMIT,
  })) as { transaction?: Built };
  return signAndSend(node, built.transaction, built);
}

/** The same for TRX, in sun. */
export async function sendTronCoin(node: Payer, to: string, amount: bigint): Promise<string> {
  const built = (await post(`${node.url}/wallet/createtransaction`, {
    owner_address: ownerOf(node),
    to_address: `41${tronAddressToHex(to).slice(2)}`,
    amount: Number(amount),
  })) as Built;
  return signAndSend(node, built.txID === undefined ? undefined : built, built);
}

interface Payer {
  readonly url: string;
  readonly usdt: string;
  readonly privateKey: string;
}

interface Built {
  readonly txID: string;
}

const keyOf = ({ privateKey }: Payer): Hex => `0x${privateKey.replace(/^0x/, "")}`;
const ownerOf = (node: Payer): string => `41${privateKeyToAddress(keyOf(node)).slice(2)}`;

async function signAndSend(node: Payer, built: Built | undefined, answer: unknown): Promise<string> {
  if (built === undefined) throw new Error(`the node built no transaction: ${JSON.stringify(answer)}`);
  const { txID } = built;
  const signature = await sign({ hash: `0x${txID}`, privateKey: keyOf(node), to: "hex" });
  const sent = (await post(`${node.url}/wallet/broadcasttransaction`, {
    ...built,
    signature: [signature.slice(2)],
  })) as { result?: boolean; code?: string; message?: string };
  if (sent.result !== true) {
    throw new Error(`${sent.code}: ${Buffer.from(sent.message ?? "", "hex").toString()}`);
  }
  return txID;
}

async function post(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  return response.json();
}
