"use client";

import { unstable_rethrow } from "next/navigation";
import { useOffline } from "next/offline";
import { useActionState, useEffect, useRef, useState } from "react";
import { useReady } from "#components/use-ready.ts";

interface SaleFormProps {
  code: string;
  /** The key of this sale, so that what is sent again after a lost answer is sold once. One stays until there is a newer sale. */
  visit: string;
  /** The refid of the device's newest sale. */
  newest: string | undefined;
  lang: string | null;
  /** The price of one unit. null: it is entered. */
  price: string | null;
  currency: string;
  /** True if the currency has decimals. */
  decimals: boolean;
  suggestions: readonly string[];
  maxQuantity: number;
  texts: Readonly<Record<"amount" | "quantity" | "charge" | "erase" | "offline" | "failed", string>>;
  charge: (form: FormData) => Promise<void>;
}

const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", ".", "0", "⌫"] as const;

/**
 * The sale that the cashier enters. Without a connection Next sends it again once it is back, with the same key. The entries
 * stay, also when the server fails.
 */
export function SaleForm(props: SaleFormProps) {
  const { texts, charge, price, maxQuantity, newest } = props;
  const [amount, quantity] = [useTyped(""), useTyped("1")];
  const [sale, setSale] = useState({ newest, visit: props.visit });
  const isOffline = useOffline();
  const [hasFailed, submit, isSending] = useActionState(async (_: boolean, form: FormData) => {
    try {
      await charge(form);
      return false;
    } catch (error) {
      unstable_rethrow(error);
      return true;
    }
  }, false);
  // The newest sale may be the one whose answer was lost: its key stays, so that it is not sold again.
  if (newest !== sale.newest) setSale({ newest, visit: hasFailed || isSending ? sale.visit : props.visit });
  return (
    <form action={submit} className="card gap-3 p-4 sm:gap-4 sm:p-6">
      <input type="hidden" name="form" value={props.code} />
      <input type="hidden" name="visit" value={sale.visit} />
      {props.lang !== null && <input type="hidden" name="lang" value={props.lang} />}
      {price === null ? (
        <Keypad {...props} typed={amount} />
      ) : (
        <p className="text-center text-3xl font-semibold tabular-nums">
          <bdi>{price}</bdi>
        </p>
      )}
      {maxQuantity > 1 && (
        <label className="block">
          <span className="label block">{texts.quantity}</span>
          <input
            ref={quantity.field}
            required
            name="quantity"
            type="number"
            min={1}
            max={maxQuantity}
            step={1}
            value={quantity.value}
            onChange={(event) => quantity.set(event.target.value)}
            className="input text-center text-xl"
          />
        </label>
      )}
      {(hasFailed || (isOffline && isSending)) && (
        <p role="alert" className="text-center text-sm font-medium text-bad">
          {isOffline ? texts.offline : texts.failed}
        </p>
      )}
      <button
        type="submit"
        className="button cursor-pointer text-lg disabled:opacity-50"
        disabled={isSending}
      >
        {texts.charge}
      </button>
    </form>
  );
}

/** The value of a field that can be typed into before the page's script runs: React would replace it by `start`. */
function useTyped(start: string) {
  const field = useRef<HTMLInputElement>(null);
  const [value, set] = useState(start);
  useEffect(() => set(field.current?.value ?? start), [start]);
  return { field, value, set };
}

interface KeypadProps extends SaleFormProps {
  typed: ReturnType<typeof useTyped>;
}

/** The keys of an amount. They wait for the page's script: a digit that is pressed before it would be missing from the amount. */
function Keypad({ typed, currency, decimals, suggestions, texts }: KeypadProps) {
  const isReady = useReady();
  const { field, value: amount, set: setAmount } = typed;
  const press = (key: string) => setAmount(key === "⌫" ? amount.slice(0, -1) : amount + key);
  return (
    <>
      <label className="block">
        <span className="label block text-center">{texts.amount}</span>
        <input
          ref={field}
          required
          name="amount"
          // The keypad below is larger than the phone's own.
          inputMode="none"
          autoComplete="off"
          dir="ltr"
          pattern={decimals ? "[0-9]*[.]?[0-9]*" : "[0-9]+"}
          placeholder="0"
          aria-label={`${texts.amount} ${currency}`}
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
          className="input text-center text-4xl font-semibold tabular-nums"
        />
      </label>
      {suggestions.length > 0 && (
        <div className="flex flex-wrap justify-center gap-2">
          {suggestions.map((suggestion) => (
            <button
              key={suggestion}
              type="button"
              className="button-quiet disabled:opacity-30"
              disabled={!isReady}
              onClick={() => setAmount(suggestion)}
            >
              {suggestion}
            </button>
          ))}
        </div>
      )}
      <div dir="ltr" className="grid grid-cols-3 gap-2">
        {KEYS.map((key) => (
          <button
            key={key}
            type="button"
            aria-label={key === "⌫" ? texts.erase : undefined}
            disabled={!isReady || (key === "." && (!decimals || amount.includes(".")))}
            className="min-h-13 cursor-pointer rounded-xl border border-line text-2xl font-semibold hover:border-accent disabled:opacity-30"
            onClick={() => press(key)}
          >
            {key}
          </button>
        ))}
      </div>
    </>
  );
}
