import { ImageResponse } from "next/og.js";
import sharp from "sharp";
import { CARD_HEIGHT, CARD_WIDTH, layOutCard } from "./card-layout.ts";
import { type CardFonts, loadCardFonts } from "./fonts.ts";
import type { LinkCard } from "./types.ts";

let cardFonts: CardFonts | null = null;

/**
 * Draws a card as a PNG of 1200 × 630. Blocks its thread for tens of milliseconds, so draw-thread.ts calls
 * it.
 */
export async function drawCard(card: LinkCard): Promise<Uint8Array> {
  cardFonts ??= loadCardFonts();
  const { fonts, family, hasGlyph } = cardFonts;
  const logo = card.logo === null ? null : await toPngDataUrl(card.logo);
  const image = new ImageResponse(layOutCard(card, { family, hasGlyph, logo }), {
    width: CARD_WIDTH,
    height: CARD_HEIGHT,
    fonts,
  });
  return new Uint8Array(await image.arrayBuffer());
}

/** Converts to PNG, because the drawing library does not read WebP. */
async function toPngDataUrl(webp: Uint8Array): Promise<string> {
  const png = await sharp(webp).flatten({ background: "#ffffff" }).png().toBuffer();
  return `data:image/png;base64,${png.toString("base64")}`;
}
