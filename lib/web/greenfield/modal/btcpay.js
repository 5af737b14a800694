/*! Paylink: shows an invoice on top of a shop's page, for plugins that know the modal window of BTCPay Server. MIT */
(() => {
  if (window.btcpay) return;

  const PATH = "/modal/btcpay.js";
  const source = document.currentScript?.src ?? "";
  /** URL of the server, without a slash at the end. */
  let prefix = source.split(/[?#]/)[0].endsWith(PATH) ? source.slice(0, source.lastIndexOf(PATH)) : "";
  /** True from the invoice's request until the frame is hidden. */
  let isShowing = false;
  let willEnter = () => {};
  let willLeave = () => {};
  let receive = () => {};

  const frame = document.createElement("iframe");
  frame.name = "btcpay";
  frame.className = "btcpay";
  frame.title = "Payment";
  frame.allow = "clipboard-write";
  Object.assign(frame.style, {
    display: "none",
    position: "fixed",
    inset: "0",
    width: "100%",
    height: "100%",
    border: "0",
    zIndex: "2147483000",
  });

  function showFrame() {
    if (!frame.isConnected) document.body.append(frame);
    willEnter();
    frame.style.display = "block";
  }

  function hideFrame() {
    willLeave();
    frame.style.display = "none";
    isShowing = false;
    frame.remove();
  }

  /** Loads an invoice. Its page asks for the frame to be shown once it is ready. */
  function appendInvoiceFrame(invoiceId, params) {
    isShowing = true;
    const url = new URL(`${prefix}/invoice`);
    url.searchParams.set("id", invoiceId);
    url.searchParams.set("view", "modal");
    // A plugin may name the method of the payment, by itself or among other parameters.
    const method = typeof params === "string" ? params : params?.paymentMethodId;
    if (method) url.searchParams.set("paymentMethodId", method);
    document.body.append(frame);
    frame.src = url.href;
  }

  function appendAndShowInvoiceFrame(invoiceId, params) {
    appendInvoiceFrame(invoiceId, params);
    showFrame();
  }

  window.addEventListener("message", (event) => {
    if (!isShowing || event.source !== frame.contentWindow || event.origin !== new URL(prefix).origin) return;
    if (event.data === "loaded") showFrame();
    if (event.data === "close") hideFrame();
    receive(event);
  });
  for (const form of document.querySelectorAll("[data-btcpay-button]"))
    form.addEventListener("submit", showFrame);

  window.btcpay = {
    showFrame,
    hideFrame,
    appendInvoiceFrame,
    showInvoice: appendInvoiceFrame,
    appendAndShowInvoiceFrame,
    onModalWillEnter: (work) => {
      willEnter = work;
    },
    onModalWillLeave: (work) => {
      willLeave = work;
    },
    onModalReceiveMessage: (work) => {
      receive = work;
    },
    setApiUrlPrefix: (url) => {
      prefix = url.replace(/\/+$/, "");
    },
  };
})();
