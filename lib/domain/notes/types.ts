/** The payment or customer that a note is about, by the id of its row. */
export type NoteSubject = { readonly paymentLinkId: number } | { readonly customerId: number };

export interface Note {
  readonly id: number;
  /** The actor that wrote it, as the audit log names it: "user:3". */
  readonly author: string;
  /** Plain lines. */
  readonly text: string;
  readonly createdAt: Date;
}
