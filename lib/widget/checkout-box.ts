import type { LinkOptions, WidgetLink } from "./link.ts";

/** A page that has not spoken by then is offered as a link. */
const READY_MS = 10_000;
/** The same once its frame has loaded: a refused one has nothing more to come. */
const LOADED_MS = 4_000;

/** What is seen of one checkout: a frame, what stands in its place until it is ready, and the dialog around them. */
export interface CheckoutBox {
  /** In the shop's page; all else is in its shadow. */
  host: HTMLElement;
  /** null: it stands in the page. */
  dialog: HTMLDialogElement | null;
  frame: HTMLIFrameElement;
  /** The page, or what waits for it. */
  show(what: "ready" | "waiting"): void;
  setTitle(title: string): void;
}

function add<K extends keyof HTMLElementTagNameMap>(to: ParentNode, name: K): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  to.append(element);
  return element;
}

/** Built by script throughout, so that it needs nothing of the shop's content policy but the frame's origin. */
export function createCheckoutBox(
  link: WidgetLink,
  { locale, theme }: LinkOptions,
  modal: boolean,
): CheckoutBox {
  const words = widgetTexts(locale || navigator.language);
  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [getStyleSheet()];
  const dark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme:dark)").matches);
  host.className = dark ? "dark" : "";
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

  let timer: ReturnType<typeof setTimeout>;
  const lateIn = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (box.className) return;
      box.className = "late";
      out.textContent = words.link;
    }, ms);
  };
  lateIn(READY_MS);
  frame.onload = () => lateIn(LOADED_MS);
  frame.allow = "clipboard-write";
  frame.src = link.frameUrl;
  const setTitle = (title: string) => {
    frame.title = title;
    dialog?.setAttribute("aria-label", title);
  };
  setTitle(words.title);
  return { host, dialog, frame, show: (what) => (box.className = what), setTitle };
}

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
function getStyleSheet(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
  }
  return sheet;
}
