import type { Texts } from "#components/checkout/texts.ts";
import { StayCurrent } from "#components/stay-current.tsx";
import { NoticeBox } from "#components/ui/notice-box.tsx";
import { PosFrame, type PosFrameProps } from "./pos-frame.tsx";
import type { DayList, SaleLine, SaleStatus } from "./pos-model.ts";
import { SaleForm } from "./sale-form.tsx";

interface PosPageProps extends PosFrameProps {
  deviceName: string;
  day: DayList;
  charge: (form: FormData) => Promise<void>;
  cancel: (form: FormData) => Promise<void>;
}

/** The keypad and the sales of the day. */
export function PosPage({ deviceName, day, charge, cancel, ...frame }: PosPageProps) {
  const { model, texts } = frame;
  const { closed } = model;
  const { amount, quantity } = texts.form;
  const { charge: button, erase, offline } = texts.pos;
  return (
    <PosFrame {...frame} title={deviceName}>
      <StayCurrent everyMs={30_000} atOnce />
      {closed === null ? (
        <SaleForm
          code={model.code}
          visit={model.visit}
          newest={day.sales[0]?.refid}
          lang={model.lang}
          price={model.price}
          currency={model.currency}
          decimals={model.step.includes(".")}
          suggestions={model.suggestions}
          maxQuantity={model.maxQuantity}
          texts={{
            amount: amount({ currency: model.currency }),
            quantity,
            charge: button,
            erase,
            offline,
            failed: texts.pageError.title,
          }}
          charge={charge}
        />
      ) : (
        <NoticeBox tone="warn" icon="alert">
          <strong>{closed === "closed" ? texts.form.closed.title : texts.form.soldOut.title}</strong>
        </NoticeBox>
      )}
      <Day day={day} texts={texts} code={model.code} lang={model.lang} cancel={cancel} />
    </PosFrame>
  );
}

const TONES: Readonly<Record<SaleStatus, string>> = {
  waiting: "bg-accent-soft text-accent",
  partPaid: "bg-warn-soft text-warn",
  onItsWay: "bg-accent-soft text-accent",
  paid: "bg-good-soft text-good",
  notPaid: "bg-bad-soft text-bad",
  canceled: "bg-page text-muted",
};

interface DayProps {
  day: DayList;
  texts: Texts;
  code: string;
  lang: string | null;
  cancel: PosPageProps["cancel"];
}

function Day({ day, texts, code, lang, cancel }: DayProps) {
  return (
    <section className="card gap-3 p-4 sm:gap-4 sm:p-6" aria-labelledby="today">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="today" className="font-semibold">
          {texts.pos.today}
        </h2>
        {day.paidCount > 0 && (
          <p className="text-sm text-muted tabular-nums">
            {texts.pos.paidToday({ count: day.paidCount, amount: day.paidAmount })}
          </p>
        )}
      </div>
      {day.count === 0 && <p className="text-sm text-muted">{texts.pos.nothingYet}</p>}
      <ul className="grid divide-y divide-line">
        {day.sales.map((sale) => (
          <li key={sale.refid} className="flex items-center gap-3 py-2">
            <SaleRow sale={sale} texts={texts} />
            {sale.status === "waiting" && (
              <form action={cancel}>
                <input type="hidden" name="form" value={code} />
                <input type="hidden" name="refid" value={sale.refid} />
                {lang !== null && <input type="hidden" name="lang" value={lang} />}
                <button type="submit" className="button-quiet">
                  {texts.pos.cancelSale}
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
      {day.count > day.sales.length && (
        <p className="text-sm text-muted">
          {texts.pos.newestShown({ shown: day.sales.length, count: day.count })}
        </p>
      )}
    </section>
  );
}

function SaleRow({ sale, texts }: { sale: SaleLine; texts: Texts }) {
  return (
    <a href={sale.path} className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1 py-1">
      <span className="text-sm text-muted tabular-nums">{sale.time}</span>
      <bdi className="font-semibold tabular-nums">{sale.amount}</bdi>
      <span
        className={`rounded-full border border-transparent px-2.5 py-0.5 text-xs font-semibold ${TONES[sale.status]}`}
      >
        {texts.pos.statuses[sale.status]}
      </span>
    </a>
  );
}
