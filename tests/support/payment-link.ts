/** A body of endpoint 24 that is right; form values. */
export function aPaymentLink(changes: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    amount: "25000.50",
    customer_details: JSON.stringify({ email: "ada@example.com", first_name: "Ada", last_name: "Obi" }),
    payment_reference: "ORDER1001",
    success_url: "https://shop.example.com/thanks",
    cancel_url: "https://shop.example.com/cart",
    ...changes,
  };
}
