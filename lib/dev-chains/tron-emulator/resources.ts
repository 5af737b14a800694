import type { Action, Resource } from "./contracts.ts";
import type { SignedTronTransaction } from "./transaction.ts";

/** Prices and sizes of the main network (/wallet/getchainparameters). Prices are in sun. */
export const PARAMETERS = {
  getEnergyFee: 100,
  getTransactionFee: 1_000,
  getCreateAccountFee: 100_000,
  getCreateNewAccountFeeInSystemContract: 1_000_000,
  getCreateNewAccountBandwidthRate: 1,
  getFreeNetLimit: 600,
  getTotalNetLimit: 43_200_000_000,
  getTotalEnergyLimit: 180_000_000_000,
  getTotalEnergyCurrentLimit: 180_000_000_000,
  getMaxFeeLimit: 15_000_000_000,
  getUnfreezeDelayDays: 14,
} as const;
const TRX = 1_000_000n;
/** TRX that others have frozen, as on the main network: a frozen TRX gives about 9.5 energy, or 1.6 bandwidth, a day. */
const OTHERS: Readonly<Record<Resource, bigint>> = { ENERGY: 19_000_000_000n, BANDWIDTH: 27_000_000_000n };
const TOTAL: Readonly<Record<Resource, bigint>> = {
  ENERGY: BigInt(PARAMETERS.getTotalEnergyCurrentLimit),
  BANDWIDTH: BigInt(PARAMETERS.getTotalNetLimit),
};
/** Used resources recover evenly within a day. */
const WINDOW_MS = 86_400_000n;
/** Bytes of a transaction around its raw data: a signature, tags, and room for the result. */
const MOST_RESULT = 64;
const SIGNATURE = 67;

/** Something that was used, at a time of the chain. */
interface Usage {
  readonly amount: bigint;
  readonly atMs: number;
}

const UNUSED: Usage = { amount: 0n, atMs: 0 };

/** One resource of an account. Amounts of frozen TRX are in sun. */
interface Share {
  readonly frozen: bigint;
  readonly delegated: bigint;
  readonly acquired: bigint;
  readonly usage: Usage;
}

const NOTHING: Share = { frozen: 0n, delegated: 0n, acquired: 0n, usage: UNUSED };

export interface ResourceAccount {
  readonly exists: boolean;
  readonly free: Usage;
  readonly ENERGY: Share;
  readonly BANDWIDTH: Share;
}

const NEW_ACCOUNT: ResourceAccount = { exists: false, free: UNUSED, ENERGY: NOTHING, BANDWIDTH: NOTHING };

/** The resources that a transaction used, and the sun that its owner burned for the missing ones. */
export interface Charge {
  readonly netUsage: number;
  readonly netFee: bigint;
  /** The part from the account's own energy. */
  readonly energyUsage: number;
  readonly energyFee: bigint;
  readonly fee: bigint;
}

/** Bytes of bandwidth that a transaction uses. */
export function bandwidthOf({ rawHex }: SignedTronTransaction): number {
  const raw = rawHex.length / 2;
  return raw + (raw < 128 ? 2 : 3) + SIGNATURE + MOST_RESULT;
}

/** The use of a resource that has not recovered yet. */
export function remaining({ amount, atMs }: Usage, nowMs: number): bigint {
  const passed = BigInt(Math.max(0, nowMs - atMs));
  return passed >= WINDOW_MS ? 0n : (amount * (WINDOW_MS - passed)) / WINDOW_MS;
}

/**
 * The resources that accounts have frozen, delegated and used, after a chain of transactions. The state follows from the chain alone, so
 * that it can be made again from any height.
 */
export class Resources {
  readonly #accounts = new Map<string, ResourceAccount>();
  /** Sun by "owner receiver resource". */
  readonly #delegations = new Map<string, bigint>();

  clone(): Resources {
    const copy = new Resources();
    for (const [address, account] of this.#accounts) copy.#accounts.set(address, account);
    for (const [key, amount] of this.#delegations) copy.#delegations.set(key, amount);
    return copy;
  }

  account(address: string): ResourceAccount {
    return this.#accounts.get(address) ?? NEW_ACCOUNT;
  }

  /** An account that holds TRX from before the chain's first transaction, or got it from a contract. */
  activate(address: string): void {
    this.#change(address, { exists: true });
  }

  delegation(owner: string, receiver: string, resource: Resource): bigint {
    return this.#delegations.get([owner, receiver, resource].join(" ")) ?? 0n;
  }

  /** Accounts that `owner` has delegated something to. */
  receiversOf(owner: string): string[] {
    const pairs = [...this.#delegations.keys()].map((key) => key.split(" "));
    return [...new Set(pairs.filter(([from]) => from === owner).map(([, to]) => String(to)))];
  }

  /** Sun of all accounts that give a resource, as its weight in TRX. */
  weight(resource: Resource): bigint {
    let own = 0n;
    for (const account of this.#accounts.values())
      own += account[resource].frozen + account[resource].delegated;
    return OTHERS[resource] + own / TRX;
  }

  /** The resources that a share gives in a day. */
  limit({ frozen, acquired }: Share, resource: Resource): bigint {
    return (((frozen + acquired) / TRX) * TOTAL[resource]) / this.weight(resource);
  }

  /** The resources that an account has left from its frozen and acquired TRX. */
  left(address: string, resource: Resource, nowMs: number): bigint {
    const share = this.account(address)[resource];
    const left = this.limit(share, resource) - remaining(share.usage, nowMs);
    return left > 0n ? left : 0n;
  }

  /** The sun that an owner could delegate: frozen, and not in use. */
  delegable(address: string, resource: Resource, nowMs: number): bigint {
    const { frozen, usage } = this.account(address)[resource];
    const used = (remaining(usage, nowMs) * TRX * this.weight(resource)) / TOTAL[resource];
    return frozen > used ? frozen - used : 0n;
  }

  /** Why java-tron refuses an action because of stakes or accounts. Null if it does not. */
  problem(action: Action, nowMs: number): string | null {
    if (!this.account(action.owner).exists) return "does not exist";
    if (action.type === "AccountCreateContract")
      return this.account(action.account).exists ? "Account has existed" : null;
    if (action.type === "FreezeBalanceV2Contract")
      return action.amount < TRX ? "frozenBalance must be greater than or equal to 1 TRX" : null;
    if (action.type === "UnfreezeBalanceV2Contract") {
      const isFrozen =
        action.amount > 0n && action.amount <= this.account(action.owner)[action.resource].frozen;
      return isFrozen ? null : "Invalid unfreeze_balance, it is more than the frozen balance";
    }
    if (action.type !== "DelegateResourceContract" && action.type !== "UnDelegateResourceContract")
      return null;
    const { owner, receiver, amount, resource } = action;
    if (action.type === "UnDelegateResourceContract") {
      const delegated = this.delegation(owner, receiver, resource);
      if (delegated === 0n) return "delegated Resource does not exist";
      const name = resource === "ENERGY" ? "Energy" : "BandWidth";
      return amount > 0n && amount <= delegated
        ? null
        : `insufficient delegateFrozenBalance(${name}), request=${amount}, unlock_balance=${delegated}`;
    }
    if (amount < TRX) return "delegateBalance must be greater than or equal to 1 TRX";
    if (receiver === owner) return "receiverAddress must not be the same as ownerAddress";
    if (!this.account(receiver).exists) return `Account[41${receiver.slice(2)}] not exists`;
    return amount > this.delegable(owner, resource, nowMs)
      ? `delegateBalance must be less than or equal to available Freeze${resource === "ENERGY" ? "Energy" : "Bandwidth"}V2 balance`
      : null;
  }

  /** Applies a transaction that used this much energy. Returns what its owner pays. */
  apply(transaction: SignedTronTransaction, energy: number, nowMs: number): Charge {
    const { action } = transaction.raw;
    const net = this.#takeBandwidth(transaction, nowMs);
    const created = newAccountOf(action);
    const isCreating = created !== null && !this.account(created).exists;
    const creation = isCreating ? BigInt(PARAMETERS.getCreateNewAccountFeeInSystemContract) : 0n;
    if (created !== null) this.activate(created);
    this.#stake(action, nowMs);
    const own = this.left(action.owner, "ENERGY", nowMs);
    const used = BigInt(energy);
    const energyUsage = used < own ? used : own;
    if (energyUsage > 0n) this.#use(action.owner, "ENERGY", energyUsage, nowMs);
    const energyFee = (used - energyUsage) * BigInt(PARAMETERS.getEnergyFee);
    return {
      ...net,
      energyUsage: Number(energyUsage),
      energyFee,
      fee: net.netFee + energyFee + creation,
    };
  }

  /** A new account is paid from frozen bandwidth or burned; anything else also from the free bandwidth. */
  #takeBandwidth(transaction: SignedTronTransaction, nowMs: number) {
    const { action } = transaction.raw;
    const bytes = BigInt(bandwidthOf(transaction));
    const created = newAccountOf(action);
    const isCreating = created !== null && !this.account(created).exists;
    if (this.left(action.owner, "BANDWIDTH", nowMs) >= bytes) {
      this.#use(action.owner, "BANDWIDTH", bytes, nowMs);
      return { netUsage: Number(bytes), netFee: 0n };
    }
    if (isCreating) return { netUsage: 0, netFee: BigInt(PARAMETERS.getCreateAccountFee) };
    const free = remaining(this.account(action.owner).free, nowMs);
    if (free + bytes <= BigInt(PARAMETERS.getFreeNetLimit)) {
      this.#change(action.owner, { free: { amount: free + bytes, atMs: nowMs } });
      return { netUsage: Number(bytes), netFee: 0n };
    }
    return { netUsage: 0, netFee: bytes * BigInt(PARAMETERS.getTransactionFee) };
  }

  #stake(action: Action, nowMs: number): void {
    if (action.type === "FreezeBalanceV2Contract" || action.type === "UnfreezeBalanceV2Contract") {
      const { owner, amount, resource } = action;
      const share = this.account(owner)[resource];
      const frozen = share.frozen + (action.type === "FreezeBalanceV2Contract" ? amount : -amount);
      this.#change(owner, { [resource]: { ...share, frozen } });
    }
    if (action.type !== "DelegateResourceContract" && action.type !== "UnDelegateResourceContract") return;
    const { owner, receiver, resource } = action;
    const amount = action.type === "DelegateResourceContract" ? action.amount : -action.amount;
    if (amount < 0n) this.#returnUsage(action, nowMs);
    const [from, to] = [this.account(owner)[resource], this.account(receiver)[resource]];
    this.#change(owner, {
      [resource]: { ...from, frozen: from.frozen - amount, delegated: from.delegated + amount },
    });
    this.#change(receiver, { [resource]: { ...to, acquired: to.acquired + amount } });
    const key = [owner, receiver, resource].join(" ");
    const sum = (this.#delegations.get(key) ?? 0n) + amount;
    if (sum === 0n) this.#delegations.delete(key);
    else this.#delegations.set(key, sum);
  }

  /** The use of what is undelegated moves to the owner, and recovers there. */
  #returnUsage({ owner, receiver, amount, resource }: Extract<Action, { receiver: string }>, nowMs: number) {
    const share = this.account(receiver)[resource];
    const used = remaining(share.usage, nowMs);
    const all = share.frozen + share.acquired;
    const part = all === 0n ? 0n : (used * amount) / all;
    const most = ((amount / TRX) * TOTAL[resource]) / this.weight(resource);
    const moved = part < most ? part : most;
    if (moved === 0n) return;
    this.#change(receiver, { [resource]: { ...share, usage: { amount: used - moved, atMs: nowMs } } });
    this.#use(owner, resource, moved, nowMs);
  }

  #use(address: string, resource: Resource, amount: bigint, nowMs: number): void {
    const share = this.account(address)[resource];
    const usage = { amount: remaining(share.usage, nowMs) + amount, atMs: nowMs };
    this.#change(address, { [resource]: { ...share, usage } });
  }

  #change(address: string, changes: Partial<ResourceAccount>): void {
    this.#accounts.set(address, { ...this.account(address), ...changes });
  }
}

/** The account that an action creates if it does not exist. */
function newAccountOf(action: Action): string | null {
  if (action.type === "TransferContract") return action.to;
  return action.type === "AccountCreateContract" ? action.account : null;
}
