import QRCode from "qrcode";

/** Light modules around the code, required by the QR standard. */
const QUIET_ZONE = 4;
/**
 * Number of cached drawings. A page renders again with every change of its link, nearly always with the same
 * code.
 */
const CACHE_SIZE = 500;

interface Drawing {
  readonly side: number;
  readonly path: string;
}

const cache = new Map<string, Drawing>();

/** `text` as an SVG. Dark on white in every theme, because many readers cannot read an inverted code. */
export function QrCode({
  text,
  label,
  className,
  correction = "M",
}: {
  text: string;
  label: string;
  className?: string;
  /** L: fewer and larger squares, for long texts. */
  correction?: "L" | "M";
}) {
  const { side, path } = drawing(text, correction);
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

function drawing(text: string, correction: "L" | "M"): Drawing {
  const key = `${correction}${text}`;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const { modules } = QRCode.create(text, { errorCorrectionLevel: correction });
  const drawing = { side: modules.size + 2 * QUIET_ZONE, path: strokes(modules) };
  const [oldest] = cache.keys();
  if (cache.size >= CACHE_SIZE && oldest !== undefined) cache.delete(oldest);
  cache.set(key, drawing);
  return drawing;
}

/**
 * Draws a line one module thick through every horizontal run of dark modules, each relative to the end of
 * the last one.
 */
function strokes({ size, data }: { size: number; data: Uint8Array }): string {
  let path = `M${QUIET_ZONE} ${QUIET_ZONE + 0.5}`;
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
