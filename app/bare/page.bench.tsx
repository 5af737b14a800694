import { connection } from "next/server";

/** Baseline of the benchmarks, built only for them: the smallest page that Next renders per request. */
export default async function Page() {
  await connection();
  return <h1>{new Date().toISOString()}</h1>;
}
