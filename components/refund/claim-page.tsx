import { AddressText } from "#components/checkout/address-text.tsx";
import { LanguageSwitch } from "#components/checkout/language-switch.tsx";
import type { RefundNoticeCode } from "#components/checkout/notice-codes.ts";
import type { Texts } from "#components/checkout/texts.ts";
import { Announcer } from "#components/ui/announcer.tsx";
import { Icon, type IconName } from "#components/ui/icon.tsx";
import { MerchantBadge } from "#components/ui/merchant-badge.tsx";
import { NoticeBox } from "#components/ui/notice-box.tsx";
import type { LanguageCode } from "#lib/platform/languages/languages.ts";
import type { ClaimModel, RefundStage } from "./claim-model.ts";
import { LiveClaim } from "./live-claim.tsx";

const LOOKS: Readonly<Record<RefundStage, readonly [icon: IconName, colors: string]>> = {
  enter: ["wallet", "bg-accent-soft text-accent"],
  confirm: ["search", "bg-warn-soft text-warn"],
  pending: ["clock", "bg-accent-soft text-accent motion-safe:animate-pulse"],
  sending: ["send", "bg-accent-soft text-accent motion-safe:animate-pulse"],
  completed: ["check", "bg-good-soft text-good"],
  failed: ["alert", "bg-bad-soft text-bad"],
  revoked: ["cross", "bg-bad-soft text-bad"],
  expired: ["cross", "bg-bad-soft text-bad"],
};

/** Stages that nothing follows. */
const ENDED: ReadonlySet<RefundStage> = new Set(["completed", "failed", "revoked", "expired"]);

interface ClaimPageProps {
  model: ClaimModel;
  texts: Texts;
  /** The server action that sends the refund. */
  send: (form: FormData) => Promise<void>;
  notice: RefundNoticeCode | null;
  language: LanguageCode;
}

/** The whole page of a refund claim. It needs no scripts, which only make it follow the refund by itself. */
export function ClaimPage({ model, texts, send, notice, language }: ClaimPageProps) {
  const { stage, merchantName: merchant } = model;
  const [icon, colors] = LOOKS[stage];
  const title = texts.refund.titles[stage];
  const asks = stage === "enter" || stage === "confirm";
  return (
    <>
      {model.test && (
        <aside className="bg-warn-soft px-4 py-2 text-center text-sm font-medium text-warn forced-colors:border-b">
          {texts.testBanner}
        </aside>
      )}
      <main className="mx-auto my-3 w-full max-w-lg px-4 sm:my-8" data-stage={stage}>
        <div className="card">
          <Announcer text={title} />
          {!ENDED.has(stage) && <LiveClaim version={model.version} />}
          <Summary model={model} texts={texts} />
          <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2">
            <span
              className={`grid size-9 shrink-0 place-items-center rounded-full border border-transparent sm:size-12 ${colors}`}
            >
              <Icon name={icon} className="size-5" />
            </span>
            <h1 id="status" tabIndex={-1} className="text-xl/7 font-semibold tracking-tight">
              {title}
            </h1>
            <p className="col-span-2 text-muted">{texts.refund.explanations[stage]({ merchant })}</p>
          </div>
          {notice !== null && asks && (
            <NoticeBox tone="bad" icon="alert">
              <span role="alert" id="problem">
                {texts.refund.notices[notice]({ merchant, network: model.networkName })}
              </span>
            </NoticeBox>
          )}
          {(notice === "not_now" || (ENDED.has(stage) && stage !== "completed")) && (
            <Contact model={model} texts={texts} />
          )}
          {stage === "enter" && <EnterForm model={model} texts={texts} isRefused={notice !== null} />}
          {stage === "confirm" && <ConfirmForm model={model} texts={texts} send={send} />}
          {!asks && <Progress model={model} texts={texts} />}
          <Details model={model} texts={texts} />
        </div>
      </main>
      <footer className="mt-auto grid justify-items-center gap-4 px-4 pb-8 text-center text-xs text-muted">
        <LanguageSwitch model={model} texts={texts} language={language} />
        <p>{texts.footer}</p>
      </footer>
    </>
  );
}

/** The merchant who refunds, the amount that arrives, and the merchant's message. */
function Summary({ model, texts }: Pick<ClaimPageProps, "model" | "texts">) {
  const { stage, merchantName: merchant, note } = model;
  const asks = stage === "enter" || stage === "confirm";
  return (
    <div className="grid gap-3">
      <div className="flex items-center gap-3">
        <MerchantBadge model={model} />
        <p className="min-w-0">
          <span className="block text-sm text-muted">{texts.refund.from}</span>
          <bdi className="block font-semibold break-words">{merchant}</bdi>
        </p>
      </div>
      <p className="break-words">
        <bdi className="text-3xl/tight font-semibold tracking-tight tabular-nums" data-testid="amount">
          {model.amount}
        </bdi>{" "}
        <span className="text-muted">{texts.refund.onNetwork({ network: model.networkName })}</span>
      </p>
      {asks && <p className="text-sm text-muted">{texts.refund.wholeAmount({ merchant })}</p>}
      {note !== null && (
        <p className="rounded-xl bg-page px-4 py-3 text-sm break-words">
          <span className="sr-only">{texts.refund.message}: </span>
          <span dir="auto" className="block">
            {note}
          </span>
        </p>
      )}
    </div>
  );
}

/** The references of the refund, and the time until which an address can be entered. */
function Details({ model, texts }: Pick<ClaimPageProps, "model" | "texts">) {
  const asks = model.stage === "enter" || model.stage === "confirm";
  return (
    <dl className="facts border-t border-line pt-4">
      <div>
        <dt>{texts.reference}</dt>
        <dd className="font-medium break-all">
          <bdi>{model.reference}</bdi>
        </dd>
      </div>
      {asks && (
        <div>
          <dt>{texts.refund.validUntil}</dt>
          <dd className="font-medium">{model.expiresAt}</dd>
        </div>
      )}
    </dl>
  );
}

/** How to contact the merchant, wherever the page says so. */
function Contact({ model, texts }: Pick<ClaimPageProps, "model" | "texts">) {
  const { support, merchantName: merchant } = model;
  if (support === null) return null;
  const elsewhere = support.kind === "web" ? { target: "_blank", rel: "noreferrer" } : {};
  return (
    <p className="flex flex-wrap items-center gap-x-2 rounded-xl border border-line px-4 py-3 text-sm">
      <span className="text-muted">{texts.contactMerchant({ merchant })}</span>
      <a className="link py-0.5 font-semibold break-all text-ink" href={support.href} {...elsewhere}>
        <bdi dir="ltr">{support.label}</bdi>
      </a>
    </p>
  );
}

/** The first step. It changes nothing, so it is a plain form that asks for the page with the address. */
function EnterForm({
  model,
  texts,
  isRefused,
}: Pick<ClaimPageProps, "model" | "texts"> & { isRefused: boolean }) {
  return (
    <form className="grid gap-4">
      {model.lang !== null && <input type="hidden" name="lang" value={model.lang} />}
      <label className="block">
        <span className="label block">
          {texts.toAddress({ symbol: model.symbol, network: model.networkName })}
        </span>
        <input
          name="to"
          required
          dir="ltr"
          defaultValue={model.typed}
          maxLength={200}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          aria-invalid={isRefused || undefined}
          aria-describedby={isRefused ? "problem" : undefined}
          className="input font-mono"
        />
      </label>
      <button type="submit" className="button cursor-pointer">
        {texts.refund.check}
      </button>
    </form>
  );
}

/** The second step: the whole address once more, with the characters that people compare. */
function ConfirmForm({ model, texts, send }: Pick<ClaimPageProps, "model" | "texts" | "send">) {
  const { address, lang } = model;
  const back = lang === null ? "?" : `?${new URLSearchParams({ lang })}`;
  if (address === null) return null;
  return (
    <form action={send} className="grid gap-4">
      <input type="hidden" name="to" value={address} />
      {lang !== null && <input type="hidden" name="lang" value={lang} />}
      <p className="field text-lg">
        <AddressText text={address} />
      </p>
      <label className="flex items-start gap-3">
        <input type="checkbox" name="compared" value="yes" required className="mt-0.5 size-6 shrink-0" />
        <span>{texts.refund.compared}</span>
      </label>
      <button type="submit" className="button cursor-pointer">
        {texts.refund.send}
      </button>
      <a href={back} className="link justify-self-center px-2 py-1">
        {texts.refund.change}
      </a>
    </form>
  );
}

/** Where the refund goes, and its transaction. */
function Progress({ model, texts }: Pick<ClaimPageProps, "model" | "texts">) {
  const { address, txHash, transactionUrl } = model;
  if (address === null) return null;
  return (
    <dl className="facts">
      <div>
        <dt>{texts.refund.sentTo}</dt>
        <dd>
          <AddressText text={address} />
        </dd>
      </div>
      {txHash !== null && (
        <div>
          <dt>{texts.transaction}</dt>
          <dd>
            {transactionUrl === null ? (
              <bdi dir="ltr" className="font-mono break-all">
                {txHash}
              </bdi>
            ) : (
              <a
                href={transactionUrl}
                target="_blank"
                rel="noopener noreferrer"
                className="link font-mono break-all"
              >
                <bdi dir="ltr">{txHash}</bdi>
                <span className="sr-only"> {texts.newTab}</span>
              </a>
            )}
          </dd>
        </div>
      )}
    </dl>
  );
}
