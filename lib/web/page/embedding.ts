/** How a page is shown, as its address asks: what the widget adds to it. */
export interface Embedding {
  /** Origin of the page that holds the frame; null: none was named, or one that may not. */
  readonly parent: string | null;
  /** null: whatever the visitor's system prefers. */
  readonly theme: "light" | "dark" | null;
}

/**
 * `?parent=` and `?theme=` of an address. A parent counts when it may frame the page, so that the page speaks to nobody
 * else; it is compared letter for letter.
 */
export function parseEmbedding(path: string, mayFrame: readonly string[]): Embedding {
  const at = path.indexOf("?");
  const query = new URLSearchParams(at < 0 ? "" : path.slice(at + 1));
  const parent = query.get("parent");
  const theme = query.get("theme");
  return {
    parent: parent !== null && mayFrame.includes(parent) ? parent : null,
    theme: theme === "light" || theme === "dark" ? theme : null,
  };
}
