/** Folders that have pages of single things alone. */
const WITHOUT_LIST = /^developers\/\w+$/;

/**
 * The page of the other environment that is nearest to this one. A payment, a key or a customer is in one environment alone: their list
 * is in both. `page` is a path below the environment's, like "money/withdrawals".
 */
export function pageOfBoth(page: string): string {
  const parts = page.split("/");
  const end = parts.findIndex((part) => !/^[a-z]{1,15}$/.test(part));
  const kept = (end === -1 ? parts : parts.slice(0, end)).join("/");
  if (kept === "") return "overview";
  return WITHOUT_LIST.test(kept) ? "developers" : kept;
}
