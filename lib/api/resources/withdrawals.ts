import type { Endpoint } from "../endpoint.ts";

export const withdrawalEndpoints: readonly Endpoint[] = [];
