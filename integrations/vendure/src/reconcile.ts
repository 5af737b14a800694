import { ScheduledTask } from "@vendure/core";
import { PaylinkService } from "./paylink.service.ts";

const MINUTE = 60_000;
/** A link lives two hours, and its confirmations take a while. */
const RECENT = 4 * 60 * MINUTE;
/** Late payments that the merchant accepts, and a shop that was down. */
const WHOLE = 7 * 24 * 60 * MINUTE;
const EVERY_WHOLE = 60 * MINUTE;

let nextWhole = 0;

/**
 * Records the paid links whose webhook was lost. Asks for those of the last hours every minute, and once an hour for those of a week.
 */
export const reconcileTask = new ScheduledTask({
  id: "paylink-reconcile",
  description: "Records the payments of Paylink whose webhook was lost",
  schedule: "* * * * *",
  async execute({ injector }) {
    const now = Date.now();
    const isWhole = now >= nextWhole;
    const found = await injector.get(PaylinkService).reconcile(new Date(now - (isWhole ? WHOLE : RECENT)));
    if (isWhole) nextWhole = now + EVERY_WHOLE;
    return { found };
  },
});
