import QRCode from "qrcode";

/** Light modules around the code, as the standard wants. */
const QUIET = 4;
/** Drawings kept: a page is rendered anew with every change of its link, and nearly always shows the same code again. */
const KEPT = 500;

interface Drawing {
  readonly side: number;
  readonly path: string;
}

const drawn = new Map<string, Drawing>();

/** `text` as an SVG, dark on white in every theme: many readers cannot take it inverted. */
export function QrCode({ text, label, className }: { text: string; label: string; className?: string }) {
  const { side, path } = drawing(text);
  return (
    <svg
      viewBox={`0 0 ${side} ${side}`}
      className={className}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={path} stroke="#000" />
    </svg>
  );
}

function drawing(text: string): Drawing {
  const kept = drawn.get(text);
  if (kept !== undefined) return kept;
  const { modules } = QRCode.create(text, { errorCorrectionLevel: "M" });
  const made = { side: modules.size + 2 * QUIET, path: strokes(modules) };
  const [oldest] = drawn.keys();
  if (drawn.size >= KEPT && oldest !== undefined) drawn.delete(oldest);
  drawn.set(text, made);
  return made;
}

/** A line one module thick through every horizontal run of dark modules, each begun from where the last one ended. */
function strokes({ size, data }: { size: number; data: Uint8Array }): string {
  let path = `M${QUIET} ${QUIET + 0.5}`;
  let [penX, penY] = [0, 0];
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (!data[y * size + x]) continue;
      const start = x;
      while (x < size && data[y * size + x]) x++;
      path += `m${start - penX} ${y - penY}h${x - start}`;
      [penX, penY] = [x, y];
    }
  }
  return path;
}
