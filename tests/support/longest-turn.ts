/**
 * Measures the work of this thread until the returned function is called: the processor time of all of it, and of the
 * longest stretch in which no timer could run, in milliseconds. Other processes on the same processors change neither, and the threads
 * that compile and collect garbage meanwhile do not count.
 */
export function measureTurns(): () => { readonly total: number; readonly longest: number } {
  const spent = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  const before = spent();
  let last = before;
  let longest = 0;
  const tick = () => {
    const now = spent();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(tick, 2);
  return () => {
    clearInterval(timer);
    tick();
    return { total: last - before, longest };
  };
}
