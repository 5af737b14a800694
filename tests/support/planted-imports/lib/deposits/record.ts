// rooms-know-no-edge, services-are-wired-in-one-place
import { api } from "../api/app.ts";
import { registry } from "../networks/registry.ts";

export const bad = [api, registry];
