/** A service refused a whole request because it does not know one of its pairs. */
export class UnknownPairError extends Error {}
