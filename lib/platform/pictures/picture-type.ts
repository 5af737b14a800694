/** True if the file starts like a PNG, JPEG or WebP. */
export function isPicture(file: Buffer): boolean {
  const at = (from: number, to: number) => file.toString("latin1", from, to);
  const webp = at(0, 4) === "RIFF" && at(8, 12) === "WEBP";
  return webp || at(0, 3) === "\xff\xd8\xff" || at(0, 8) === "\x89PNG\r\n\x1a\n";
}
