import QRCode from "qrcode";

/** Light modules around the code, as the standard wants. */
const QUIET = 4;

/** `text` as an SVG, dark on white in every theme: many readers cannot take it inverted. */
export function QrCode({ text, label, className }: { text: string; label: string; className?: string }) {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: "M" });
  const side = modules.size + 2 * QUIET;
  return (
    <svg
      viewBox={`0 0 ${side} ${side}`}
      className={className}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={outline(modules)} fill="#000" />
    </svg>
  );
}

/** One rectangle per horizontal run of dark modules. */
function outline({ size, data }: { size: number; data: Uint8Array }): string {
  let path = "";
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (!data[y * size + x]) continue;
      const start = x;
      while (x < size && data[y * size + x]) x++;
      path += `M${start + QUIET} ${y + QUIET}h${x - start}v1h-${x - start}z`;
    }
  }
  return path;
}
