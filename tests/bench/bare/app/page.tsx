import { connection } from "next/server";

/** The smallest page that Next renders per request. */
export default async function Page() {
  await connection();
  return <h1>{new Date().toISOString()}</h1>;
}
