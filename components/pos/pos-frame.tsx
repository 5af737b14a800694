import type { ReactNode } from "react";
import { LanguageSwitch } from "#components/checkout/language-switch.tsx";
import type { PosNoticeCode } from "#components/checkout/notice-codes.ts";
import type { Texts } from "#components/checkout/texts.ts";
import type { FormModel } from "#components/form/form-model.ts";
import { MerchantBadge } from "#components/ui/merchant-badge.tsx";
import { NoticeBox } from "#components/ui/notice-box.tsx";
import type { LanguageCode } from "#lib/platform/languages/languages.ts";

export interface PosFrameProps {
  model: FormModel;
  texts: Texts;
  notice: PosNoticeCode | null;
  language: LanguageCode;
}

/** The frame of every page of a point of sale: the merchant, the notice and the languages. */
export function PosFrame({
  model,
  texts,
  notice,
  language,
  title,
  children,
}: PosFrameProps & { title: string; children: ReactNode }) {
  return (
    <>
      {model.test && (
        <aside className="bg-warn-soft px-4 py-1 text-center text-sm font-medium text-warn forced-colors:border-b">
          {texts.testBanner}
        </aside>
      )}
      <main className="mx-auto my-3 grid w-full max-w-md gap-3 px-3 sm:my-6 sm:gap-4">
        <div className="flex items-center gap-3">
          <MerchantBadge model={model} />
          <div className="min-w-0">
            <h1 className="font-semibold break-words">
              <bdi>{title}</bdi>
            </h1>
            <p className="text-sm break-words text-muted">
              <bdi>{model.title}</bdi>
            </p>
          </div>
        </div>
        {notice !== null && (
          <NoticeBox tone="bad" icon="alert">
            <span role="alert">{texts.pos.notices[notice]}</span>
          </NoticeBox>
        )}
        {children}
      </main>
      <footer className="mt-auto grid justify-items-center px-4 pb-4">
        <LanguageSwitch model={model} texts={texts} language={language} />
      </footer>
    </>
  );
}
