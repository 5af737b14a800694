import { randomFillSync } from "node:crypto";

const SIZE = 16;
const drawn = Buffer.alloc(SIZE * 256);
let next = drawn.length;

/**
 * 16 bytes from the system's random generator, for public identifiers and nonces; keys and secrets take their own. Many are drawn in one call,
 * which takes as long as one: it is a twentieth of the time of a new link. Each is given once, and not kept.
 */
export function random128Bits(): Buffer {
  if (next === drawn.length) {
    randomFillSync(drawn);
    next = 0;
  }
  const bytes = Buffer.from(drawn.subarray(next, next + SIZE));
  drawn.fill(0, next, next + SIZE);
  next += SIZE;
  return bytes;
}
