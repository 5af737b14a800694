import { getServices } from "#lib/web/services.ts";

/** The keys that receipts are checked with, as a JSON Web Key Set (docs/integrate/receipts.md). */
export function GET() {
  return Response.json(getServices().receipts.publicKeys, {
    headers: { "cache-control": "public, max-age=300", "access-control-allow-origin": "*" },
  });
}
