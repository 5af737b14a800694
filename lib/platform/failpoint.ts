/** The points where a test can kill this process, in the order of a watcher's pass, then of the signer's payout. */
export type Failpoint =
  | "head-read"
  | "blocks-read"
  | "fork-found"
  | "cursor-moved"
  | "deposits-recorded"
  | "record-committed"
  | "credits-due"
  | "deposits-credited"
  | "credit-committed"
  | "payout-signed"
  | "payout-journaled"
  | "payout-stored"
  | "payout-committed"
  | "payout-broadcast";

const [target, countText] = (process.env.FAILPOINT ?? "").split(":");
let remaining = Number(countText ?? "1");

/**
 * For tests: kills this process when it reaches the point of FAILPOINT=name:n for the n-th time. Without FAILPOINT it
 * does nothing.
 */
export function failpoint(name: Failpoint): void {
  if (name !== target) return;
  remaining -= 1;
  if (remaining <= 0) process.kill(process.pid, "SIGKILL");
}
