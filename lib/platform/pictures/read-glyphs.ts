import { inflateSync } from "node:zlib";

/**
 * The code points that a WOFF font has a glyph for, from its table "cmap", format 4 (W3C "WOFF File Format
 * 1.0" and the OpenType specification). Throws for any other kind of font.
 */
export function readGlyphs(woff: Buffer): Set<number> {
  const table = findTable(woff, "cmap");
  const points = new Set<number>();
  for (let i = 0; i < table.readUInt16BE(2); i++) {
    const at = table.readUInt32BE(4 + i * 8 + 4);
    if (table.readUInt16BE(at) === 4) addSegments(table.subarray(at), points);
  }
  if (points.size === 0) throw new Error("the font has no character map in format 4");
  return points;
}

function findTable(woff: Buffer, name: string): Buffer {
  if (woff.toString("latin1", 0, 4) !== "wOFF") throw new Error("the file is not a WOFF font");
  for (let i = 0; i < woff.readUInt16BE(12); i++) {
    const entry = 44 + i * 20;
    if (woff.toString("latin1", entry, entry + 4) !== name) continue;
    const [offset, packed, length] = [4, 8, 12].map((at) => woff.readUInt32BE(entry + at)) as [
      number,
      number,
      number,
    ];
    const bytes = woff.subarray(offset, offset + packed);
    return packed < length ? inflateSync(bytes) : bytes;
  }
  throw new Error(`the font has no table ${name}`);
}

function addSegments(map: Buffer, points: Set<number>): void {
  const doubled = map.readUInt16BE(6);
  for (let segment = 0; segment < doubled; segment += 2) {
    const last = map.readUInt16BE(14 + segment);
    const first = map.readUInt16BE(16 + doubled + segment);
    const delta = map.readUInt16BE(16 + 2 * doubled + segment);
    const rangeAt = 16 + 3 * doubled + segment;
    const range = map.readUInt16BE(rangeAt);
    for (let point = first; point <= last && point < 0xffff; point++) {
      const glyph =
        range === 0 ? (point + delta) & 0xffff : map.readUInt16BE(rangeAt + range + 2 * (point - first));
      if (glyph !== 0) points.add(point);
    }
  }
}
