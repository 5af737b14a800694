import { encodeAbiParameters, type Hex } from "viem";
import { privateKeyToAddress, sign } from "viem/accounts";
import { tronAddressToHex } from "#lib/chains/tron/address.ts";

const FEE_LIMIT = 1_000_000_000;

/**
 * Pays test USDT (10⁻⁶) over a TRON node's HTTP API, as a wallet does. `to` is base58. Resolves to the
 * transaction id, mined or not. Throws the node's message when it is refused.
 */
export async function sendTronUsdt(
  node: { readonly url: string; readonly usdt: string; readonly privateKey: string },
  to: string,
  amount: bigint,
): Promise<string> {
  const privateKey = `0x${node.privateKey.replace(/^0x/, "")}` as Hex;
  const parameter = encodeAbiParameters(
    [{ type: "address" }, { type: "uint256" }],
    [tronAddressToHex(to) as Hex, amount],
  );
  const built = (await post(`${node.url}/wallet/triggersmartcontract`, {
    owner_address: `41${privateKeyToAddress(privateKey).slice(2)}`,
    contract_address: `41${tronAddressToHex(node.usdt).slice(2)}`,
    function_selector: "transfer(address,uint256)",
    parameter: parameter.slice(2),
    fee_limit: FEE_LIMIT,
  })) as { transaction?: { txID: string } };
  if (!built.transaction) throw new Error(`the node built no transaction: ${JSON.stringify(built)}`);
  const { txID } = built.transaction;
  const signature = await sign({ hash: `0x${txID}`, privateKey, to: "hex" });
  const answer = (await post(`${node.url}/wallet/broadcasttransaction`, {
    ...built.transaction,
    signature: [signature.slice(2)],
  })) as { result?: boolean; code?: string; message?: string };
  if (answer.result !== true) {
    throw new Error(`${answer.code}: ${Buffer.from(answer.message ?? "", "hex").toString()}`);
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
