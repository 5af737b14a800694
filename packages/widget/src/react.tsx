"use client"; // A page of a server, as in Next, can use the components without a file of its own.

import { type ComponentProps, useEffect, useRef } from "react";
import { type CheckoutOptions, createPaylink } from "./paylink.ts";

type Button = Omit<ComponentProps<"button">, "onClick" | "type">;

export interface PaylinkButtonProps extends CheckoutOptions, Button {
  /** The `payment_link` of the link. */
  link: string;
}

/** A button that opens a payment link's page in a dialog. */
export function PaylinkButton(props: PaylinkButtonProps) {
  const { link, locale, theme, redirect, onStatus, onClose, ...button } = props;
  const open = () => {
    createPaylink(link).open(link, { locale, theme, redirect, onStatus, onClose });
  };
  return <button {...button} type="button" onClick={open} />;
}

export interface PaylinkCheckoutProps extends CheckoutOptions {
  /** The `payment_link` of the link. */
  link: string;
  className?: string | undefined;
}

/** A payment link's page within the shop's page, as high as its content. */
export function PaylinkCheckout({ link, className, ...options }: PaylinkCheckoutProps) {
  const { locale, theme } = options;
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(options);

  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => {
    if (place.current === null) return;
    const checkout = createPaylink(link).mount(place.current, link, {
      locale,
      theme,
      ...(latest.current.redirect === undefined ? {} : { redirect: latest.current.redirect }),
      onStatus: (status, refid) => latest.current.onStatus?.(status, refid),
      onClose: (outcome) => latest.current.onClose?.(outcome),
    });
    return () => checkout.close();
  }, [link, locale, theme]);

  return <div ref={place} className={className} />;
}
