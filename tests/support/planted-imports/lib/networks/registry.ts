export const registry = 1;
