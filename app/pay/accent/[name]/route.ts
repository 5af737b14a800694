import { readAccentSheet } from "#lib/domain/merchants/accent-sheet.ts";

/**
 * A merchant's color as a stylesheet. Its name changes with its content, so browsers may cache it forever.
 */
export async function GET(_request: Request, { params }: { params: Promise<{ name: string }> }) {
  const css = readAccentSheet((await params).name);
  if (css === null) return new Response(null, { status: 404, headers: { "cache-control": "no-store" } });
  return new Response(css, {
    headers: {
      "content-type": "text/css; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
    },
  });
}
