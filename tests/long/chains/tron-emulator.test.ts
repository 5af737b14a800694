import assert from "node:assert/strict";
import { test } from "node:test";
import { utils } from "tronweb";
import { tronAddressToHex } from "#lib/chains/tron/address.ts";
import { sendTronUsdt } from "#lib/dev-chains/payers/send-tron-usdt.ts";
import {
  balanceOf,
  broadcast,
  jsonRpc,
  newAccount,
  openTestTron,
  payMany,
  payTrc10,
  payTrx,
  payUsdt,
  post,
  signedTransfer,
  signedTrx,
  type TronNode,
  wallet,
} from "#tests/support/tron.ts";

/** The answer of /wallet/broadcasttransaction, with its message as text. */
async function refusal(node: TronNode, transaction: unknown) {
  const { result, code, message = "" } = await broadcast(node, transaction);
  assert.equal(result, undefined);
  return { code, message: Buffer.from(message, "hex").toString() };
}

interface BlockAnswer {
  readonly block_header: { readonly raw_data: { readonly number: number; readonly txTrieRoot: string } };
  readonly transactions?: readonly {
    readonly txID: string;
    readonly ret: unknown;
    readonly raw_data: { readonly contract: readonly { readonly type: string }[] };
  }[];
}

interface OutcomeAnswer {
  readonly id: string;
  readonly blockNumber: number;
  readonly log?: readonly unknown[];
}

test("a stock tronweb loads the token, pays, and reads the result", async (t) => {
  const emulator = await openTestTron(t);
  const { address } = newAccount();
  const tronWeb = wallet(emulator);
  const contract = await tronWeb.contract().at(emulator.usdt);
  assert.equal(await contract.decimals!().call(), 6n);
  assert.equal(await contract.symbol!().call(), "USDT");
  const txId = await payUsdt(emulator, address, 1_500_000);
  assert.deepEqual(await tronWeb.trx.getUnconfirmedTransactionInfo(txId), {}, "not before it is in a block");
  await emulator.mine();
  const info = await tronWeb.trx.getUnconfirmedTransactionInfo(txId);
  assert.equal(info.receipt.result, "SUCCESS");
  assert.equal(info.log.length, 1);
  assert.equal(`41${info.log[0]!.address}`, tronWeb.address.toHex(emulator.usdt));
  assert.equal(BigInt(`0x${info.log[0]!.data}`), 1_500_000n);
  assert.deepEqual(await tronWeb.trx.getTransactionInfo(txId), {}, "not solidified yet");
  await emulator.mine(2);
  assert.equal((await tronWeb.trx.getTransactionInfo(txId)).id, txId);
  assert.equal(await balanceOf(emulator, address), 1_500_000n);

  const block = await tronWeb.trx.getBlockByNumber(info.blockNumber);
  assert.ok(block.blockID.startsWith(info.blockNumber.toString(16).padStart(16, "0")));
  assert.equal(block.transactions?.[0]?.txID, txId);
  const { result } = await jsonRpc(emulator, "eth_getBlockByNumber", [
    `0x${info.blockNumber.toString(16)}`,
    false,
  ]);
  assert.equal((result as { hash: string }).hash, `0x${block.blockID}`);
  const transaction = await tronWeb.trx.getTransaction(txId);
  assert.equal(tronWeb.trx.ecRecover(transaction as never), emulator.faucet.address);
});

test("what waits is visible, and counts in every balance", async (t) => {
  const emulator = await openTestTron(t);
  const { address, privateKey } = newAccount();
  const balances = async () => [
    (await jsonRpc(emulator, "eth_getBalance", [tronAddressToHex(address), "latest"])).result,
    await balanceOf(emulator, address),
  ];
  assert.deepEqual(await balances(), ["0x0", 0n]);
  const txId = await payTrx(emulator, address, 5_000_000);
  await payUsdt(emulator, address, 1_000_000);
  assert.deepEqual(await balances(), ["0x4c4b40", 1_000_000n]);
  const found = (await jsonRpc(emulator, "eth_getTransactionByHash", [`0x${txId}`])).result;
  const { blockHash, blockNumber, value } = found as Record<string, unknown>;
  assert.deepEqual([blockHash, blockNumber, value], ["0x", "0x", "0x4c4b40"]);
  assert.equal((await jsonRpc(emulator, "eth_getTransactionReceipt", [`0x${txId}`])).result, null);
  const { ret } = (await wallet(emulator).trx.getTransaction(txId)) as { ret?: unknown };
  assert.deepEqual(ret, [{ contractRet: "SUCCESS" }]);

  const own = wallet(emulator, privateKey);
  await payTrx(emulator, emulator.faucet.address, 3_000_000, own);
  assert.deepEqual(
    await refusal(emulator, await signedTrx(emulator, emulator.faucet.address, 3_000_001, own)),
    {
      code: "CONTRACT_VALIDATE_ERROR",
      message: "Contract validate error : Validate TransferContract error, balance is not sufficient.",
    },
    "what waits is spent",
  );
  assert.deepEqual(await balances(), ["0x1e8480", 1_000_000n]);
  await emulator.mine();
  assert.deepEqual(await balances(), ["0x1e8480", 1_000_000n]);
});

test("moves TRX without a log", async (t) => {
  const emulator = await openTestTron(t);
  const { address } = newAccount();
  const tronWeb = wallet(emulator);
  const { txid, result } = await tronWeb.trx.sendTrx(address, 5_000_000);
  assert.equal(result, true);
  await emulator.mine();
  assert.equal(await tronWeb.trx.getUnconfirmedBalance(address), 5_000_000);
  assert.equal("log" in (await tronWeb.trx.getUnconfirmedTransactionInfo(txid)), false);
  const tooMuch = await tronWeb.transactionBuilder.sendTrx(address, 2 * 10 ** 15);
  assert.deepEqual(await refusal(emulator, await tronWeb.trx.sign(tooMuch)), {
    code: "CONTRACT_VALIDATE_ERROR",
    message: "Contract validate error : Validate TransferContract error, balance is not sufficient.",
  });
});

test("a block holds TRX, TRC-10 and TRC-20 transfers, each in its own form, with their results", async (t) => {
  const emulator = await openTestTron(t);
  const { address } = newAccount();
  const { faucet } = emulator;
  const sent = [
    await payTrx(emulator, address, 5_000_000),
    await payTrc10(emulator, address, 7_000_000),
    await payUsdt(emulator, address, 9_000_000),
  ];
  await emulator.mine();
  const { number } = (await wallet(emulator).trx.getCurrentBlock()).block_header.raw_data;
  const ask = (call: string, visible: boolean, num = number) =>
    post(`${emulator.url}/wallet/${call}`, { num, visible });
  const askBlock = async (visible: boolean, num?: number) =>
    (await ask("getblockbynum", visible, num)) as BlockAnswer;
  const hex = (base58: string) => wallet(emulator).address.toHex(base58);
  for (const [visible, write] of [
    [true, (base58: string) => base58],
    [false, hex],
  ] as const) {
    const block = await askBlock(visible);
    assert.equal(block.block_header.raw_data.number, number);
    assert.notEqual(block.block_header.raw_data.txTrieRoot, "0".repeat(64));
    const [owner_address, to_address] = [write(faucet.address), write(address)];
    const contracts = block.transactions!.map(({ raw_data }) => raw_data.contract);
    assert.deepEqual(contracts.slice(0, 2), [
      [
        {
          parameter: {
            value: { amount: 5_000_000, owner_address, to_address },
            type_url: "type.googleapis.com/protocol.TransferContract",
          },
          type: "TransferContract",
        },
      ],
      [
        {
          parameter: {
            value: {
              amount: 7_000_000,
              asset_name: visible ? "1000001" : Buffer.from("1000001").toString("hex"),
              owner_address,
              to_address,
            },
            type_url: "type.googleapis.com/protocol.TransferAssetContract",
          },
          type: "TransferAssetContract",
        },
      ],
    ]);
    assert.equal(contracts[2]![0]!.type, "TriggerSmartContract");
    const payments = block.transactions!.map(({ txID, ret }) => [txID, ret]);
    assert.deepEqual(
      payments,
      sent.map((txId) => [txId, [{ contractRet: "SUCCESS" }]]),
    );
  }
  const infos = (await ask("gettransactioninfobyblocknum", false)) as OutcomeAnswer[];
  assert.deepEqual(
    infos.map(({ id, blockNumber, log = [] }) => [id, blockNumber, log.length]),
    sent.map((txId, i) => [txId, number, i === 2 ? 1 : 0]),
  );
  assert.equal(await wallet(emulator).trx.getUnconfirmedBalance(address), 5_000_000);

  await emulator.mine();
  const empty = await askBlock(false, number + 1);
  assert.equal("transactions" in empty, false);
  assert.equal(empty.block_header.raw_data.txTrieRoot, "0".repeat(64));
  assert.deepEqual(await ask("gettransactioninfobyblocknum", false, number + 1), []);
  assert.deepEqual(await ask("getblockbynum", false, number + 2), {}, "there is none yet");
  assert.deepEqual(await ask("gettransactioninfobyblocknum", false, 0), {});
});

test("refuses a signature of another key, and an id that is not the hash of the bytes", async (t) => {
  const emulator = await openTestTron(t);
  const { address, privateKey } = newAccount();
  const good = await signedTransfer(emulator, address, 1);
  const other = {
    ...good,
    signature: [
      utils.crypto.ECKeySign(utils.code.hexStr2byteArray(good.txID), utils.code.hexStr2byteArray(privateKey)),
    ],
  };
  const cut = { ...good, signature: [good.signature[0]!.slice(2)] };
  const wrongId = { ...good, txID: "ab".repeat(32) };
  const amount = structuredClone(good);
  const value = amount.raw_data.contract[0]!.parameter.value as unknown as { data: string };
  value.data = value.data.replace(/1$/, "2");
  for (const bad of [
    other,
    cut,
    wrongId,
    amount,
    { ...amount, raw_data_hex: "" },
    { ...good, signature: [] },
  ]) {
    const { code, message } = await refusal(emulator, bad);
    assert.equal(code, "SIGERROR");
    assert.match(message, /^Validate signature error: /);
  }
  const { result } = await broadcast(emulator, good);
  assert.equal(result, true);
});

test("refuses a transaction that is already in a block", async (t) => {
  const emulator = await openTestTron(t);
  const good = await signedTransfer(emulator, newAccount().address, 1);
  assert.equal((await broadcast(emulator, good)).result, true);
  await emulator.mine();
  assert.deepEqual(await refusal(emulator, good), {
    code: "DUP_TRANSACTION_ERROR",
    message: "Dup transaction.",
  });
});

test("accepts the broadcast of a transaction as the hex of its bytes", async (t) => {
  const emulator = await openTestTron(t);
  const { address } = newAccount();
  const signed = await signedTransfer(emulator, address, 7);
  const pb = utils.transaction.txJsonToPb(signed);
  pb.addSignature(Uint8Array.from(utils.code.hexStr2byteArray(signed.signature[0]!)));
  const hex = Buffer.from(pb.serializeBinary()).toString("hex");
  const answer = await wallet(emulator).trx.sendHexTransaction(hex);
  assert.equal(answer.result, true);
  await emulator.mine();
  assert.equal(await balanceOf(emulator, address), 7n);
});

test("the demo's own wallet pays, and says why it is refused", async (t) => {
  const emulator = await openTestTron(t);
  const { address } = newAccount();
  const payer = { ...emulator, privateKey: emulator.faucet.privateKey };
  await sendTronUsdt(payer, address, 9n);
  await emulator.mine();
  assert.equal(await balanceOf(emulator, address), 9n);
  await assert.rejects(sendTronUsdt({ ...payer, usdt: address }, address, 9n), /CONTRACT_VALIDATE_ERROR/);
});

test("puts a reverted call in its block with REVERT and without logs", async (t) => {
  const emulator = await openTestTron(t);
  const poor = newAccount();
  const txId = await payUsdt(emulator, emulator.faucet.address, 1, wallet(emulator, poor.privateKey));
  await emulator.mine();
  const info = await wallet(emulator).trx.getUnconfirmedTransactionInfo(txId);
  assert.equal(info.result, "FAILED");
  assert.equal(info.receipt.result, "REVERT");
  assert.equal(Buffer.from(info.resMessage, "hex").toString(), "REVERT opcode executed");
  assert.equal("log" in info, false);
  const { result } = await jsonRpc(emulator, "eth_getTransactionReceipt", [`0x${txId}`]);
  assert.equal((result as { status: string }).status, "0x0");
  assert.deepEqual((result as { logs: unknown[] }).logs, []);

  const contract = await wallet(emulator).contract().at(emulator.usdt);
  const starved = await contract.transfer!(poor.address, 1).send({ feeLimit: 1_000 });
  await emulator.mine();
  const out = await wallet(emulator).trx.getUnconfirmedTransactionInfo(starved);
  assert.equal(out.receipt.result, "OUT_OF_ENERGY");
});

test("JSON-RPC refuses what java-tron refuses", async (t) => {
  const emulator = await openTestTron(t, { limits: { maxBlockRange: 5, maxResults: 3 } });
  await payMany(
    emulator,
    Array.from({ length: 4 }, () => newAccount().address),
    1,
  );
  await emulator.mine(10);
  const error = async (method: string, params: unknown[]) => {
    const { code, message } = (await jsonRpc(emulator, method, params)).error!;
    return `${code} ${message}`;
  };
  const range = (fromBlock: string, toBlock: string) => [{ fromBlock, toBlock }];
  assert.equal(await error("eth_getLogs", range("0x1", "0x7")), "-32602 exceed max block range: 5");
  assert.equal(await error("eth_getLogs", range("0x3", "0x4")), "-32005 query returned more than 3 results");
  assert.equal(
    await error("eth_getLogs", [{ blockHash: `0x${"1".repeat(64)}` }]),
    "-32602 invalid blockHash",
  );
  assert.equal(await error("eth_getBlockByNumber", ["pending", false]), "-32602 TAG pending not supported");
  assert.equal(
    await error("eth_call", [{ to: null }, "0x1"]),
    "-32602 QUANTITY not supported, just support TAG as latest",
  );
  assert.match(await error("eth_sendRawTransaction", ["0x"]), /^-32601 /);
  assert.match(await error("eth_subscribe", ["newHeads"]), /^-32601 /);
  assert.deepEqual((await jsonRpc(emulator, "eth_getLogs", range("0x100", "0x101"))).result, []);
  assert.equal((await jsonRpc(emulator, "eth_chainId", [])).result, "0xcd8690dc");
  const genesis = (await jsonRpc(emulator, "eth_getBlockByNumber", ["earliest", false])).result as {
    hash: string;
  };
  assert.ok(genesis.hash.endsWith("cd8690dc"), "the chain id is the end of the genesis block's id");
});

test("one call returns at most 10,000 logs", async (t) => {
  const emulator = await openTestTron(t);
  const { address } = newAccount();
  for (let i = 0; i < 20; i++) await payMany(emulator, Array<string>(500).fill(address), 1);
  await emulator.mine();
  const head = Number((await jsonRpc(emulator, "eth_blockNumber", [])).result);
  const whole = [{ fromBlock: `0x${head.toString(16)}`, toBlock: "latest" }];
  assert.equal(((await jsonRpc(emulator, "eth_getLogs", whole)).result as unknown[]).length, 10_000);
  await payUsdt(emulator, address, 1);
  await emulator.mine();
  assert.deepEqual((await jsonRpc(emulator, "eth_getLogs", whole)).error, {
    code: -32_005,
    message: "query returned more than 10000 results",
    data: "{}",
  });
  assert.equal(await balanceOf(emulator, address), 10_001n);
});

test("a reorg replaces blocks, with their transactions or without", async (t) => {
  const emulator = await openTestTron(t);
  const { address } = newAccount();
  const txId = await payUsdt(emulator, address, 5);
  await emulator.mine(3);
  const before = await wallet(emulator).trx.getUnconfirmedTransactionInfo(txId);
  const old = await wallet(emulator).trx.getBlockByNumber(before.blockNumber);
  await post(`${emulator.url}/emulator/reorg`, { depth: 3, keep: true });
  const after = await wallet(emulator).trx.getUnconfirmedTransactionInfo(txId);
  const other = await wallet(emulator).trx.getBlockByNumber(before.blockNumber);
  assert.equal(after.blockNumber, before.blockNumber);
  assert.notEqual(other.blockID, old.blockID);
  assert.equal(other.block_header.raw_data.parentHash, old.block_header.raw_data.parentHash);
  assert.equal((await jsonRpc(emulator, "eth_getBlockByHash", [`0x${old.blockID}`, false])).result, null);
  assert.equal(await balanceOf(emulator, address), 5n);
  await post(`${emulator.url}/emulator/reorg`, { depth: 3 });
  assert.deepEqual(await wallet(emulator).trx.getUnconfirmedTransactionInfo(txId), {});
  assert.equal(await balanceOf(emulator, address), 0n);
});

test("a failed action of the emulator has the status of an error", async (t) => {
  const { url } = await openTestTron(t);
  const act = async (name: string, body: object) => {
    const answer = await fetch(`${url}/emulator/${name}`, { method: "POST", body: JSON.stringify(body) });
    return { status: answer.status, error: ((await answer.json()) as { Error?: string }).Error };
  };
  assert.deepEqual(await act("mine", { blocks: 2 }), { status: 200, error: undefined });
  const failed = await act("reorg", { depth: 1_000_000 });
  assert.equal(failed.status, 500);
  assert.ok(failed.error);
});
