import type { Endpoint } from "../endpoint.ts";

export const tradeEndpoints: readonly Endpoint[] = [];
