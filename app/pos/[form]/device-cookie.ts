import { cookies } from "next/headers";
import { getServices } from "#lib/web/services.ts";

const NAME = "paylink_pos";
/** As long as browsers keep a cookie. */
const MAX_AGE_SECONDS = 400 * 86_400;

/** The token of this device for the form, or "". */
export async function readDeviceToken(): Promise<string> {
  return (await cookies()).get(NAME)?.value ?? "";
}

/** Keeps the token where no script can read it, for the page of this form only. */
export async function keepDeviceToken(formCode: string, token: string): Promise<void> {
  const secure = new URL(getServices().config.paymentUrl).protocol === "https:";
  const path = `/pos/${formCode}`;
  const cookie = { httpOnly: true, secure, sameSite: "strict", path, maxAge: MAX_AGE_SECONDS } as const;
  (await cookies()).set(NAME, token, cookie);
}
