import { randomInt } from "node:crypto";

/** A send reference: sixteen digits that tell nothing about how many there are. */
export function makeRefid(): string {
  const half = () => randomInt(10_000_000, 100_000_000);
  return `${half()}${half()}`;
}
