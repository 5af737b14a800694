/** Title of the dialog, its way out, and the link where no frame comes up: by language, English first. */
const TEXTS: Record<string, readonly [title: string, close: string, link: string]> = {
  en: ["Payment", "Close", "Open the payment page"],
  fr: ["Paiement", "Fermer", "Ouvrir la page de paiement"],
  pt: ["Pagamento", "Fechar", "Abrir a página de pagamento"],
  es: ["Pago", "Cerrar", "Abrir la página de pago"],
  sw: ["Malipo", "Funga", "Fungua ukurasa wa malipo"],
  ar: ["الدفع", "إغلاق", "فتح صفحة الدفع"],
};

/** The script's own few words, in the language of a BCP 47 tag. The page has its own. */
export function widgetTexts(locale: string) {
  const code = locale.slice(0, 2);
  const [title, close, link] = TEXTS[code] ?? (TEXTS.en as (typeof TEXTS)[string]);
  return { title, close, link, dir: code === "ar" ? "rtl" : "ltr" };
}

/** Closed off from the shop's own styles by a shadow root, and set by script, which no style-src forbids. */
const STYLES = `
:host{all:initial;display:block;--page:#f3f5f9;--ink:#0f1729;--accent:#3048d6;color-scheme:light}
:host(.dark){--page:#0a0e17;--ink:#eef2fa;--accent:#9db0ff;color-scheme:dark}
div,dialog{box-sizing:border-box;display:grid;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
div{min-height:20rem}
dialog{position:fixed;inset:0;margin:auto;padding:0;border:0;width:100%;max-width:46rem;height:calc(100dvh - 4rem);max-height:54rem;grid-template-rows:auto 1fr;border-radius:1rem;overflow:hidden;overscroll-behavior:contain}
dialog:not([open]){display:none}
dialog::backdrop{background:#0009}
button{justify-self:end;width:3rem;height:3rem;border:0;background:0;color:inherit;font:1.75rem/1 system-ui,sans-serif;cursor:pointer}
:focus-visible{outline:3px solid var(--accent);outline-offset:-5px}
iframe,p{grid-area:1/1;width:100%;height:100%;margin:0;border:0}
dialog>iframe,dialog>p{grid-row:2}
iframe{visibility:hidden}
.ready>iframe{visibility:visible}
p{display:grid;place-content:center;justify-items:center}
.ready>p,a{display:none}
.late a{display:block;padding:.75rem 1.25rem;border-radius:.75rem;background:var(--accent);color:var(--page);font-weight:600;text-decoration:none}
p::before{content:"";width:2rem;height:2rem;border:4px solid var(--accent);border-top-color:#0000;border-radius:50%}
.late>p::before{display:none}
@media(prefers-reduced-motion:no-preference){p::before{animation:s 1s linear infinite}}
@keyframes s{to{transform:rotate(1turn)}}
@media(max-width:46rem){dialog{height:100dvh;max-height:none;border-radius:0;padding:env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left)}}
@media(forced-colors:active){dialog{border:1px solid}}
`;

let sheet: CSSStyleSheet | undefined;

/** Throws in a browser that knows no constructed style sheets. */
export function getStyleSheet(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
  }
  return sheet;
}
