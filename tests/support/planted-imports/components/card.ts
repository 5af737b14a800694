// components-know-no-server
import { services } from "../lib/server/services.ts";

export const bad = services;
