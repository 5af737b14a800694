import type { Endpoint } from "../endpoint.ts";

export const balanceEndpoints: readonly Endpoint[] = [];
