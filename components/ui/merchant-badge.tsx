/**
 * The merchant's logo, or the first letter of the name. The background is white because a logo may be dark
 * and transparent.
 */
export function MerchantBadge({
  model,
}: {
  /** `logo`: its URL. null: none. */
  model: { readonly logo: string | null; readonly merchantName: string };
}) {
  if (model.logo !== null) {
    return (
      <img
        src={model.logo}
        alt=""
        width={48}
        height={48}
        className="size-12 shrink-0 rounded-xl border border-line bg-white object-contain"
      />
    );
  }
  return (
    <span
      aria-hidden="true"
      className="grid size-10 shrink-0 place-items-center rounded-xl bg-accent text-lg font-semibold text-on-accent"
    >
      {initial(model.merchantName)}
    </span>
  );
}

/** First character of a name, complete even outside the basic multilingual plane. */
function initial(name: string): string {
  const [first] = name.trim();
  return first?.toLocaleUpperCase("en") ?? "";
}
