/**
 * The look that the payment page, the console, mails, link previews and the widget share. Mails and pictures read it. Stylesheets
 * and the widget cannot: they repeat it, and a test compares them.
 */

/** Named like the variables of app/globals.css. */
export const COLORS = {
  light: {
    page: "#f3f5f9",
    card: "#ffffff",
    ink: "#0f1729",
    muted: "#55617a",
    line: "#dfe4ed",
    accent: "#3048d6",
    "accent-strong": "#2438b0",
    "accent-soft": "#e9edff",
    "on-accent": "#ffffff",
    good: "#0a6b43",
    "good-soft": "#e2f5eb",
    warn: "#7c4a03",
    "warn-soft": "#fff3da",
    bad: "#a8231c",
    "bad-soft": "#fdebe9",
  },
  dark: {
    page: "#0a0e17",
    card: "#121826",
    ink: "#eef2fa",
    muted: "#a2aec4",
    line: "#28324a",
    accent: "#9db0ff",
    "accent-strong": "#b8c6ff",
    "accent-soft": "#1d2747",
    "on-accent": "#0c1330",
    good: "#62d9a3",
    "good-soft": "#10291f",
    warn: "#f6c66f",
    "warn-soft": "#2c220f",
    bad: "#ff9f97",
    "bad-soft": "#351918",
  },
} as const;

/** Font families of texts and of codes. */
export const FONTS = {
  sans: 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Ubuntu, sans-serif',
  mono: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
} as const;

/** Pixels of a rem, in which the stylesheets measure. */
export const REM = 16;

/** Sizes of texts with the heights of their lines, in pixels. */
export const TYPE = {
  xs: [12, 16],
  sm: [14, 20],
  base: [16, 24],
  lg: [18, 28],
  xl: [20, 28],
  "2xl": [24, 32],
  "3xl": [30, 36],
  "4xl": [36, 40],
} as const;

/** Every distance is a multiple of this many pixels. */
export const SPACE = 4;

/** Roundings of corners, in pixels: of small things, buttons, fields, panels, and the page's card. */
export const RADIUS = { md: 6, lg: 8, xl: 12, "2xl": 16, "3xl": 24 } as const;
