import { customField, fieldText } from "../field-reader.ts";

/** A flag, 0 or 1, as a number or a text. */
export function flagField(description: string) {
  return customField((value) => {
    const text = fieldText(value);
    if (text !== "0" && text !== "1") return { ok: false, reason: "not_a_flag" };
    return { ok: true, value: text === "1" };
  }).openapi({ type: ["integer", "string"], enum: [0, 1, "0", "1"], description });
}
