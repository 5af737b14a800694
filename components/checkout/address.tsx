/** Characters at either end that people compare. */
const ENDS = 6;

/** An address in full. It breaks in groups of four, has no blanks in it, and is selected whole by one click. */
export function Address({ text }: { text: string }) {
  const groups = text.match(/.{1,4}/gu) ?? [];
  return (
    <bdi
      dir="ltr"
      data-testid="address"
      className="min-w-0 flex-1 basis-40 font-mono text-[0.95rem]/6 select-all"
    >
      {groups.map((group, index) => {
        const at = index * 4;
        const end = at < ENDS || at + group.length > text.length - ENDS;
        return (
          <span key={at} className={`me-1.5 inline-block ${end ? "font-semibold" : "text-muted"}`}>
            {group}
          </span>
        );
      })}
    </bdi>
  );
}
