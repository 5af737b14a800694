import { Counter } from "prom-client";

const labelNames = ["env", "network", "node"] as const;

/** The requests of this process to its nodes since its start, and their failures. */
export const nodeCounters = {
  requests: new Counter({
    name: "paylink_node_requests_total",
    help: "Requests of this process to a node",
    labelNames,
    registers: [],
  }),
  errors: new Counter({
    name: "paylink_node_errors_total",
    help: "Failed requests of this process to a node",
    labelNames,
    registers: [],
  }),
  unreadable: new Counter({
    name: "paylink_unreadable_transactions_total",
    help: "Transactions of others that this process could not read and left out",
    labelNames: ["env", "network"] as const,
    registers: [],
  }),
  givenUp: new Counter({
    name: "paylink_late_blocks_given_up_total",
    help: "Blocks in which no node showed a transaction that a node lists, and that are not read again",
    labelNames: ["env", "network"] as const,
    registers: [],
  }),
};

export type NodeCounters = typeof nodeCounters;
