export const kind = "deposit";
