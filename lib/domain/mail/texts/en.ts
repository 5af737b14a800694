type Names = { merchant: string };

/** The texts of a payer's mail in English. */
export const english = {
  /** BCP 47 locale for Intl. */
  locale: "en",
  testBanner: "Test payment. No real money moved.",
  subject: ({ merchant, price }: Names & { price: string }) => `Receipt: ${price} to ${merchant}`,
  paid: ({ merchant, price }: Names & { price: string }) =>
    `Your payment of ${price} to ${merchant} is complete.`,
  overpaid: ({ merchant, excess }: Names & { excess: string }) =>
    `You sent ${excess} too much. Contact ${merchant} about the difference.`,
  /** The mail that asks for the address of a refund. */
  claim: {
    subject: ({ merchant, amount }: Names & { amount: string }) => `Your refund from ${merchant}: ${amount}`,
    text: ({ merchant, amount, network }: Names & { amount: string; network: string }) =>
      `${merchant} refunds you ${amount} on ${network}. Open the link and enter the address that receives it.`,
    secret: "Anyone who has this link can choose the address. Do not share it.",
    ended: ({ merchant }: Names) =>
      `The link of this refund is no longer valid. If you did not use it, contact ${merchant}.`,
    message: "Message",
    until: "Valid until",
    open: "Enter your address",
  },
  merchant: "Paid to",
  reference: "Reference",
  order: "Order",
  item: "Item",
  number: "Number",
  amount: "Amount",
  completed: "Completed",
  payment: "Payment",
  transaction: "Transaction",
  view: "Show the receipt",
  why: ({ merchant }: Names) => `You get this mail because ${merchant} gave this address for the payment.`,
  stop: ({ merchant }: Names) => `No more receipts of ${merchant}`,
  stopped: ({ merchant }: Names) => `You get no more receipts of ${merchant} by mail.`,
};

/** All texts of a payer's mail. English defines the shape; this folder has one file per language. */
export type MailTexts = typeof english;
