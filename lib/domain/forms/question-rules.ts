/** The questions that a form can ask of the payer. Every question that is asked must be answered, except the note. */
export const FORM_QUESTIONS = ["email", "name", "phone", "note"] as const;
export type FormQuestion = (typeof FORM_QUESTIONS)[number];
