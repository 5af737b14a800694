import type { LinkOptions, WidgetLink } from "./link.ts";

/** The page is offered as a link if it has not reported "ready" after this time. */
const READY_MS = 10_000;
/** The same, counted from the frame's load event. A frame that the browser refuses loads nothing more. */
const LOADED_MS = 4_000;

/** The elements of one checkout: a frame, a placeholder until it is ready, and the dialog around them. */
export interface CheckoutBox {
  /** The only element in the shop's page. All others are in its shadow root. */
  host: HTMLElement;
  /** Null for a checkout within the shop's page. */
  dialog: HTMLDialogElement | null;
  /** Its class sets what is visible: "ready" the page, "late" a link to the page, otherwise a waiting indicator. */
  box: HTMLElement;
  frame: HTMLIFrameElement;
  setTitle(title: string): void;
}

function add<K extends keyof HTMLElementTagNameMap>(to: ParentNode, name: K): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  to.append(element);
  return element;
}

/** Builds all elements by script. The shop's content security policy then needs to allow only the frame's origin. */
export function createCheckoutBox(
  link: WidgetLink,
  { locale, theme }: LinkOptions,
  modal: boolean,
): CheckoutBox {
  const words = widgetTexts(locale || navigator.language);
  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES);
  root.adoptedStyleSheets = [sheet];
  const dark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme:dark)").matches);
  if (dark) host.className = "dark";
  const dialog = modal ? add(root, "dialog") : null;
  const box = dialog ?? add(root, "div");
  box.dir = words.dir;
  if (dialog) {
    const button = add(dialog, "button");
    button.textContent = "×";
    button.setAttribute("aria-label", words.close);
    button.onclick = () => dialog.close();
  }
  const frame = add(box, "iframe");
  const wait = add(box, "p");
  wait.setAttribute("role", "status");
  const out = add(wait, "a");
  out.href = link.url;
  out.target = "_top";

  const offerLink = () => {
    if (box.className) return;
    box.className = "late";
    out.textContent = words.link;
  };
  let timer = setTimeout(offerLink, READY_MS);
  frame.onload = () => {
    clearTimeout(timer);
    timer = setTimeout(offerLink, LOADED_MS);
  };
  frame.allow = "clipboard-write";
  frame.src = link.frameUrl;
  const setTitle = (title: string) => {
    frame.title = title;
    dialog?.setAttribute("aria-label", title);
  };
  setTitle(words.title);
  return { host, dialog, box, frame, setTitle };
}

/** Title of the dialog, name of its close button, and text of the link if the frame does not load, per language. */
const TEXTS: Record<string, readonly [title: string, close: string, link: string]> = {
  en: ["Payment", "Close", "Open the payment page"],
  fr: ["Paiement", "Fermer", "Ouvrir la page de paiement"],
  pt: ["Pagamento", "Fechar", "Abrir a página de pagamento"],
  es: ["Pago", "Cerrar", "Abrir la página de pago"],
  sw: ["Malipo", "Funga", "Fungua ukurasa wa malipo"],
  ar: ["الدفع", "إغلاق", "فتح صفحة الدفع"],
};

/** The script's own texts in the language of a BCP 47 tag; English for other languages. The page has its own texts. */
export function widgetTexts(locale: string) {
  const code = locale.slice(0, 2);
  const [title, close, link] = TEXTS[code] ?? (TEXTS.en as (typeof TEXTS)[string]);
  return { title, close, link, dir: code === "ar" ? "rtl" : "ltr" };
}

/**
 * The shadow root keeps the shop's styles out. The style sheet is constructed by script, which no `style-src` forbids.
 */
const STYLES = `\
:host{all:initial;display:block;--page:#f3f5f9;--ink:#0f1729;--accent:#3048d6;color-scheme:light}\
:host(.dark){--page:#0a0e17;--ink:#eef2fa;--accent:#9db0ff;color-scheme:dark}\
div,dialog{box-sizing:border-box;display:grid;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}\
div{min-height:20rem}\
dialog{position:fixed;inset:0;width:100%;max-width:46rem;height:calc(100dvh - 4rem);max-height:54rem;margin:auto;border:0;padding:0;grid-template-rows:auto 1fr;border-radius:1rem;overflow:hidden;overscroll-behavior:contain}\
dialog:not([open]){display:none}\
dialog::backdrop{background:#0009}\
button{justify-self:end;width:3rem;height:3rem;border:0;background:0;color:inherit;font:1.75rem/1 system-ui,sans-serif;cursor:pointer}\
:focus-visible{outline:3px solid var(--accent);outline-offset:-5px}\
iframe,p{grid-area:1/1;width:100%;height:100%;border:0;margin:0}\
dialog>iframe,dialog>p{grid-row:2}\
:not(.ready)>iframe{visibility:hidden}\
p{display:grid;place-content:center;place-items:center}\
.ready>p,a{display:none}\
.late a{display:block;padding:.75rem 1.25rem;border-radius:.75rem;background:var(--accent);color:var(--page);font-weight:600;text-decoration:none}\
:not(.late)>p::before{content:"";width:2rem;height:2rem;border:4px solid var(--accent);border-top-color:#0000;border-radius:50%}\
@media(prefers-reduced-motion:no-preference){p::before{animation:s 1s linear infinite}}\
@keyframes s{to{transform:rotate(1turn)}}\
@media(max-width:46rem){dialog{height:100dvh;max-height:none;border-radius:0;padding:env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left)}}\
@media(forced-colors:active){dialog{border:1px solid}}\
`;
