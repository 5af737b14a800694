import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import {
  openSignerPublisher,
  type SignerPublisher,
} from "#lib/domain/withdrawals/signer/publish-signer-state.ts";
import type { Clock } from "#lib/platform/clock.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { isPaying, type PolicyNetwork } from "./run-signer.ts";

const PACKAGE = join(import.meta.dirname, "../../package.json");

/**
 * Writes for people what the signer pays from, that it works, and why withdrawals wait. The caller calls the returned function after each
 * step with the networks whose step ended well. A database that does not accept it stops no payment.
 */
export function openPublishing(
  signer: readonly PolicyNetwork[],
  { db, log, now: readClock }: { readonly db: Db; readonly log: Logger } & Pick<Clock, "now">,
): (stepped: readonly PolicyNetwork[]) => Promise<void> {
  const { version } = JSON.parse(readFileSync(PACKAGE, "utf8")) as { readonly version: string };
  const accounts = signer.map((one) => {
    const { env, network } = one;
    return { env, network, address: isPaying(one) ? one.address : "" };
  });
  let publisher: SignerPublisher | null = null;
  let isFailing = false;
  return async (stepped) => {
    const now = readClock();
    try {
      publisher ??= await openSignerPublisher(db, accounts, version, now);
      await publisher.publish(new Map(signer.flatMap(({ held }) => [...held])), stepped, now);
      isFailing = false;
    } catch (error) {
      if (!isFailing)
        log.warn(
          { err: error },
          "the console does not learn why withdrawals wait: grant the role its rights again",
        );
      isFailing = true;
    }
  };
}
