import { QrCode } from "#components/ui/qr-code.tsx";
import { MAX_PASSWORD, MIN_PASSWORD } from "#lib/domain/members/rules.ts";
import { totpUri } from "#lib/platform/one-time-codes.ts";
import { Field } from "./plain-page.tsx";

/** The fields of a new password, and of an authenticator app that gets this secret. */
export function NewPassword({ secret, email }: { secret: string; email: string }) {
  return (
    <>
      <Field
        label="Password"
        hint={`At least ${MIN_PASSWORD} characters. Several words are good.`}
        name="password"
        type="password"
        required
        minLength={MIN_PASSWORD}
        maxLength={MAX_PASSWORD}
        autoComplete="new-password"
      />
      <div>
        <p className="label">Scan this with your authenticator app</p>
        <QrCode text={totpUri(secret, email)} label="QR code for your authenticator app" className="qr" />
        <p className="hint">
          Or type <code className="font-mono break-all">{secret}</code>
        </p>
      </div>
      <Field
        label="Code that the app shows"
        name="code"
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
      />
    </>
  );
}
