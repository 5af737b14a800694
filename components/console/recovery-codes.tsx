"use client";

import { type FormEvent, useState } from "react";
import { CopyButton } from "#components/ui/buttons.tsx";
import { ReadyButton } from "./ready-button.tsx";

const WORDS = { copy: "Copy", copied: "Copied", failed: "Not copied" };

/** Makes recovery codes and shows them once. */
export function RecoveryCodes({
  count,
  make,
}: {
  /** Codes that still work. */
  count: number;
  make: (form: FormData) => Promise<readonly string[]>;
}) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const press = async (event: FormEvent) => {
    event.preventDefault();
    setCodes(await make(new FormData()));
  };
  return (
    <form onSubmit={press} className="panel needs-script">
      <h2 className="font-semibold">Recovery codes</h2>
      <p className="text-sm text-muted">
        {count === 0
          ? "You have none. Make some now: they let you in with your password when the authenticator app is lost."
          : `${count} still work. New ones replace them.`}
      </p>
      {codes !== null && (
        <div className="field" role="status">
          <p className="text-sm">
            Each works once. Keep them where nobody else reads. They are not shown again.
          </p>
          <code className="grid grid-cols-1 gap-x-6 font-mono sm:grid-cols-2" data-testid="recovery-codes">
            {codes.map((code) => (
              <span key={code}>{code}</span>
            ))}
          </code>
          <CopyButton
            id="copy-codes"
            text={codes.join("\n")}
            label="Copy the codes"
            spoken="Codes copied"
            words={WORDS}
          />
        </div>
      )}
      <ReadyButton className="button-quiet justify-self-start">Make recovery codes</ReadyButton>
    </form>
  );
}
