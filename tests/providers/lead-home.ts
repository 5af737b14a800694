import dns from "node:dns";

/** Leads these host names to this machine, in this process. */
export function leadHome(hosts: readonly string[]): () => void {
  const lookup = dns.lookup as (...args: unknown[]) => unknown;
  const led = (host: string, options: unknown, done?: (...args: unknown[]) => void) => {
    if (!hosts.includes(host)) return done ? lookup(host, options, done) : lookup(host, options);
    const callback = done ?? (options as (...args: unknown[]) => void);
    const { all } = Object(options) as { all?: boolean };
    const found = { address: "127.0.0.1", family: 4 };
    return process.nextTick(() => (all ? callback(null, [found]) : callback(null, found.address, 4)));
  };
  Object.assign(dns, { lookup: led });
  return () => void Object.assign(dns, { lookup });
}
