import type { Metadata } from "next";
import { frameOf } from "#app/console/m/frame.ts";
import { requireDesk } from "#app/console/session.ts";
import { ConsoleFrame } from "#components/console/console-frame.tsx";
import { FormEditor } from "#components/console/form-editor.tsx";
import { CURRENCIES } from "#lib/platform/money/currencies.ts";
import { editForm } from "../actions.ts";
import { showForm } from "../read-form.ts";

export const metadata: Metadata = { title: "New form" };

interface PageProps {
  params: Promise<{ merchant: string; env: string }>;
}

export default async function Page({ params }: PageProps) {
  const { merchant, env } = await params;
  const desk = await requireDesk({ merchant, env }, "forms.change");
  const { timeZone } = desk.workplace;
  return (
    <ConsoleFrame frame={frameOf(desk)} section="forms" title="New form">
      <FormEditor
        action={editForm}
        hidden={{ merchant, env }}
        values={showForm(null, timeZone)}
        currencies={Object.keys(CURRENCIES)}
        merchantName={desk.workplace.name}
        timeZone={timeZone}
        mayChange={true}
      />
    </ConsoleFrame>
  );
}
