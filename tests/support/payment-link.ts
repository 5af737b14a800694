/** A valid body of endpoint 24. */
export const PAYMENT_LINK = {
  amount: "25000.50",
  customer_details: { email: "ada@example.com", first_name: "Ada", last_name: "Obi" },
  payment_reference: "ORDER1001",
  success_url: "https://shop.example.com/thanks",
  cancel_url: "https://shop.example.com/cart",
};

/** The same body as form values. */
export function paymentLinkForm(changes: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { ...PAYMENT_LINK, customer_details: JSON.stringify(PAYMENT_LINK.customer_details), ...changes };
}
