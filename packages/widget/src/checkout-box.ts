import type { LinkOptions, WidgetLink } from "./link.ts";

/** The page is offered as a link if it has not reported "ready" after this time. */
const READY_MS = 10_000;
/**
 * The same, counted from the frame's load event, which a refused frame has too. By then a page has its scripts and only has to
 * run them. A page that takes longer still replaces the link.
 */
const LOADED_MS = 1_500;

/** The elements of one checkout: a frame, a placeholder until it is ready, and the dialog around them. */
export interface CheckoutBox {
  /** The only element in the shop's page. All others are in its shadow root. */
  host: HTMLElement;
  /** Null for a checkout within the shop's page. */
  dialog: HTMLDialogElement | null;
  /** Its class sets what is visible: "ready" the page, "late" why not and a link to it, otherwise a waiting indicator. */
  box: HTMLElement;
  frame: HTMLIFrameElement;
  /** Names the frame and the dialog, and shows the waiting indicator wherever the page is not visible. */
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

  const offerLink = () => {
    if (box.className) return;
    box.className = "late";
    wait.textContent = words.late;
    const out = add(wait, "a");
    out.href = link.url;
    out.target = "_top";
    out.textContent = words.link;
  };
  setTimeout(offerLink, READY_MS);
  frame.onload = () => setTimeout(offerLink, LOADED_MS);
  frame.allow = "clipboard-write";
  frame.src = link.frameUrl;
  const setTitle = (title: string) => {
    frame.title = title;
    dialog?.setAttribute("aria-label", title);
    wait.textContent = "";
    add(wait, "progress").setAttribute("aria-label", title);
  };
  setTitle(words.title);
  return { host, dialog, box, frame, setTitle };
}

/**
 * Title of the dialog, name of its close button, and if the frame does not load: why, and the text of the link. A script
 * cannot distinguish a refused frame from one that fails.
 */
const TEXTS: Record<string, readonly [title: string, close: string, late: string, link: string]> = {
  en: ["Payment", "Close", "The payment page is blocked or slow here.", "Open the payment page"],
  fr: ["Paiement", "Fermer", "La page de paiement est bloquée ou lente ici.", "Ouvrir la page de paiement"],
  pt: [
    "Pagamento",
    "Fechar",
    "A página de pagamento está bloqueada ou lenta aqui.",
    "Abrir a página de pagamento",
  ],
  es: ["Pago", "Cerrar", "La página de pago está bloqueada o va lenta aquí.", "Abrir la página de pago"],
  sw: ["Malipo", "Funga", "Ukurasa wa malipo umezuiwa au ni wa polepole hapa.", "Fungua ukurasa wa malipo"],
  ar: ["الدفع", "إغلاق", "صفحة الدفع محجوبة أو بطيئة هنا.", "فتح صفحة الدفع"],
};

/** The script's own texts in the language of a BCP 47 tag; English for other languages. The page has its own texts. */
export function widgetTexts(locale: string) {
  const code = locale.slice(0, 2);
  const [title, close, late, link] = TEXTS[code] ?? (TEXTS.en as (typeof TEXTS)[string]);
  return { title, close, late, link, dir: code === "ar" ? "rtl" : "ltr" };
}

/**
 * The shadow root keeps the shop's styles out. The style sheet is constructed by script, which no `style-src` forbids.
 */
const STYLES = `\
:host{all:initial;display:block;--page:#fff;--ink:#0f1729;--accent:#3048d6}\
:host(.dark){--page:#121826;--ink:#eef2fa;--accent:#9db0ff;color-scheme:dark}\
*{box-sizing:border-box}\
div,dialog{display:grid;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}\
div{min-height:20rem}\
dialog{width:100%;max-width:30rem;height:min(54rem,100dvh - 4rem);border:1px solid #0000;padding:0;border-radius:1rem;overflow:hidden;overscroll-behavior:none}\
dialog:not([open]){display:none}\
dialog::backdrop{background:#0009}\
button{place-self:start end;z-index:1;width:3rem;height:3rem;border:0;background:0;color:inherit;font-size:1.75rem;cursor:pointer}\
:focus-visible{outline:3px solid var(--accent);outline-offset:-5px}\
button,iframe,p{grid-area:1/1}\
iframe,p{width:100%;height:100%;border:0;margin:0}\
:not(.ready)>iframe,.ready>p{visibility:hidden}\
p{display:grid;place-content:center;gap:1rem;padding:1rem;text-align:center;accent-color:var(--accent)}\
a{padding:.75rem 1rem;border-radius:1rem;background:var(--accent);color:var(--page);text-decoration:none}\
@media(max-width:30rem){dialog{height:100dvh;max-height:none;border-radius:0;padding:env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left)}}\
`;
