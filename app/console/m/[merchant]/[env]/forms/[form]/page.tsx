import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { frameOf } from "#app/console/m/frame.ts";
import { requireDesk } from "#app/console/session.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { FormEditor } from "#components/console/form-editor.tsx";
import { readNotice } from "#components/console/notices.ts";
import { CopyButton } from "#components/ui/buttons.tsx";
import { QrCode } from "#components/ui/qr-code.tsx";
import { may } from "#lib/domain/authority/role-rules.ts";
import { CURRENT_SCRIPT, formSnippet } from "#lib/domain/forms/snippet.ts";
import type { FormView } from "#lib/domain/forms/types.ts";
import { viewForm } from "#lib/domain/forms/view-form.ts";
import { isRefid } from "#lib/domain/payment-links/refid.ts";
import { getServices } from "#lib/web/services.ts";
import { editForm } from "../actions.ts";
import { showForm } from "../read-form.ts";
import { PosDevices } from "./pos-devices.tsx";

export const metadata: Metadata = { title: "Form" };

const WORDS = { copy: "Copy", copied: "Copied", failed: "Not copied" };

interface PageProps {
  params: Promise<{ merchant: string; env: string; form: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const { merchant, env, form: code } = await params;
  const desk = await requireDesk({ merchant, env }, "forms.view");
  const { config, database } = getServices();
  const owner = { merchantId: desk.workplace.merchantId, env: desk.env };
  const form = isRefid(code) ? await viewForm(database.db, config, code, owner) : null;
  if (form === null) notFound();
  const mayChange = may(desk.workplace.role, "forms.change") && form.archivedAt === null;
  const hidden = { merchant, env, form: code };
  return (
    <ConsoleFrame
      frame={frameOf(desk)}
      section="forms"
      title={form.title}
      notice={readNotice((await searchParams).notice)}
      actions={
        <a href={form.url} className="button-quiet" rel="noopener">
          Open the page
        </a>
      }
    >
      {form.archivedAt === null ? (
        <Share form={form} />
      ) : (
        <p className="panel text-sm">This form is closed.</p>
      )}
      <FormEditor
        key={form.updatedAt.getTime()}
        action={editForm}
        hidden={hidden}
        values={showForm(form, desk.workplace.timeZone)}
        currencies={null}
        timeZone={desk.workplace.timeZone}
        merchantName={desk.workplace.name}
        mayChange={mayChange}
      />
      <PosDevices form={form} hidden={hidden} mayChange={mayChange} />
      {mayChange && (
        <a href={`${desk.base}/forms/${code}/close`} className="button-quiet justify-self-start">
          Close the form
        </a>
      )}
    </ConsoleFrame>
  );
}

/** The ways to show the form to customers: its address, its QR code, and the button for a website. */
function Share({ form }: { form: FormView }) {
  const snippet = formSnippet(form, CURRENT_SCRIPT);
  return (
    <section className="panel sm:grid-cols-[auto_minmax(0,1fr)]" aria-label="Share">
      <QrCode text={form.url} label="QR code of the form" className="qr size-40" />
      <div className="grid min-w-0 content-start gap-3">
        <div className="field">
          <p className="min-w-0 text-sm">
            Its page
            <code className="block break-all">{form.url}</code>
          </p>
          <CopyButton
            id="copy-url"
            text={form.url}
            label="Copy the address"
            spoken="Address copied"
            words={WORDS}
          />
        </div>
        <div className="field">
          <p className="min-w-0 text-sm">
            A button for your website. Its address must be in the settings, under websites.
            <code className="block break-all whitespace-pre-wrap" data-testid="snippet">
              {snippet}
            </code>
          </p>
          <CopyButton
            id="copy-snippet"
            text={snippet}
            label="Copy the button"
            spoken="Button copied"
            words={WORDS}
          />
        </div>
      </div>
    </section>
  );
}
