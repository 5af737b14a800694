import { services } from "../server/services.ts";

export const checkout = services;
