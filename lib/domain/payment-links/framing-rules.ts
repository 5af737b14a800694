/** A web origin for a content policy. A `;` or a `,` in a host name would start another directive. */
const ORIGIN = /^https?:\/\/(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/;

/**
 * The origins that may frame a link's page, without the page's own: those of its success and cancel URLs and the
 * merchant's registered origins. Without duplicates.
 */
export function framingOrigins({
  successUrl,
  cancelUrl,
  allowOrigins,
}: {
  readonly successUrl: string;
  readonly cancelUrl: string;
  readonly allowOrigins: readonly string[];
}): string[] {
  const origins = [successUrl, cancelUrl, ...allowOrigins].flatMap((url) =>
    URL.canParse(url) ? [new URL(url).origin] : [],
  );
  return [...new Set(origins)].filter((origin) => ORIGIN.test(origin));
}
