import { findLogo } from "#lib/domain/merchants/queries.ts";
import { servePicture } from "#lib/web/page/serve-picture.ts";
import { getServices } from "#lib/web/services.ts";

/** A merchant's logo. Not found once no merchant uses it. */
export async function GET(_request: Request, { params }: { params: Promise<{ name: string }> }) {
  return servePicture((await params).name, (hash) => findLogo(getServices().database.db, hash));
}
