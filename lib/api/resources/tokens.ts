import type { Endpoint } from "../endpoint.ts";

export const tokenEndpoints: readonly Endpoint[] = [];
