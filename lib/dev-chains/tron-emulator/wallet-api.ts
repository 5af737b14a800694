import type { TronBlock, TronChain } from "./chain.ts";
import { buildTransaction, callContract, isVisible, type Request, readCall } from "./contract-call.ts";
import { quantity } from "./evm-blocks.ts";
import { executionResult } from "./execution-result.ts";
import { addressField, hex, hexField, integerField } from "./fields.ts";
import { accountJson, STAKING } from "./staking-api.ts";
import { decodeSigned, encodeRaw, rawFromJson, type SignedTronTransaction, txIdOf } from "./transaction.ts";
import { blockJson, contractJson, infoJson, signedJson, writeMessage } from "./wallet-json.ts";

interface Context {
  readonly chain: TronChain;
  /** For /walletsolidity/*: only solidified data is visible. */
  readonly solid: boolean;
  /** Called after a transaction was accepted. */
  readonly onBroadcast: () => Promise<void>;
}

type Endpoint = (request: Request, context: Context) => Promise<unknown>;

/** java-tron's limit for getblockbylimitnext. */
const MOST_BLOCKS = 100;
const PARSE_ERROR = "class org.tron.core.services.http.JsonFormat$ParseException";
const NO_RAW_DATA =
  'class java.lang.NullPointerException : Cannot invoke "com.alibaba.fastjson.JSONObject.getJSONArray(String)" because "<local3>" is null';
const NO_PROTOBUF =
  "class com.google.protobuf.InvalidProtocolBufferException : Protocol message contained an invalid tag (zero).";

/** The answer to no bytes. The id is the hash of none. */
const NO_CONTRACT = {
  result: false,
  code: "CONTRACT_VALIDATE_ERROR",
  txid: txIdOf(""),
  message: "Contract validate error : No contract!",
  transaction: "{}",
};

/** The methods that both /wallet/* and /walletsolidity/* answer. */
const READS: Readonly<Record<string, Endpoint>> = {
  getnowblock: async (request, context) =>
    blockJson(context.chain, await newest(context), isVisible(request)),
  getblock: async (request, context) => {
    const wanted = String(request.id_or_num ?? "");
    const block =
      wanted === ""
        ? await newest(context)
        : await visibleBlock(context, await lookUp(context.chain, wanted));
    const json = await blockJson(context.chain, block, isVisible(request));
    if (request.detail !== true && request.detail !== "true") delete json.transactions;
    return json;
  },
  getblockbynum: async (request, context) => {
    const height = heightField(request.num);
    const block = height === null ? null : await visibleBlock(context, await context.chain.block(height));
    return blockJson(context.chain, block, isVisible(request));
  },
  getblockbylimitnext: async (request, context) => {
    const [start, end] = [heightField(request.startNum), heightField(request.endNum)];
    if (start === null || end === null || end <= start || end - start > MOST_BLOCKS) return {};
    const block: unknown[] = [];
    for (let height = start; height < end; height++) {
      const found = await visibleBlock(context, await context.chain.block(height));
      if (found) block.push(await blockJson(context.chain, found, isVisible(request)));
    }
    return { block };
  },
  getblockbyid: async (request, context) => {
    const block = await visibleBlock(context, await context.chain.blockById(String(request.value ?? "")));
    return blockJson(context.chain, block, isVisible(request));
  },
  gettransactionbyid: async (request, context) => {
    const txId = idField(request.value);
    const found = await visibleTransaction(context, txId);
    if (!found) return context.solid ? {} : waitingJson(context.chain, txId, request);
    const { result } = executionResult(found.signed, found.receipt);
    return { ret: [{ contractRet: result }], ...signedJson(found.signed, isVisible(request)) };
  },
  gettransactioninfobyid: async (request, context) => {
    const found = await visibleTransaction(context, idField(request.value));
    return found ? infoJson(context.chain, found.signed, found.receipt, isVisible(request)) : {};
  },
  gettransactioninfobyblocknum: async (request, context) => {
    const height = heightField(request.num);
    if (height === 0 || height === null) return {};
    const block = await visibleBlock(context, await context.chain.block(height));
    const infos: unknown[] = [];
    for (const { txId } of block?.transactions ?? []) {
      const found = await context.chain.find(txId);
      if (found) infos.push(await infoJson(context.chain, found.signed, found.receipt, isVisible(request)));
    }
    return infos;
  },
  getaccount: async (request, { chain, solid }) => {
    const address = addressField(request.address);
    if (address === null) return { Error: "INVALID address" };
    const balance = solid ? await solidBalance(chain, address) : await chain.balance(address);
    return accountJson(chain, { address, balance, visible: isVisible(request) });
  },
  triggerconstantcontract: (request, context) => callContract(request, context),
  estimateenergy: async (request, context) => {
    const { result, energy_used } = await callContract(request, context);
    return { result, energy_required: energy_used };
  },
};

const WRITES: Readonly<Record<string, Endpoint>> = {
  createtransaction: async (request, { chain }) => {
    const [owner, to] = [addressField(request.owner_address), addressField(request.to_address)];
    const amount = integerField(request.amount);
    if (!owner || !to || amount === null) return invalid("Invalid address or amount!");
    const balance = await chain.balance(owner);
    const problem =
      "class org.tron.core.exception.ContractValidateException : Validate TransferContract error";
    if (balance === 0n) return invalid(`${problem}, no OwnerAccount.`);
    if (balance < amount) return invalid(`${problem}, balance is not sufficient.`);
    return buildTransaction(chain, request, { type: "TransferContract", owner, to, amount });
  },
  triggersmartcontract: async (request, { chain }) => {
    const action = await readCall(chain, request);
    if (typeof action === "string") {
      const message = writeMessage(action, isVisible(request));
      return { result: { code: "CONTRACT_VALIDATE_ERROR", message } };
    }
    return { result: { result: true }, transaction: await buildTransaction(chain, request, action) };
  },
  broadcasttransaction: async (request, context) => {
    const raw = rawFromJson(request.raw_data);
    const signatures = Array.isArray(request.signature) ? request.signature.map(signatureField) : [];
    if (request.raw_data === undefined) return invalid(NO_RAW_DATA);
    if (raw === null) return invalid("the transaction is of a kind that is not emulated, or malformed");
    const rawHex = hex(encodeRaw(raw));
    const txId = txIdOf(rawHex);
    // Stricter than a node, which checks neither. A wrong value means that the caller built another
    // transaction than it signed.
    for (const [name, actual] of Object.entries({ txID: txId, raw_data_hex: rawHex })) {
      const given = hexField(request[name]);
      if (given !== "" && given !== actual) {
        const text = `Validate signature error: ${name} does not belong to raw_data`;
        return { code: "SIGERROR", txid: txId, message: writeMessage(text, isVisible(request)) };
      }
    }
    return broadcast({ txId, rawHex, raw, signatures }, context, isVisible(request));
  },
  broadcasthex: async (request, context) => {
    if (hexField(request.transaction) === "") return NO_CONTRACT;
    let signed: SignedTronTransaction | null = null;
    try {
      signed = decodeSigned(Buffer.from(hexField(request.transaction) ?? "", "hex"));
    } catch {
      return invalid(NO_PROTOBUF);
    }
    if (signed === null) return invalid("the transaction is of a kind that is not emulated");
    const answer = await broadcast(signed, context, true);
    const transaction = JSON.stringify(signedJson(signed, true));
    return { result: false, code: "SUCCESS", message: "", transaction, ...answer };
  },
  gettransactionfrompending: async (request, { chain }) => {
    return waitingJson(chain, idField(request.value), request);
  },
  gettransactionlistfrompending: async (_, { chain }) => ({
    txId: chain.book.waiting().map(({ txId }) => txId),
  }),
  getpendingsize: async (_, { chain }) => ({ pendingSize: chain.book.waiting().length }),
  getcontract: async (request, { chain }) => {
    const address = addressField(request.value);
    return address === null ? {} : contractJson(chain, address, isVisible(request));
  },
  ...STAKING,
  getnodeinfo: async (_, { chain }) => {
    const head = await chain.head();
    return { block: `Num:${head.height},ID:${head.id}`, configNodeInfo: { codeVersion: "4.8.0" } };
  },
  listnodes: async () => ({}),
  validateaddress: async (request) => {
    const text = String(request.address ?? "");
    if (addressField(text) === null) return { result: false, message: "Invalid address" };
    return { result: true, message: text.startsWith("T") ? "Base58check format" : "Hex string format" };
  },
};

/** The endpoint with this name, or null. */
export function walletEndpoint(name: string, solid: boolean): Endpoint | null {
  if (Object.hasOwn(READS, name)) return READS[name] ?? null;
  return !solid && Object.hasOwn(WRITES, name) ? (WRITES[name] ?? null) : null;
}

async function newest({ chain, solid }: Context): Promise<TronBlock | null> {
  return solid ? chain.block(await chain.solidHeight()) : chain.head();
}

function lookUp(chain: TronChain, idOrHeight: string): Promise<TronBlock | null> {
  return idOrHeight.length === 64 ? chain.blockById(idOrHeight) : chain.block(Number(idOrHeight));
}

async function visibleBlock({ chain, solid }: Context, block: TronBlock | null): Promise<TronBlock | null> {
  return solid && block && block.height > (await chain.solidHeight()) ? null : block;
}

/** java-tron reports the result of a transaction before it is in a block. */
function waitingJson(chain: TronChain, txId: string, request: Request) {
  const signed = chain.findWaiting(txId);
  return signed ? { ret: [{ contractRet: "SUCCESS" }], ...signedJson(signed, isVisible(request)) } : {};
}

async function solidBalance(chain: TronChain, address: string): Promise<bigint> {
  const tag = quantity(await chain.solidHeight());
  return BigInt(String(await chain.engine.call("eth_getBalance", [address, tag])));
}

async function visibleTransaction({ chain, solid }: Context, txId: string) {
  const found = await chain.find(txId);
  const tooNew = solid && found && Number(found.receipt.blockNumber) > (await chain.solidHeight());
  return tooNew ? null : found;
}

async function broadcast(signed: SignedTronTransaction, context: Context, visible: boolean) {
  const refusal = await context.chain.broadcast(signed);
  if (refusal !== null) {
    return { code: refusal.code, txid: signed.txId, message: writeMessage(refusal.message, visible) };
  }
  await context.onBroadcast();
  return { result: true, txid: signed.txId };
}

function invalid(message: string): { Error: string } {
  return { Error: message };
}

/** An id as hex without 0x. Throws java-tron's error for something else. */
function idField(value: unknown): string {
  const id = hexField(value);
  if (id === null) throw new Error(`${PARSE_ERROR} : 1:10: INVALID hex String`);
  return id;
}

/** Signatures are written in lower case, whatever their sender wrote. */
function signatureField(value: unknown): string {
  return hexField(value) ?? String(value);
}

/** A height, 0 when absent. Null: no block can have it. Throws java-tron's error for no number. */
function heightField(value: unknown): number | null {
  if (typeof value === "number" && value < 0) return null;
  const height = integerField(value);
  if (height !== null) return Number(height);
  const reason =
    typeof value === "number"
      ? `Number out of range for 64-bit signed integer: ${BigInt(Math.trunc(value))}`
      : `For input string: "${JSON.stringify(value)}"`;
  throw new Error(`${PARSE_ERROR} : 1:8: Couldn't parse integer: ${reason}`);
}
