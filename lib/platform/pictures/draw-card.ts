import { ImageResponse } from "next/og.js";
import sharp from "sharp";
import { CARD_HEIGHT, CARD_WIDTH, layOutCard } from "./card-layout.ts";
import { type CardFonts, loadCardFonts } from "./fonts.ts";
import type { LinkCard } from "./types.ts";

let loaded: CardFonts | null = null;

/** Draws a card as a PNG of 1200 × 630. Costs tens of milliseconds of its thread: for draw-thread.ts. */
export async function drawCard(card: LinkCard): Promise<Uint8Array> {
  loaded ??= loadCardFonts();
  const { fonts, family, hasGlyph } = loaded;
  const logo = card.logo === null ? null : await dataUrl(card.logo);
  const image = new ImageResponse(layOutCard(card, { family, hasGlyph, logo }), {
    ...{ width: CARD_WIDTH, height: CARD_HEIGHT },
    fonts,
  });
  return new Uint8Array(await image.arrayBuffer());
}

/** The drawing library knows no WebP. */
async function dataUrl(webp: Uint8Array): Promise<string> {
  const png = await sharp(webp).flatten({ background: "#ffffff" }).png().toBuffer();
  return `data:image/png;base64,${png.toString("base64")}`;
}
