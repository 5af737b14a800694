/** The errors from `error` down its causes, outermost first, each once: causes may form a circle. */
export function listCauses(error: unknown): Error[] {
  const causes = new Set<Error>();
  for (let e = error; e instanceof Error && !causes.has(e); e = e.cause) causes.add(e);
  return [...causes];
}
