/** A web origin as a content policy writes it. A `;` or a `,` in a host's name would begin another directive. */
const ORIGIN = /^https?:\/\/(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/;

/** What says who may show a link's page in a frame. */
export interface FramingTerms {
  readonly successUrl: string;
  readonly cancelUrl: string;
  /** The merchant's registered origins. */
  readonly allowOrigins: readonly string[];
}

/**
 * Origins that may frame a link's page besides the page's own: where its customer is sent on, and what the merchant
 * registered. Each once.
 */
export function framingOrigins({ successUrl, cancelUrl, allowOrigins }: FramingTerms): string[] {
  const named = [successUrl, cancelUrl, ...allowOrigins].flatMap((url) =>
    URL.canParse(url) ? [new URL(url).origin] : [],
  );
  return [...new Set(named)].filter((origin) => ORIGIN.test(origin));
}
