import assert from "node:assert/strict";
import { after, test } from "node:test";
import { pino } from "pino";
import { PNG } from "pngjs";
import sharp from "sharp";
import { drawCard } from "#lib/platform/pictures/draw-card.ts";
import { loadCardFonts } from "#lib/platform/pictures/fonts.ts";
import { openPictures } from "#lib/platform/pictures/open-pictures.ts";
import type { LinkCard } from "#lib/platform/pictures/types.ts";

const logged: string[] = [];
const pictures = openPictures(pino({}, { write: (line: string) => logged.push(line) }));
after(() => pictures.close());

const CARD: LinkCard = {
  dir: "ltr",
  merchant: "Kola & Sons Electronics",
  price: "₦25,000.00 NGN",
  networks: "USDT: BNB Smart Chain (BEP20), TRON (TRC20) · BTC: Bitcoin",
  state: { text: "Waiting for payment", tone: "waiting" },
  test: null,
  logo: null,
  colors: { accent: "#3048d6", onAccent: "#ffffff", accentSoft: "#e9edff" },
};

let keys = 0;
async function draw(card: Partial<LinkCard>): Promise<PNG> {
  const drawing = await pictures.getPicture(String(keys++), async () => ({ ...CARD, ...card }));
  assert.ok(drawing.ok, logged.join(""));
  return PNG.sync.read(Buffer.from(drawing.png));
}

const at = ({ data, width }: PNG, x: number, y: number) => [
  ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3),
];

test("draws a card of 1200 × 630 with the merchant's color and logo", async () => {
  const webp = await sharp({ create: { width: 256, height: 256, channels: 4, background: "#0a6b43" } })
    .webp({ lossless: true })
    .toBuffer();
  const colors = { ...CARD.colors, accent: "#c81e1e" };
  const picture = await draw({ logo: webp, colors });
  assert.deepEqual([picture.width, picture.height], [1200, 630]);
  assert.deepEqual(at(picture, 600, 8), [0xc8, 0x1e, 0x1e]);
  assert.deepEqual(at(picture, 124, 124), [0x0a, 0x6b, 0x43]);
  assert.deepEqual(at(picture, 1190, 620), [255, 255, 255]);
});

test("draws the state, the price and the name", async () => {
  const plain = await draw({});
  const others = [
    { state: { text: "Payment complete", tone: "good" } },
    { price: "₦26,000.00 NGN" },
    { merchant: "Kaduna Coffee" },
    { networks: "BTC: Bitcoin" },
    { test: "Test payment" },
  ] as const;
  for (const other of others) {
    assert.notDeepEqual((await draw(other)).data, plain.data, JSON.stringify(other));
  }
  assert.deepEqual((await draw({ merchant: "Kola & Sons Electronics 🎉 東京" })).data, plain.data);
});

test("lays an Arabic card out from right to left", async () => {
  const webp = await sharp({ create: { width: 256, height: 256, channels: 4, background: "#0a6b43" } })
    .webp({ lossless: true })
    .toBuffer();
  const colors = { ...CARD.colors, accentSoft: "#ffd400" };
  const state = { text: "في انتظار الدفع", tone: "waiting" } as const;
  const picture = await draw({ dir: "rtl", logo: webp, colors, state, merchant: "متجر" });
  assert.deepEqual(at(picture, 1200 - 124, 124), [0x0a, 0x6b, 0x43]);
  assert.deepEqual(at(picture, 124, 124), [255, 255, 255]);
  // The state's pill ends at the right margin.
  const columns = (color: string) =>
    Array.from({ length: picture.width }, (_, x) => x).filter((x) => at(picture, x, 520).join() === color);
  assert.ok(columns("255,212,0").at(-1)! > 1_100 && columns("255,212,0")[0]! > 600);
  // So does the price, which begins at the left margin otherwise.
  const inked = (png: PNG, from: number, to: number) =>
    Array.from({ length: (to - from) * 120 }, (_, i) =>
      at(png, from + (i % (to - from)), 260 + Math.floor(i / (to - from))),
    ).filter(([red = 255]) => red < 128).length;
  assert.equal(inked(picture, 72, 200), 0);
  assert.ok(inked(await draw({}), 72, 200) > 0);
});

test("sends no request and does not fail, whatever the merchant's name is", async (t) => {
  const { fetch } = globalThis;
  const fetched: string[] = [];
  t.after(() => {
    globalThis.fetch = fetch;
  });
  globalThis.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!url.startsWith("data:")) fetched.push(url);
    return fetch(url.startsWith("data:") ? input : "data:,", init);
  };
  const { hasGlyph } = loadCardFonts();
  const points = Array.from({ length: 0xffff }, (_, point) => point).filter(hasGlyph);
  assert.ok(points.length > 1_000);
  // Every character that has a glyph in either weight.
  const text = (from: number, length: number) => String.fromCodePoint(...points.slice(from, from + length));
  for (let i = 0; i < points.length; i += 58) {
    const state = { text: text(i + 29, 29), tone: "good" } as const;
    await drawCard({ ...CARD, merchant: text(i, 58), networks: text(i, 58), state });
    i += 58;
    await drawCard({ ...CARD, price: text(i, 58), networks: text(i, 58) });
  }
  for (const merchant of ["", "東京 ☕ 💸", "متجر", "\u202eevil", "a".repeat(200), "<b>&amp;"]) {
    await drawCard({ ...CARD, merchant });
  }
  assert.deepEqual(fetched, []);
});
