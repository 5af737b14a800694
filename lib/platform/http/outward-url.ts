const URL_PROBLEMS = ["url_malformed", "url_not_http", "url_with_credentials", "url_port_closed"] as const;
export type UrlProblem = (typeof URL_PROBLEMS)[number];

/** Ports below it belong to other services, which must not be reached through us. */
const FIRST_OPEN_PORT = 1_024;
const WEB_PORTS = [80, 443];

/**
 * Why a URL that somebody else chose must not be called, or null. It must be http or https without user name
 * and password, on port 80, 443 or 1024 and above. Its IP address is checked when it is called
 * (guarded-agent.ts).
 */
export function findUrlProblem(text: string): UrlProblem | null {
  if (!URL.canParse(text)) return "url_malformed";
  const { protocol, username, password, port } = new URL(text);
  if (protocol !== "http:" && protocol !== "https:") return "url_not_http";
  if (username !== "" || password !== "") return "url_with_credentials";
  if (port !== "" && !isAllowedPort(Number(port))) return "url_port_closed";
  return null;
}

/** True for the ports of the web and the unprivileged ports. */
export function isAllowedPort(port: number): boolean {
  return port >= FIRST_OPEN_PORT || WEB_PORTS.includes(port);
}
