import type { Endpoint } from "../endpoint.ts";

export const customerEndpoints: readonly Endpoint[] = [];
