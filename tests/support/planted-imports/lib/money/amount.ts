// money-is-pure, foundations-know-no-room
import { kind } from "../deposits/types.ts";

export const bad = kind;
