import { type Address, getBase58Decoder, isAddress } from "@solana/kit";
import { accountJson, listTokenAccounts, newestAt, type Options, options } from "./accounts.ts";
import { type Executed, NodeRefusal, SIGNATURE_FEE, type SolanaBlock, type SolanaChain } from "./chain.ts";
import { annotate, mintDecimals, uiAmount, unitPriceOf } from "./transaction.ts";

/** An error with a code of Agave (rpc-client-api, custom_error.rs). */
class SolanaRpcError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export interface Context {
  readonly chain: SolanaChain;
  /** The widest range of getBlocks. */
  readonly longestRange: number;
}

type Method = (params: readonly unknown[], context: Context) => unknown;

function slotOf(value: unknown): number {
  if (!Number.isSafeInteger(value) || Number(value) < 0)
    throw new SolanaRpcError(-32_602, "Invalid params: slot");
  return Number(value);
}

function addressOf(value: unknown): Address {
  if (typeof value !== "string" || !isAddress(value))
    throw new SolanaRpcError(-32_602, "Invalid param: Invalid");
  return value;
}

function signatureOf(value: unknown): string {
  if (typeof value !== "string" || !/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(value)) {
    throw new SolanaRpcError(-32_602, "Invalid param: Invalid");
  }
  return value;
}

const METHODS: Readonly<Record<string, Method>> = {
  getHealth: () => "ok",
  getVersion: () => ({ "solana-core": "litesvm 1.5 behind Paylink's front", "feature-set": 0 }),
  getGenesisHash: (_, { chain }) => chain.genesis,
  getSlot: ([given], { chain }) => newestAt(chain, options(given)).slot,
  getBlockHeight: ([given], { chain }) => newestAt(chain, options(given)).height,
  getEpochInfo([given], { chain }) {
    const { slot, height } = newestAt(chain, options(given));
    return { absoluteSlot: slot, blockHeight: height, epoch: 0, slotIndex: slot, slotsInEpoch: 432_000 };
  },
  getFirstAvailableBlock: (_, { chain }) => chain.firstKept(),
  minimumLedgerSlot: (_, { chain }) => chain.firstKept(),
  getLatestBlockhash([given], { chain }) {
    const { slot, hash, height } = newestAt(chain, options(given));
    return { context: { slot }, value: { blockhash: hash, lastValidBlockHeight: height + 150 } };
  },
  getBlocks([from, to, given], { chain, longestRange }) {
    const last = typeof to === "number" ? slotOf(to) : Number.MAX_SAFE_INTEGER;
    const first = slotOf(from);
    if (Math.min(last, chain.finalized().slot) - first > longestRange) {
      throw new SolanaRpcError(-32_602, `Slot range too large; max ${longestRange}`);
    }
    const end = Math.min(last, newestAt(chain, options(given)).slot);
    return slotsFrom(chain, first, (slot) => slot <= end);
  },
  getBlocksWithLimit([from, limit, given], { chain }) {
    const end = newestAt(chain, options(given)).slot;
    return slotsFrom(chain, slotOf(from), (slot) => slot <= end, slotOf(limit));
  },
  getBlock: ([slot, given], { chain }) => getBlock(chain, slotOf(slot), options(given)),
  getTransaction: ([signature, given], { chain }) =>
    getTransaction(chain, signatureOf(signature), options(given)),
  getSignatureStatuses([signatures], { chain }) {
    if (!Array.isArray(signatures)) throw new SolanaRpcError(-32_602, "Invalid params: expected a sequence");
    if (signatures.length > 256) throw new SolanaRpcError(-32_602, "Too many inputs provided; max 256");
    const value = signatures.map((signature) => signatureStatus(chain, signatureOf(signature)));
    return { context: { slot: newestAt(chain, { commitment: "confirmed" }).slot }, value };
  },
  sendTransaction([text, given], { chain }) {
    const { encoding = "base58", skipPreflight } = options(given);
    if (encoding !== "base64") throw new SolanaRpcError(-32_602, "this front takes base64 alone");
    try {
      return chain.submit(Buffer.from(String(text), "base64"), { skipPreflight: skipPreflight === true });
    } catch (error) {
      if (!(error instanceof NodeRefusal))
        throw new SolanaRpcError(-32_602, "failed to deserialize the transaction");
      throw new SolanaRpcError(-32_002, `Transaction simulation failed: ${error.message}`);
    }
  },
  simulateTransaction([text, given], { chain }) {
    const { encoding = "base58", sigVerify, replaceRecentBlockhash } = options(given);
    if (encoding !== "base64") throw new SolanaRpcError(-32_602, "this front takes base64 alone");
    if (sigVerify === true && replaceRecentBlockhash === true)
      throw new SolanaRpcError(-32_602, "sigVerify may not be used with replaceRecentBlockhash");
    return {
      context: { slot: newestAt(chain, { commitment: "confirmed" }).slot },
      value: chain.simulate(Buffer.from(String(text), "base64"), {
        sigVerify: sigVerify === true,
        replaceRecentBlockhash: replaceRecentBlockhash === true,
      }),
    };
  },
  getBalance([address], { chain }) {
    const value = Number(chain.svm.getBalance(addressOf(address)) ?? 0n);
    return { context: { slot: chain.finalized().slot }, value };
  },
  getAccountInfo: ([address, given], { chain }) => ({
    context: { slot: chain.finalized().slot },
    value: accountJson(chain, addressOf(address), options(given)),
  }),
  getMultipleAccounts([addresses, given], { chain }) {
    if (!Array.isArray(addresses) || addresses.length > 100)
      throw new SolanaRpcError(-32_602, "Too many inputs provided; max 100");
    const value = addresses.map((address) => accountJson(chain, addressOf(address), options(given)));
    return { context: { slot: newestAt(chain, options(given)).slot }, value };
  },
  getSignaturesForAddress([account, given], { chain }) {
    checkContext(chain, options(given));
    return listSignatures(chain, addressOf(account), options(given));
  },
  getTokenAccountsByOwner([owner, filter, given], { chain }) {
    checkContext(chain, options(given));
    const mint = addressOf(options(filter).mint);
    const accounts = listTokenAccounts(chain, addressOf(owner), mint, options(given));
    return { context: { slot: newestAt(chain, options(given)).slot }, value: accounts };
  },
  getTokenSupply([mint], { chain }) {
    const address = addressOf(mint);
    const decimals = mintDecimals(chain.svm, address);
    const account = chain.svm.getAccount(address);
    if (decimals === null || !account.exists) {
      throw new SolanaRpcError(-32_602, "Invalid param: not a Token mint");
    }
    const { data } = account;
    const supply = new DataView(data.buffer, data.byteOffset).getBigUint64(36, true);
    return { context: { slot: chain.finalized().slot }, value: uiAmount(supply, decimals) };
  },
  getMinimumBalanceForRentExemption: ([size], { chain }) =>
    Number(chain.svm.minimumBalanceForRentExemption(BigInt(slotOf(size)))),
  getRecentPrioritizationFees: ([accounts], { chain }) =>
    chain
      .blocks()
      .slice(-150)
      .map((block) => ({ slot: block.slot, prioritizationFee: lowestPrice(block, accounts) })),
};

/** The lowest price of a compute unit that a block accepted from a transaction that writes to all of these accounts. */
function lowestPrice({ transactions }: SolanaBlock, accounts: unknown): number {
  const wanted = Array.isArray(accounts) ? accounts.map(addressOf) : [];
  const prices = transactions
    .filter(({ decoded, accounts: all }) => {
      const written = new Set(
        annotate(decoded, all).flatMap(({ pubkey, writable }) => (writable ? pubkey : [])),
      );
      return wanted.every((account) => written.has(account));
    })
    .map(({ decoded }) => Number(unitPriceOf(decoded)));
  return prices.length === 0 ? 0 : Math.min(...prices);
}

function checkContext(chain: SolanaChain, given: Options): void {
  const { slot } = newestAt(chain, given);
  if (slot < Number(given.minContextSlot ?? 0)) {
    throw new SolanaRpcError(-32_016, "Minimum context slot has not been reached");
  }
}

/** The transactions that name an account, newest first. */
function listSignatures(chain: SolanaChain, account: Address, given: Options): readonly object[] {
  const { before, until, limit = 1_000 } = given;
  const newest = newestAt(chain, given).slot;
  const all = chain
    .blocks()
    .filter(({ slot }) => slot <= newest)
    .toReversed()
    .flatMap((block) => block.transactions.toReversed().map((executed) => ({ block, executed })))
    .filter(({ executed }) => executed.accounts.all.includes(account))
    .map(({ block: { slot, time }, executed: { decoded, error } }) => {
      const [signature] = decoded.signatures;
      return { signature, slot, err: error, memo: null, blockTime: time, confirmationStatus: "finalized" };
    });
  const start = before === undefined ? 0 : all.findIndex(({ signature }) => signature === before) + 1;
  const end = until === undefined ? -1 : all.findIndex(({ signature }) => signature === until);
  return all.slice(start, end < 0 ? undefined : end).slice(0, Number(limit));
}

function slotsFrom(
  chain: SolanaChain,
  from: number,
  within: (slot: number) => boolean,
  limit = Number.POSITIVE_INFINITY,
): readonly number[] {
  const slots: number[] = [];
  const blocks = chain.blocks();
  let at = blocks.length;
  while (at > 0 && (blocks[at - 1]?.slot ?? 0) >= from) at -= 1;
  for (const { slot } of blocks.slice(at)) {
    if (!within(slot) || slots.length >= limit) break;
    if (chain.keeps(slot)) slots.push(slot);
  }
  return slots;
}

function getBlock(chain: SolanaChain, slot: number, given: Options): unknown {
  if (slot > newestAt(chain, given).slot) {
    throw new SolanaRpcError(-32_004, `Block not available for slot ${slot}`);
  }
  if (slot < chain.firstKept()) {
    const why = `cleaned up, does not exist on node. First available block: ${chain.firstKept()}`;
    throw new SolanaRpcError(-32_001, `Block ${slot} ${why}`);
  }
  const block = chain.keeps(slot) ? chain.block(slot) : null;
  if (block === null) {
    const why = "was skipped, or missing due to ledger jump to recent snapshot";
    throw new SolanaRpcError(-32_007, `Slot ${slot} ${why}`);
  }
  const { transactionDetails = "full", maxSupportedTransactionVersion, rewards = true } = given;
  const common = {
    ...(rewards === true && { rewards: listRewards(block) }),
    blockHeight: block.height,
    blockTime: block.time,
    blockhash: block.hash,
    parentSlot: block.parentSlot,
    previousBlockhash: block.parentHash,
  };
  if (transactionDetails === "none") return common;
  for (const { decoded } of block.transactions)
    checkVersion(decoded.message.version, maxSupportedTransactionVersion);
  if (transactionDetails === "signatures") {
    return { ...common, signatures: block.transactions.map(({ decoded }) => decoded.signatures[0]) };
  }
  const shape = transactionDetails === "accounts" ? accountsForm : jsonForm;
  return { ...common, transactions: block.transactions.map(shape) };
}

/** The account that leads all blocks. */
const LEADER = "9cRCn9rGT8V2imeM2BaKs13yhMEais3ruM3rPvTGpBqb";

/** A leader gets half of the fees for signatures and all of the others. This one is not paid: nothing reads its balance. */
function listRewards({ transactions }: SolanaBlock): readonly object[] {
  const base = transactions.reduce((sum, { decoded }) => sum + SIGNATURE_FEE * decoded.signatures.length, 0);
  const lamports = transactions.reduce((sum, { fee }) => sum + fee, 0) - base / 2;
  if (lamports === 0) return [];
  return [{ pubkey: LEADER, lamports, postBalance: lamports, rewardType: "Fee", commission: null }];
}

function checkVersion(version: "legacy" | number, newest: unknown): void {
  if (version === "legacy" || (typeof newest === "number" && version <= newest)) return;
  throw new SolanaRpcError(
    -32_015,
    `Transaction version (${version}) is not supported by the requesting client. Please try the request again with ` +
      `the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  );
}

function outcome({ error, fee, before, after }: Executed) {
  return {
    err: error,
    status: error === null ? { Ok: null } : { Err: error },
    fee,
    preBalances: before.lamports,
    postBalances: after.lamports,
    preTokenBalances: before.tokens,
    postTokenBalances: after.tokens,
  };
}

function accountsForm(executed: Executed): object {
  const { decoded, accounts } = executed;
  return {
    transaction: { accountKeys: annotate(decoded, accounts), signatures: decoded.signatures },
    meta: outcome(executed),
    version: decoded.message.version,
  };
}

function jsonForm(executed: Executed): object {
  const { decoded, accounts, logs, units } = executed;
  const { header, staticAccounts, lifetimeToken, version } = decoded.message;
  const instructions = "instructions" in decoded.message ? decoded.message.instructions : [];
  return {
    transaction: {
      signatures: decoded.signatures,
      message: {
        header: {
          numRequiredSignatures: header.numSignerAccounts,
          numReadonlySignedAccounts: header.numReadonlySignerAccounts,
          numReadonlyUnsignedAccounts: header.numReadonlyNonSignerAccounts,
        },
        accountKeys: staticAccounts,
        recentBlockhash: lifetimeToken,
        instructions: instructions.map(({ programAddressIndex, accountIndices = [], data }) => ({
          programIdIndex: programAddressIndex,
          accounts: accountIndices,
          data: getBase58Decoder().decode(data ?? new Uint8Array(0)),
        })),
      },
    },
    meta: {
      ...outcome(executed),
      loadedAddresses: accounts.loaded,
      logMessages: logs,
      innerInstructions: [],
      rewards: [],
      computeUnitsConsumed: Number(units),
    },
    version,
  };
}

function getTransaction(chain: SolanaChain, signature: string, given: Options): unknown {
  const found = chain.find(signature);
  if (found === null || found.block.slot > newestAt(chain, given).slot) return null;
  checkVersion(found.executed.decoded.message.version, given.maxSupportedTransactionVersion);
  return { slot: found.block.slot, blockTime: found.block.time, ...jsonForm(found.executed) };
}

function signatureStatus(chain: SolanaChain, signature: string): unknown {
  const found = chain.find(signature);
  if (found === null) return null;
  const { error } = found.executed;
  const { slot } = found.block;
  const final = slot <= chain.finalized().slot;
  return {
    slot,
    confirmations: final ? null : newestAt(chain, { commitment: "confirmed" }).slot - slot,
    err: error,
    status: error === null ? { Ok: null } : { Err: error },
    confirmationStatus: final ? "finalized" : "confirmed",
  };
}

/** Answers one call or a list of calls. */
export function answerSolanaRpc(body: unknown, context: Context): unknown {
  return Array.isArray(body) ? body.map((call) => answerOne(call, context)) : answerOne(body, context);
}

function answerOne(call: unknown, context: Context): unknown {
  const { id = null, method, params } = options(call);
  const head = { jsonrpc: "2.0", id };
  try {
    const run = METHODS[String(method)];
    if (run === undefined) throw new SolanaRpcError(-32_601, "Method not found");
    return { ...head, result: run(Array.isArray(params) ? params : [], context) };
  } catch (error) {
    const code = error instanceof SolanaRpcError ? error.code : -32_603;
    return { ...head, error: { code, message: error instanceof Error ? error.message : String(error) } };
  }
}
