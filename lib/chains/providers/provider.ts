import type { NetworkCode } from "../networks.ts";

/** The limits of one plan. Null: the provider publishes no figure. */
export interface ProviderPlan {
  readonly name: string;
  /** Calls a second. With prices per method: how many of the dearest one that is known. */
  readonly perSecond: number | null;
  /** Blocks in one eth_getLogs. Infinity: the provider sets no limit. */
  readonly logBlocks: number | null;
  /** Calls in one request. */
  readonly batch: number | null;
  /** The quota of a day or month, in the provider's words. */
  readonly quota: string | null;
}

/** The facts that a hosted provider publishes about its nodes. */
export interface Provider {
  readonly name: string;
  /** Matches the whole host name. */
  readonly hosts: RegExp;
  /** Where it is listed in the documentation. It may have nodes of more networks. */
  readonly networks: readonly NetworkCode[];
  readonly free: ProviderPlan;
  /** The smallest paid plan. */
  readonly paid: ProviderPlan | null;
  /** The prices of single methods. */
  readonly costs: string | null;
  /** Methods that watching may need and that its nodes refuse. */
  readonly missing: readonly string[];
  /** How it says that the requests are too many. */
  readonly limitAnswer: string | null;
  readonly note: string | null;
  /** The pages with these figures. */
  readonly sources: readonly string[];
  /** The day on which the pages were read. */
  readonly read: string;
}

/** A plan of which nothing is published. */
export const UNKNOWN_PLAN: ProviderPlan = {
  name: "free",
  perSecond: null,
  logBlocks: null,
  batch: null,
  quota: null,
};

/** A provider of which nothing is published but what an entry adds. */
export const UNKNOWN = {
  free: UNKNOWN_PLAN,
  paid: null,
  costs: null,
  missing: [],
  limitAnswer: null,
  note: null,
  read: "2026-11-23",
} as const;
