import type { Endpoint } from "../endpoint.ts";

export const transactionEndpoints: readonly Endpoint[] = [];
