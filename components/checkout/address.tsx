/** Characters at either end that people compare. */
const COMPARED_CHARS = 6;

/** An address in full. It breaks in groups of four, has no blanks in it, and is selected whole by one click. */
export function AddressText({ text }: { text: string }) {
  const groups = text.match(/.{1,4}/gu) ?? [];
  return (
    <bdi
      dir="ltr"
      data-testid="address"
      className="min-w-0 flex-1 basis-40 font-mono text-[0.95rem]/6 select-all"
    >
      {groups.map((group, index) => {
        const at = index * 4;
        const end = at < COMPARED_CHARS || at + group.length > text.length - COMPARED_CHARS;
        return (
          <span key={at} className={`me-1.5 inline-block ${end ? "font-semibold" : "text-muted"}`}>
            {group}
          </span>
        );
      })}
    </bdi>
  );
}
