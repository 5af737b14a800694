// languages-are-pure
import { kind } from "../deposits/types.ts";

export const bad = kind;
