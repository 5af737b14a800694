import { findFormPicture } from "#lib/domain/forms/queries.ts";
import { servePicture } from "#lib/web/page/serve-picture.ts";
import { getServices } from "#lib/web/services.ts";

/** The picture of a form. Not found once no form has it. */
export async function GET(_request: Request, { params }: { params: Promise<{ name: string }> }) {
  return servePicture((await params).name, (hash) => findFormPicture(getServices().database.db, hash));
}
