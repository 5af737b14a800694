/** The hidden fields that say where a form of the console acts, and on what. */
export function PlaceFields({ of }: { of: Readonly<Record<string, string | number>> }) {
  return Object.entries(of).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ));
}
