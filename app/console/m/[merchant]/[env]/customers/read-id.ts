/** The number of a customer in a URL. null for any other text. It finds rows of its merchant alone. */
export const readCustomerId = (text: string): number | null =>
  /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : null;
