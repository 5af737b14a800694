import { type Finding, failed, ok, warning } from "./finding.ts";

/** Differences of synchronized machines are far below. */
const NOTABLE_MS = 2_000;
/** Quotes, keys and signatures end by the clock: more than this breaks them. */
const WRONG_MS = 30_000;

const ADVICE =
  "Synchronize the clocks of both machines: `timedatectl set-ntp true`, then `timedatectl status` on each.";

/** Compares this machine's clock with the database's, which was read between two times of this one. */
export function compareClocks(database: Date, { before, after }: { before: Date; after: Date }): Finding {
  const here = (before.getTime() + after.getTime()) / 2;
  const uncertain = (after.getTime() - before.getTime()) / 2;
  const difference = Math.abs(database.getTime() - here);
  const seconds = Math.round(difference / 1_000);
  const found = `this machine and the database differ by ${seconds} s`;
  if (difference > WRONG_MS + uncertain) return failed("clock", found, ADVICE);
  if (difference > NOTABLE_MS + uncertain) return warning("clock", found, ADVICE);
  return ok("clock", "as the database's, to within two seconds");
}
