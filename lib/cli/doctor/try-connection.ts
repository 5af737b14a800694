import pg from "pg";
import { codeOf, type Finding, failed } from "./finding.ts";

const CONNECT_MS = 5_000;
const PAGE = "docs/operate/database.md";

/** Null if a session can be opened. */
export async function tryConnection(url: string): Promise<Finding | null> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "paylink command",
    connectionTimeoutMillis: CONNECT_MS,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    return null;
  } catch (error) {
    return explainRefusal(url, codeOf(error));
  } finally {
    await client.end().catch(() => {});
  }
}

/** Explains a refused connection by its SQLSTATE, or by the code of the system. */
function explainRefusal(url: string, code: string): Finding {
  const { hostname, port, pathname, username } = new URL(url);
  const place = `${hostname}:${port || 5432}`;
  const role = decodeURIComponent(username);
  const name = decodeURIComponent(pathname.slice(1));
  const texts: Readonly<Record<string, readonly [found: string, advice: string]>> = {
    "28P01": [
      `${place} refuses the password of the role ${role}`,
      "Correct user and password in DATABASE_URL, special characters percent-encoded, or set another one as PostgreSQL's " +
        `superuser: \`alter role "${role}" password '…'\`.`,
    ],
    "28000": [
      `${place} does not let the role ${role} in from here`,
      "Check that the role exists and may log in, and the lines of pg_hba.conf for this machine.",
    ],
    "3D000": [
      `${place} has no database ${name}`,
      `Create it as PostgreSQL's superuser: \`createdb --owner=OWNER ${name}\`, or correct its name in DATABASE_URL (${PAGE}).`,
    ],
    "42501": [
      `the role ${role} may not connect to the database ${name}`,
      `As its owner: \`grant connect on database "${name}" to "${role}"\`.`,
    ],
    "53300": [
      `${place} has no free connection`,
      "Stop what is not needed, or raise max_connections: docs/scale.md.",
    ],
    ECONNREFUSED: [
      `nothing listens at ${place}`,
      "Start PostgreSQL (`systemctl status postgresql`), or correct host and port in DATABASE_URL.",
    ],
    ENOTFOUND: [`the host ${hostname} has no address`, "Correct the host in DATABASE_URL."],
  };
  const [found, advice] = texts[code] ?? [
    `${place} does not answer (${code})`,
    "Check host and port in DATABASE_URL, that PostgreSQL runs, and the firewall between the machines.",
  ];
  return failed("database", found, advice);
}
