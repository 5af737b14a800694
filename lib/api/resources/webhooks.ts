import type { Endpoint } from "../endpoint.ts";

export const webhookEndpoints: readonly Endpoint[] = [];
