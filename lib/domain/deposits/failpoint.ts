/** Where a test may kill this process. In the order of one pass. */
export type Failpoint =
  | "head-read"
  | "blocks-read"
  | "fork-found"
  | "cursor-moved"
  | "deposits-recorded"
  | "record-committed"
  | "credits-due"
  | "deposits-credited"
  | "credit-committed";

const [target, countText] = (process.env.FAILPOINT ?? "").split(":");
let left = Number(countText ?? "1");

/** Kills this process at the n-th passing of the point named by FAILPOINT=name:n. Does nothing otherwise. */
export function failpoint(name: Failpoint): void {
  if (name !== target) return;
  left -= 1;
  if (left <= 0) process.kill(process.pid, "SIGKILL");
}
