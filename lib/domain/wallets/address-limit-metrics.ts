import { Counter } from "prom-client";

/** Addresses that this process refused because of a merchant's limit. */
export const addressRefusals = new Counter({
  name: "paylink_address_refusals_total",
  help: "Addresses that this process refused because a merchant has too many unpaid ones",
  labelNames: ["env", "network"],
  registers: [],
});
