import type { LinkOptions, WidgetLink } from "./link.ts";
import { getStyleSheet, widgetTexts } from "./look.ts";

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
