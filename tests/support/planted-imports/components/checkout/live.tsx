// wording-is-the-server's
import { words } from "./texts.ts";

export const bad = words;
