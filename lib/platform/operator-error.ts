/** Something that the operator must put right. The message says what and how, and is printed without a stack. */
export class OperatorError extends Error {}
