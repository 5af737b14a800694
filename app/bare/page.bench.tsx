import { connection } from "next/server";

/** The yardstick of the benches, there in their build alone: the least that Next renders per request. */
export default async function Page() {
  await connection();
  return <h1>{new Date().toISOString()}</h1>;
}
