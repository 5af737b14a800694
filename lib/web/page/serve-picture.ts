/** Serves a stored WebP by the SHA-256 in its name, so that browsers may cache it forever. Not found if `find` has none. */
export async function servePicture(
  name: string,
  find: (hash: string) => Promise<Buffer | null>,
): Promise<Response> {
  const [, hash] = /^([0-9a-f]{64})\.webp$/.exec(name) ?? [];
  const bytes = hash === undefined ? null : await find(hash);
  if (bytes === null) return new Response(null, { status: 404, headers: { "cache-control": "no-store" } });
  return new Response(new Uint8Array(bytes), {
    headers: { "content-type": "image/webp", "cache-control": "public, max-age=31536000, immutable" },
  });
}
