/** Characters at either end of an address that people compare. */
const COMPARED_CHARS = 6;

/** A complete address. It wraps in groups of four, contains no spaces, and one click selects all of it. */
export function AddressText({ text, testId = "address" }: { text: string; testId?: string }) {
  const groups = text.match(/.{1,4}/gu) ?? [];
  return (
    <bdi
      dir="ltr"
      data-testid={testId}
      className="min-w-0 flex-1 basis-40 font-mono text-[0.8125rem]/5.5 select-all sm:text-[0.95rem]/6"
    >
      {groups.map((group, index) => {
        const at = index * 4;
        const end = at < COMPARED_CHARS || at + group.length > text.length - COMPARED_CHARS;
        return (
          <span key={at} className={`me-1 inline-block sm:me-1.5 ${end ? "font-semibold" : "text-muted"}`}>
            {group}
          </span>
        );
      })}
    </bdi>
  );
}
