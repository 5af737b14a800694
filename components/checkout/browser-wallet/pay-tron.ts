import type { TronWalletTransfer } from "#lib/chains/wallet-transfer.ts";
import { connectWallet } from "./connect-wallet.ts";
import type { WalletProvider } from "./find-wallets.ts";
import { Refusal, reasonOf, type WalletRefusal } from "./outcome.ts";

interface Parameter {
  readonly type: string;
  readonly value: string;
}
type Transaction = object;

/** The part of TronWeb that is used. A wallet gives it to the page with its account and its node (TIP-1193). */
interface TronWeb {
  readonly transactionBuilder: {
    sendTrx(to: string, amount: number, from: string): Promise<Transaction>;
    triggerSmartContract(
      contract: string,
      method: string,
      options: { feeLimit: number },
      parameters: readonly Parameter[],
      from: string,
    ): Promise<{ result?: { result?: boolean }; transaction: Transaction }>;
    triggerConstantContract(
      contract: string,
      method: string,
      options: object,
      parameters: readonly Parameter[],
      from: string,
    ): Promise<{ constant_result?: readonly string[] }>;
  };
  readonly trx: {
    sign(transaction: Transaction): Promise<Transaction>;
    sendRawTransaction(signed: Transaction): Promise<{ result?: boolean; code?: string }>;
  };
}

/** Asks a TRON wallet for exactly this transfer: TronWeb builds it, the wallet signs it, the wallet's node gets it. Null: it did. */
export async function payByTronWallet(
  provider: WalletProvider,
  transfer: TronWalletTransfer,
): Promise<WalletRefusal | null> {
  try {
    const from = await connectWallet(provider, transfer);
    const { tronWeb } = provider as WalletProvider & { tronWeb?: TronWeb };
    if (!tronWeb) throw new Refusal("locked");
    const signed = await tronWeb.trx.sign(await buildTransaction(tronWeb, transfer, from));
    const { result, code } = await tronWeb.trx.sendRawTransaction(signed);
    // java-tron's spelling: the account has neither bandwidth nor TRX for it.
    if (code === "BANDWITH_ERROR") throw new Refusal("noFee");
    return result === true ? null : "failed";
  } catch (error) {
    return reasonOf(error);
  }
}

async function buildTransaction(
  { transactionBuilder }: TronWeb,
  { contract, to, amount, feeLimit }: TronWalletTransfer,
  from: string,
): Promise<Transaction> {
  if (contract === null) return transactionBuilder.sendTrx(to, Number(amount), from);
  const owner = [{ type: "address", value: from }];
  const { constant_result: [balance] = [] } = await transactionBuilder.triggerConstantContract(
    contract,
    "balanceOf(address)",
    {},
    owner,
    from,
  );
  if (balance !== undefined && BigInt(`0x${balance}`) < BigInt(amount)) throw new Refusal("tooLittle");
  const parameters = [
    { type: "address", value: to },
    { type: "uint256", value: amount },
  ];
  const method = "transfer(address,uint256)";
  const options = { feeLimit };
  const built = await transactionBuilder.triggerSmartContract(contract, method, options, parameters, from);
  return built.transaction;
}
