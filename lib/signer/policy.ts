import { z } from "zod";
import { getFamily } from "#lib/chains/families.ts";
import { ENVS, type Env, type NetworkData } from "#lib/chains/network-data.ts";
import { isNetworkCode, NETWORKS, type NetworkCode } from "#lib/chains/networks.ts";
import { parseAmount } from "#lib/platform/money/amount.ts";
import { TOKENS, type TokenCode } from "#lib/platform/money/tokens.ts";
import { OperatorError } from "#lib/platform/operator-error.ts";
import { APPROVER, readApprovals } from "./approver-keys.ts";
import type { NetworkPolicy, Policy, SweepPolicy, TokenPolicy } from "./types.ts";

const FEE_NAMES = ["max_fee_per_gas_gwei", "max_fee_per_vbyte", "max_fee"] as const;
type FeeField = (typeof FEE_NAMES)[number];
const PERCENT_DECIMALS = 2;
/** Gas of a payment where the policy has no limit: three times that of a token, and enough for wallets that are contracts. */
const USUAL_GAS = 200_000n;
/** The gas of the smallest transaction. */
const LEAST_GAS = 21_000n;
const AMOUNT = z
  .string({
    error: ({ input }) => (input === undefined ? "it is missing" : 'write the amount in quotes, such as "5"'),
  })
  .max(60);

const TOKEN = z.strictObject({
  per_transfer: AMOUNT,
  per_day: AMOUNT,
  per_merchant_per_day: AMOUNT.optional(),
  auto_up_to: AMOUNT,
  allow_only: z.array(z.string().max(200)).max(10_000).optional(),
  sweep_above: AMOUNT.optional(),
  hot_target: AMOUNT.optional(),
  hot_maximum: AMOUNT.optional(),
});

const FILE = z.strictObject({
  version: z.literal(1),
  approvals: z
    .strictObject({
      needed: z.int().min(1).max(10),
      from: z.record(z.string().regex(/^[\w.-]{1,50}$/), APPROVER),
    })
    .optional(),
  networks: z.record(
    z.string(),
    z.strictObject({
      max_fee_per_gas_gwei: AMOUNT.optional(),
      max_fee_per_vbyte: AMOUNT.optional(),
      max_fee: AMOUNT.optional(),
      consolidate_below: AMOUNT.optional(),
      max_gas: AMOUNT.optional(),
      fee_per_day: AMOUNT.optional(),
      max_sweep_fee_percent: AMOUNT.optional(),
      max_sweep_fee: AMOUNT.optional(),
      sweep_fee_per_day: AMOUNT.optional(),
      cold: z.string().max(200).optional(),
      tokens: z.record(z.string(), TOKEN),
    }),
  ),
});

type NetworkFile = z.infer<typeof FILE>["networks"][string];

/** A policy file cannot be used. The message names the place and says what is wrong. */
export class PolicyError extends OperatorError {}

/** The canonical form of an address. Null if it is not an address of the network. */
export type Canonicalize = (env: Env, network: NetworkCode, address: string) => string | null;

/** Reads the text of a policy file. Throws a PolicyError: a policy that is half understood pays nothing. */
export function parsePolicy(text: string, canonicalize: Canonicalize): Policy {
  const file = readFile(text);
  const networks = Object.entries(file.networks).map(
    ([name, given]) => [name, readNetwork(name, given, canonicalize)] as const,
  );
  return {
    networks: new Map(networks),
    approvals: file.approvals === undefined ? { needed: 1, from: new Map() } : readApprovals(file.approvals),
  };
}

function readFile(text: string): z.infer<typeof FILE> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new PolicyError(`it is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  const parsed = FILE.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new PolicyError(`${issue?.path.join(".") || "the file"}: ${issue?.message}`);
}

function readNetwork(name: string, file: NetworkFile, canonicalize: Canonicalize): NetworkPolicy {
  const [first, network = ""] = name.split(".");
  const env = ENVS.find((one) => one === first);
  if (env === undefined || !isNetworkCode(network) || name !== `${env}.${network}`)
    throw new PolicyError(`networks.${name}: a name is an environment and a network: test.bep20`);
  const listed = Object.entries(file.tokens).map(([token, given]) => {
    const place = `networks.${name}.tokens.${token}`;
    if (!Object.hasOwn(NETWORKS[network].tokens, token))
      throw new PolicyError(`${place}: ${network} has no such token`);
    const canonical = (address: string) => canonicalize(env, network, address);
    return [token as TokenCode, readToken(place, { token: token as TokenCode, canonical }, given)] as const;
  });
  const tokens = new Map(listed);
  const sweep = readSweep(name, network, file);
  const cold = readCold(name, file, (address) => canonicalize(env, network, address));
  for (const [token, { sweepAbove, hot }] of tokens) {
    const place = `networks.${name}.tokens.${token}`;
    if (sweepAbove !== null && sweep === null)
      throw new PolicyError(`${place}.sweep_above needs max_sweep_fee_percent and sweep_fee_per_day`);
    if (hot !== null && cold === null) throw new PolicyError(`${place}.hot_maximum needs cold`);
  }
  return {
    maxFee: readMaxFee(name, network, file),
    consolidateBelow: readConsolidateBelow(name, network, file),
    maxGas: readMaxGas(name, network, file),
    feePerDay: readFeePerDay(name, network, file),
    tokens,
    sweep,
    cold,
  };
}

function readSweep(name: string, network: NetworkCode, file: NetworkFile): SweepPolicy | null {
  const { max_sweep_fee_percent: percent, max_sweep_fee: maxFee, sweep_fee_per_day: perDay } = file;
  if (percent === undefined && maxFee === undefined && perDay === undefined) return null;
  if (percent === undefined || perDay === undefined)
    throw new PolicyError(`networks.${name}: sweeps need max_sweep_fee_percent and sweep_fee_per_day`);
  const coins = (field: string, text: string) =>
    readUnits(`networks.${name}.${field}`, text, getCoinDecimals(network));
  return {
    maxFeeBps: readUnits(`networks.${name}.max_sweep_fee_percent`, percent, PERCENT_DECIMALS),
    maxFee: maxFee === undefined ? null : coins("max_sweep_fee", maxFee),
    feePerDay: coins("sweep_fee_per_day", perDay),
  };
}

function readCold(
  name: string,
  { cold }: NetworkFile,
  canonical: (address: string) => string | null,
): string | null {
  if (cold === undefined) return null;
  const address = canonical(cold);
  if (address === null)
    throw new PolicyError(
      `networks.${name}.cold: ${cold} is no address of this network, or the network is off`,
    );
  return address;
}

function readConsolidateBelow(
  name: string,
  network: NetworkCode,
  { consolidate_below: text }: NetworkFile,
): bigint | null {
  if (text === undefined) return null;
  const { name: field, decimals } = getFeeField(network);
  if (field !== "max_fee_per_vbyte")
    throw new PolicyError(`networks.${name}.consolidate_below: ${network} has no outputs to consolidate`);
  return readUnits(`networks.${name}.consolidate_below`, text, decimals);
}

function readMaxGas(name: string, network: NetworkCode, { max_gas: text }: NetworkFile): bigint | null {
  const place = `networks.${name}.max_gas`;
  const hasGas = getFeeField(network).name === "max_fee_per_gas_gwei";
  if (!hasGas && text !== undefined) throw new PolicyError(`${place}: ${network} has no gas`);
  if (!hasGas) return null;
  const gas = text === undefined ? USUAL_GAS : readUnits(place, text, 0);
  if (gas < LEAST_GAS) throw new PolicyError(`${place}: no transaction needs less than ${LEAST_GAS}`);
  return gas;
}

function readFeePerDay(name: string, network: NetworkCode, { fee_per_day: text }: NetworkFile) {
  if (text === undefined) return null;
  return readUnits(`networks.${name}.fee_per_day`, text, getCoinDecimals(network));
}

/** The decimals of fees in a network's own coin. */
export function getCoinDecimals(network: NetworkCode): number {
  const { coin, tokens } = NETWORKS[network] as NetworkData;
  return tokens[coin]?.decimals ?? 0;
}

/** The field and decimals of a network's fee cap. */
export const getFeeField = (network: NetworkCode): { readonly name: FeeField; readonly decimals: number } =>
  getFamily(network).feeCap ?? { name: "max_fee", decimals: getCoinDecimals(network) };

function readMaxFee(name: string, network: NetworkCode, file: NetworkFile): bigint {
  const field = getFeeField(network);
  for (const other of FEE_NAMES)
    if (other !== field.name && file[other] !== undefined)
      throw new PolicyError(`networks.${name}.${other}: ${network} has ${field.name} instead`);
  const text = file[field.name];
  if (text === undefined) throw new PolicyError(`networks.${name}.${field.name} is missing`);
  return readUnits(`networks.${name}.${field.name}`, text, field.decimals);
}

function readToken(
  place: string,
  { token, canonical }: { readonly token: TokenCode; readonly canonical: (address: string) => string | null },
  given: z.infer<typeof TOKEN>,
): TokenPolicy {
  const units = (name: keyof typeof given, text: string) =>
    readUnits(`${place}.${name}`, text, TOKENS[token].ledgerDecimals);
  const perMerchant = given.per_merchant_per_day;
  const { sweep_above: above, hot_target: target, hot_maximum: maximum } = given;
  if ((target === undefined) !== (maximum === undefined))
    throw new PolicyError(`${place}: hot_target and hot_maximum need each other`);
  const hot =
    target === undefined || maximum === undefined
      ? null
      : { target: units("hot_target", target), maximum: units("hot_maximum", maximum) };
  if (hot !== null && hot.target > hot.maximum)
    throw new PolicyError(`${place}: hot_target is above hot_maximum`);
  return {
    perTransfer: units("per_transfer", given.per_transfer),
    perDay: units("per_day", given.per_day),
    perMerchantPerDay: perMerchant === undefined ? null : units("per_merchant_per_day", perMerchant),
    autoUpTo: units("auto_up_to", given.auto_up_to),
    allowOnly:
      given.allow_only === undefined
        ? null
        : new Set(
            given.allow_only.map((text) => {
              const address = canonical(text);
              if (address === null)
                throw new PolicyError(
                  `${place}.allow_only: ${text} is no address of this network, or the network is off`,
                );
              return address;
            }),
          ),
    sweepAbove: above === undefined ? null : units("sweep_above", above),
    hot,
  };
}

function readUnits(place: string, text: string, decimals: number): bigint {
  const parsed = parseAmount(text, decimals);
  if (!parsed.ok || parsed.units < 0n)
    throw new PolicyError(`${place}: "${text}" is no amount of at most ${decimals} decimals`);
  return parsed.units;
}
