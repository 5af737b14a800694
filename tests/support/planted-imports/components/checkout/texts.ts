export const words = 1;
