/** The baseline of the API benches: bare Hono routes on the same PostgreSQL, in a separate process. */
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL ?? "", max: 10 });
// The bench may stop its database first.
pool.on("error", () => {});
await pool.query(
  "create table if not exists bare_rows (id bigint generated always as identity primary key, body jsonb, at timestamptz default now())",
);
const app = new Hono();
app.post("/rows", async (c) => {
  const body = await c.req.json();
  const { rows } = await pool.query("insert into bare_rows (body) values ($1) returning id", [body]);
  return c.json({ status: "success", message: "row inserted", data: rows[0] });
});
app.get("/deposits/:hash", async (c) => {
  const { rows } = await pool.query(
    "select * from deposits where merchant_id = 1 and env = 'test' and tx_hash = $1 limit 1",
    [c.req.param("hash")],
  );
  return c.json({ status: "success", message: "row found", data: rows[0] });
});
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0, overrideGlobalObjects: false }, ({ port }) =>
  process.send?.(port),
);
process.on("disconnect", () => process.exit(0));
