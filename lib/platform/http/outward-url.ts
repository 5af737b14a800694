export const URL_PROBLEMS = [
  "url_malformed",
  "url_not_http",
  "url_with_credentials",
  "url_port_closed",
] as const;
export type UrlProblem = (typeof URL_PROBLEMS)[number];

/** Below it other services live, which must not be spoken to through us. */
const FIRST_OPEN_PORT = 1_024;
const WEB_PORTS = [80, 443];

/**
 * What speaks against calling a URL that somebody else chose, or null: it must be http or https, without user name and
 * password, on port 80, 443 or one from 1024 on. Where it leads is only known when it is called (guarded-agent.ts).
 */
export function findUrlProblem(text: string): UrlProblem | null {
  if (!URL.canParse(text)) return "url_malformed";
  const { protocol, username, password, port } = new URL(text);
  if (protocol !== "http:" && protocol !== "https:") return "url_not_http";
  if (username !== "" || password !== "") return "url_with_credentials";
  if (port !== "" && !isAllowedPort(Number(port))) return "url_port_closed";
  return null;
}

/** A port of the web, or one where anybody may run a service. */
export function isAllowedPort(port: number): boolean {
  return port >= FIRST_OPEN_PORT || WEB_PORTS.includes(port);
}
