import type { Endpoint } from "../endpoint.ts";

export const ipEndpoints: readonly Endpoint[] = [];
