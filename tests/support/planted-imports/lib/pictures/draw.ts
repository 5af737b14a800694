// pictures-know-only-themselves
import { api } from "../api/app.ts";

export const draw = api;
