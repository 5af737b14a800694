/*! Paylink: tells a shop's page what the payment page says, in the words of BTCPay Server. MIT */
(() => {
  const page = document.querySelector("iframe");
  const { refid, lang } = document.body.dataset;
  const STATUSES = {
    open: "New",
    awaiting: "New",
    partial: "New",
    detected: "Processing",
    completed: "Settled",
    overpaid: "Settled",
    expired: "Expired",
    // Of a payment that was seen and was not final in time, and of one that was too small.
    failed: "Expired",
  };
  /** The page around this one. null: none. Not every browser says its origin, but the server has let only origins of the shop frame this page. */
  const shop = window.parent === window ? null : (location.ancestorOrigins?.[0] ?? "*");

  const tell = (message) => {
    if (shop) window.parent.postMessage(message, shop);
  };
  const leave = (url) => {
    if (shop) tell("close");
    else if (/^https?:/.test(url ?? "")) location.assign(url);
  };
  window.addEventListener("message", ({ data, origin, source }) => {
    if (source !== page.contentWindow || origin !== location.origin) return;
    if (data?.paylink !== 1 || data.refid !== refid) return;
    if (data.type === "ready") {
      page.contentWindow.postMessage({ paylink: 1, refid, type: "hello" }, location.origin);
      tell("loaded");
    }
    if (data.type === "ready" || data.type === "status") {
      const status = STATUSES[data.status];
      if (status && status !== "New") tell({ invoiceId: refid, status });
    }
    if (data.type === "outcome" || data.type === "close") leave(data.url);
  });
  const url = new URL(`/pay/${refid}`, location.origin);
  url.searchParams.set("parent", location.origin);
  if (lang) url.searchParams.set("lang", lang);
  page.src = url.href;
})();
