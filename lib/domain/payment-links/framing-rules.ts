/** A web origin for a content policy. A `;` or a `,` in a host name would start another directive. */
const ORIGIN = /^https?:\/\/(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/;

/** The origin of a web address, as a content policy can have it. null: it has none. */
export function findWebOrigin(url: string): string | null {
  const origin = URL.canParse(url) ? new URL(url).origin : "";
  return ORIGIN.test(origin) ? origin : null;
}

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
  return [...new Set([successUrl, cancelUrl, ...allowOrigins].flatMap((url) => findWebOrigin(url) ?? []))];
}
