import { type CheckoutOutcome, createPaylink, type LinkStatus } from "@paylink/widget";
import { PaylinkButton, PaylinkCheckout } from "@paylink/widget/react";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const LINK = "https://pay.example/pay/FkoNcGetqqBJUU5Xo4A6gN";

async function open(): Promise<CheckoutOutcome> {
  return await createPaylink(LINK).open(LINK, { redirect: false, theme: "auto" });
}

function Shop() {
  const [status, setStatus] = useState<LinkStatus | null>(null);
  return (
    <main>
      <p>{status}</p>
      <button type="button" onClick={() => void open().then((outcome) => setStatus(outcome.status))}>
        Pay
      </button>
      <PaylinkButton link={LINK} className="pay" onClose={(outcome) => setStatus(outcome.status)}>
        Pay
      </PaylinkButton>
      <PaylinkCheckout link={LINK} onStatus={setStatus} />
    </main>
  );
}

const place = document.getElementById("shop");
if (place !== null) createRoot(place).render(<Shop />);
