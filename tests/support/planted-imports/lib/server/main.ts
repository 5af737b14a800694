// demo-is-imported-by-nothing
import { demo } from "../demo/main.ts";

export const bad = demo;
