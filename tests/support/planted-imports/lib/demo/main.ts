export const demo = 1;
