import { findLogo } from "#lib/domain/merchants/queries.ts";
import { getServices } from "#lib/web/services.ts";

/** A merchant's logo by its hash, so browsers may cache it forever. Not found once no merchant uses it. */
export async function GET(_request: Request, { params }: { params: Promise<{ name: string }> }) {
  const [, hash] = /^([0-9a-f]{64})\.webp$/.exec((await params).name) ?? [];
  const bytes = hash === undefined ? null : await findLogo(getServices().database.db, hash);
  if (bytes === null) return new Response(null, { status: 404, headers: { "cache-control": "no-store" } });
  return new Response(new Uint8Array(bytes), {
    headers: { "content-type": "image/webp", "cache-control": "public, max-age=31536000, immutable" },
  });
}
