import { LANGUAGE_CODES, type LanguageCode, languageData } from "#lib/platform/languages/languages.ts";
import type { CheckoutModel } from "./checkout-model.ts";
import type { Texts } from "./texts.ts";

interface SwitchProps {
  model: Pick<CheckoutModel, "pair" | "widgetParams"> & { readonly choosing?: boolean };
  texts: Texts;
  language: LanguageCode;
}

/** Plain links to the page in other languages. They keep the chosen pair. */
export function LanguageSwitch({ model, texts, language }: SwitchProps) {
  return (
    <nav aria-label={texts.language}>
      <ul className="flex flex-wrap justify-center">
        {LANGUAGE_CODES.map((code) => {
          const { name, dir } = languageData(code);
          const here = code === language;
          return (
            <li key={code}>
              <a
                href={`?${addressFor(code, model)}`}
                lang={code}
                hrefLang={code}
                dir={dir}
                aria-current={here ? "true" : undefined}
                className={`inline-block px-2 py-1 text-sm ${here ? "font-semibold text-ink" : "link"}`}
              >
                {name}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function addressFor(lang: LanguageCode, { pair, choosing, widgetParams }: SwitchProps["model"]): string {
  return new URLSearchParams({ ...pair, ...(choosing && { choose: "1" }), ...widgetParams, lang }).toString();
}
