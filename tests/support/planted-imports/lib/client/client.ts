import { services } from "../server/services.ts";

export const client = services;
