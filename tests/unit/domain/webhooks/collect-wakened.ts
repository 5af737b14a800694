import pg from "pg";

/** Endpoints in the notifications of workers while `work` runs. */
export async function collectWakened(databaseUrl: string, work: () => Promise<unknown>): Promise<number[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  const heard: number[] = [];
  client.on("notification", ({ payload }) => heard.push(Number(payload)));
  await client.connect();
  try {
    await client.query("listen paylink_webhooks");
    await work();
    // Notifications before this query arrive before its answer.
    await client.query("select 1");
    return heard;
  } finally {
    await client.end();
  }
}
