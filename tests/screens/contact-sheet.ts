import { globSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import sharp from "sharp";

const WIDTH = 360;
const HEIGHT = 900;
const LABEL = 28;
const COLUMNS = 8;
const GAP = 12;

/** Combines all pictures of a folder into one for people to look at: `<folder>.png` next to the folder. */
export async function contactSheet(folder: string): Promise<void> {
  const names = globSync("*.png", { cwd: folder }).sort();
  const cells = await Promise.all(names.map((name) => cell(join(folder, name), basename(name, ".png"))));
  const columns = Math.min(COLUMNS, cells.length);
  const rows = Math.ceil(cells.length / COLUMNS);
  await sharp({
    create: {
      width: columns * (WIDTH + GAP) + GAP,
      height: rows * (HEIGHT + LABEL + GAP) + GAP,
      channels: 3,
      background: "#808080",
    },
  })
    .composite(
      cells.flatMap(({ picture, label }, index) => {
        const left = GAP + (index % COLUMNS) * (WIDTH + GAP);
        const top = GAP + Math.floor(index / COLUMNS) * (HEIGHT + LABEL + GAP);
        return [
          { input: label, left, top },
          { input: picture, left, top: top + LABEL },
        ];
      }),
    )
    .png()
    .toFile(join(dirname(folder), `${basename(folder)}.png`));
}

/** A picture scaled to its cell, and cut off at the bottom if it is too long. */
async function cell(path: string, name: string): Promise<{ picture: Buffer; label: Buffer }> {
  const whole = await sharp(path).resize({ width: WIDTH }).toBuffer({ resolveWithObject: true });
  const height = Math.min(whole.info.height, HEIGHT);
  const picture = await sharp(whole.data).extract({ left: 0, top: 0, width: WIDTH, height }).toBuffer();
  const label = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${LABEL}">
      <text x="2" y="20" font-family="sans-serif" font-size="18" fill="#fff">${name}</text></svg>`,
  );
  return { picture, label };
}
