import { ImageResponse } from "next/og.js";
import sharp from "sharp";
import { cardElement, HEIGHT, WIDTH } from "./card-element.ts";
import { type Fonts, loadFonts } from "./fonts.ts";
import type { Card } from "./types.ts";

let loaded: Fonts | null = null;

/** Draws a card as a PNG of 1200 × 630. Costs tens of milliseconds of its thread: for draw-thread.ts. */
export async function drawCard(card: Card): Promise<Uint8Array> {
  loaded ??= loadFonts();
  const { fonts, family, has } = loaded;
  const logo = card.logo === null ? null : await dataUrl(card.logo);
  const image = new ImageResponse(cardElement(card, { family, has, logo }), {
    ...{ width: WIDTH, height: HEIGHT },
    fonts,
  });
  return new Uint8Array(await image.arrayBuffer());
}

/** The drawing library knows no WebP. */
async function dataUrl(webp: Uint8Array): Promise<string> {
  const png = await sharp(webp).flatten({ background: "#ffffff" }).png().toBuffer();
  return `data:image/png;base64,${png.toString("base64")}`;
}
