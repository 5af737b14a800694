/** A chain of each family with a signer that can pay, as an attacker sees it who can write to the whole database. */
import { randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import { eq } from "drizzle-orm";
import { type Logger, pino } from "pino";
import type { NetworkAdapter, NetworkRegistry } from "#lib/chains/network.ts";
import { NodeError } from "#lib/chains/node-error.ts";
import { unsweptAmounts } from "#lib/domain/deposits/tables.ts";
import { addresses } from "#lib/domain/wallets/tables.ts";
import { withdrawals } from "#lib/domain/withdrawals/tables.ts";
import type { WithdrawalRow } from "#lib/domain/withdrawals/types.ts";
import { formatAmount } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { parsePolicy } from "#lib/signer/policy.ts";
import type { SignerDeps, SignerNetwork } from "#lib/signer/run-signer.ts";
import type { JournalEntry } from "#lib/signer/types.ts";
import { mine } from "#tests/support/anvil.ts";
import type { testDatabase } from "#tests/support/database.ts";
import { aDeposit } from "#tests/support/deposits.ts";
import { solanaSignerWorld } from "#tests/support/signer-solana.ts";
import { signerWorld } from "#tests/support/signer-world.ts";
import { xrpSignerWorld } from "#tests/support/signer-xrp.ts";
import { solanaAddress } from "#tests/support/solana.ts";
import { newAccount } from "#tests/support/tron.ts";
import { tronSignerWorld } from "#tests/support/tron-signer-world.ts";
import { anAddress } from "#tests/support/unmatched.ts";
import { aReceiver, utxoWorld } from "#tests/support/utxo-world.ts";
import { USDT } from "#tests/support/withdrawals.ts";
import { DROPS_PER_XRP } from "#tests/support/xrp.ts";

const STEP_MS = 60_000;
/** The functions of a network's `sending` that ask a node. The others answer at once. */
const QUESTION = /^(fetch|simulate|isDead|findRefusal|callWith|broadcast)/;

/** The parts that all signer worlds have. */
interface SignerWorldOf {
  readonly database: Awaited<ReturnType<typeof testDatabase>>;
  readonly db: SignerDeps["db"];
  readonly networks: NetworkRegistry;
  readonly adapter: NetworkAdapter;
  readonly merchantId: number;
  row(id: number): Promise<typeof withdrawals.$inferSelect>;
  follow(): Promise<void>;
  journal(): readonly JournalEntry[];
  step(signer: SignerNetwork): Promise<unknown>;
  booksAgree(): Promise<void>;
}

interface Family {
  readonly token: TokenCode;
  /** Ledger units of what the attacks pay and ask for. A hundred of it can be paid. */
  readonly unit: bigint;
  /** The network's fields of the policy, its tokens left out. */
  readonly policy: object;
  open(changes: Partial<SignerDeps>): SignerNetwork;
  create(units: number, to: string): Promise<WithdrawalRow>;
  /** A new address, canonical, which can be paid. */
  receiver(): Promise<string>;
  /** Returns the amount that an address has received on the chain, in ledger units. */
  received(address: string): Promise<bigint>;
  /** Makes final what waits for a block. */
  finalize(): Promise<unknown> | unknown;
  /** Writes rows by which an address of somebody else is a deposit address that holds a lot. null: nothing is derived here. */
  readonly forge: ((address: string) => Promise<void>) | null;
}

/** Limits in units. */
interface Given {
  readonly perDay?: number;
  readonly autoUpTo?: number;
  readonly approvals?: object;
  readonly sweeps?: boolean;
  /** The methods that nodes do not answer. */
  readonly down?: readonly string[];
  /** The clock of the signer's host, apart from the real one. */
  readonly aheadMs?: number;
  readonly mnemonic?: string;
}

function attackWorld(w: SignerWorldOf, family: Family) {
  const { adapter, networks, db } = w;
  const { token, unit, finalize } = family;
  const alarms: string[] = [];
  const broadcast: string[] = [];
  const sink = { write: (line: string) => void alarms.push(String(JSON.parse(line).msg)) };
  const log: Logger = pino({ level: "warn" }, sink);
  let clock = Date.now();
  const toText = (units: number) => formatAmount(BigInt(units) * unit, TOKENS[token].ledgerDecimals);

  function policyOf({ perDay = 1_000, autoUpTo = 1_000, sweeps = false, approvals }: Given) {
    const limits = { per_transfer: toText(1_000), per_day: toText(perDay), auto_up_to: toText(autoUpTo) };
    const tokens = { [token]: { ...limits, ...(sweeps && { sweep_above: toText(1) }) } };
    const fees = sweeps ? { max_sweep_fee_percent: "50", sweep_fee_per_day: "100" } : {};
    const network = { ...family.policy, ...fees, tokens };
    const file = {
      version: 1,
      networks: { [`test.${adapter.network}`]: network },
      ...(approvals && { approvals }),
    };
    return parsePolicy(JSON.stringify(file), (_env, _network, address) =>
      adapter.addresses.canonicalize(address),
    );
  }
  return {
    ...w,
    ...family,
    /** Messages that the signer logged as a warning or an error. */
    alarms,
    /** Everything that the signer asks nodes. */
    questions: [...Object.keys(adapter.sending ?? {}).filter((name) => QUESTION.test(name)), "fetchHead"],
    /** The transactions that the signer broadcast. */
    broadcast,
    /** A signer as after its process began. */
    start(given: Given = {}): SignerNetwork {
      const { down = [], aheadMs = 0, mnemonic } = given;
      const unreachable = async () => Promise.reject(new NodeError("unreachable", "the node is down"));
      const recorded = {
        ...adapter.sending,
        broadcast: (raw: string) => {
          broadcast.push(raw);
          return adapter.sending?.broadcast(raw);
        },
        ...Object.fromEntries(down.map((name) => [name, unreachable])),
      };
      const asked = Object.assign(Object.create(adapter), {
        sending: recorded,
        ...(down.includes("fetchHead") && { blocks: { ...adapter.blocks, fetchHead: unreachable } }),
      });
      const policy = policyOf(given);
      return family.open({
        ...{ log, policy: () => policy, now: () => new Date(clock + aheadMs) },
        networks: { ...networks, all: () => [asked] },
        ...(mnemonic !== undefined && { mnemonic }),
      });
    },
    /** Lets a signer work for a while, with blocks. */
    async run(signer: SignerNetwork, steps = 3): Promise<void> {
      for (let step = 0; step < steps; step++) {
        await w.step(signer);
        await finalize();
        clock += STEP_MS;
      }
    },
    receivers: async (count: number) => {
      const made = [];
      for (let n = 0; n < count; n++) made.push(await family.receiver());
      return made;
    },
    /** Returns the amounts that addresses have received on the chain, in units. */
    async gained(...of: readonly string[]): Promise<number> {
      let sum = 0n;
      for (const address of of) sum += await family.received(address);
      return Number(sum) / Number(unit);
    },
    /** Units that the signer has ever signed for. */
    signed: () =>
      Number(
        w
          .journal()
          .flatMap(({ payouts }) => payouts)
          .reduce((sum, { amount }) => sum + amount, 0n) / unit,
      ),
    change: (id: number, changes: Partial<typeof withdrawals.$inferInsert>) =>
      db.update(withdrawals).set(changes).where(eq(withdrawals.id, id)),
  };
}
export type AttackWorld = ReturnType<typeof attackWorld>;

/** Makes an address that the account key does not derive look like a deposit address that holds a lot. */
async function forgeUnswept(w: SignerWorldOf, token: TokenCode, address: string): Promise<void> {
  const { id } = await anAddress(w.db, w.adapter, w.merchantId);
  await w.db.update(addresses).set({ address }).where(eq(addresses.id, id));
  await w.db.execute("delete from unswept_amounts");
  const { env, network } = w.adapter;
  const amount = 10n ** BigInt(TOKENS[token].ledgerDecimals + 5);
  await w.db.insert(unsweptAmounts).values({ addressId: id, token, env, network, amount });
}

/** One of each family. */
export const ATTACK_WORLDS: Readonly<Record<string, (t: TestContext) => Promise<AttackWorld>>> = {
  async bep20(t) {
    const w = await signerWorld(t);
    return attackWorld(w, {
      token: "usdt",
      unit: USDT,
      policy: { max_fee_per_gas_gwei: "50" },
      open: (changes) => w.start(undefined, changes),
      create: (units, to) => w.create(BigInt(units) * USDT, to),
      receiver: async () => `0x${randomBytes(20).toString("hex")}`,
      received: w.balance,
      finalize: () => mine(w.url, 4),
      forge: (address) => forgeUnswept(w, "usdt", address),
    });
  },
  async trc20(t) {
    const w = await tronSignerWorld(t);
    return attackWorld(w, {
      token: "usdt",
      unit: USDT,
      policy: { max_fee: "50" },
      open: (changes) => w.start(undefined, changes),
      create: (units, to) => w.create(BigInt(units) * USDT, to),
      receiver: async () => newAccount().address,
      received: async (address) => (await w.balance(address)) + (await w.trx(address)),
      finalize: () => w.emulator.mine(4),
      forge: (address) => forgeUnswept(w, "usdt", address),
    });
  },
  async solana(t) {
    const w = await solanaSignerWorld(t);
    let count = 2_000;
    return attackWorld(w, {
      token: "usdt",
      unit: USDT,
      policy: { max_fee: "0.003" },
      open: (changes) => w.start({}, changes),
      create: (units, to) => w.pay(to, BigInt(units)),
      receiver: async () => solanaAddress(count++),
      received: async (address) => (await w.balance(address)) * 10n ** 12n,
      finalize: () => w.chain.mine(4),
      forge: (address) => forgeUnswept(w, "usdt", address),
    });
  },
  async xrp(t) {
    const w = await xrpSignerWorld(t);
    const classic = new Map<string, string>();
    return attackWorld(w, {
      token: "xrp",
      unit: 2n * DROPS_PER_XRP,
      policy: { max_fee: "0.001" },
      open: (changes) => w.start({}, changes),
      create: (units, to) => w.pay(to, BigInt(units) * 2n),
      async receiver() {
        const { classicAddress } = await w.person();
        const address = w.adapter.addresses.canonicalize(classicAddress) ?? "";
        classic.set(address, classicAddress);
        return address;
      },
      received: async (address) => w.balance(classic.get(address) ?? "") - 20n * DROPS_PER_XRP,
      finalize: () => w.mine(),
      forge: null,
    });
  },
  async bitcoin(t) {
    const w = await utxoWorld(t);
    await w.deposit([50, 40, 30, 20, 10]);
    const { bitcoin, setup, db } = w;
    return attackWorld(w, {
      token: "btc",
      unit: setup.unit,
      policy: { max_fee_per_vbyte: "5000" },
      open: (changes) => w.start({}, changes),
      create: w.create,
      receiver: async () => aReceiver(setup.chain),
      received: w.balance,
      finalize: () => bitcoin.mine(setup.finalAfter),
      async forge(address) {
        const { id } = await anAddress(db, w.adapter, w.merchantId);
        const txHash = await bitcoin.payMany([[address, "1"]]);
        const blockHeight = await bitcoin.height();
        const at = new Date();
        await bitcoin.mine(setup.finalAfter);
        for (const position of [0, 1])
          await aDeposit(db, id, {
            ...{ token: "btc", txHash, position, amount: 10n ** 8n, confirmedAt: at, blockHeight },
          });
      },
    });
  },
};
