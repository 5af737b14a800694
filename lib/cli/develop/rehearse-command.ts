import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { Command } from "commander";
import { Agent, request as post } from "undici";
import { sendRequest } from "#lib/domain/webhooks/send-request.ts";
import { findUrlProblem } from "#lib/platform/http/outward-url.ts";
import { ENDPOINTS } from "#lib/web/api/endpoints.ts";
import { buildApiDocument } from "#lib/web/api/openapi.ts";
import { type Cli, CommandRefusal, type WithCli } from "../cli.ts";
import { composeCases, type EventExample } from "./rehearsal-cases.ts";
import {
  findProblem,
  type RehearsalCase,
  type RehearsedAnswer,
  type RehearsedRequest,
  TIMEOUT_MS,
} from "./rehearsal-rules.ts";

/** The pause in the middle of a body that arrives in two pieces. */
const PIECE_PAUSE_MS = 1_000;

interface RehearseOptions {
  readonly refid?: string;
  readonly reference?: string;
  readonly metadata?: string;
}

export function addRehearseCommand(rehearse: Command, withCli: WithCli): void {
  rehearse
    .description(
      "Sends every event to a receiver of webhooks, and what can go wrong: repeated, out of order, late, forged, old, unknown, slow, " +
        "large. Says what the receiver does wrong; then the exit status is 1. The webhook secret of your shop is in PAYLINK_WEBHOOK_SECRET. " +
        "It needs no Paylink that runs.",
    )
    .argument("<url>", "where your shop receives webhooks: http://localhost:4000/hooks")
    .option("--refid <refid>", "the link in the events; else a new one in each case")
    .option("--reference <text>", "payment_reference of the link")
    .option("--metadata <json>", "metadata of the link")
    .action(withCli(rehearseReceiver));
}

async function rehearseReceiver(cli: Cli, url: string, options: RehearseOptions): Promise<void> {
  if (findUrlProblem(url) !== null)
    throw new CommandRefusal("the URL must be http or https, on port 80, 443 or from 1024 up");
  // From the environment alone: other users see the arguments of a process.
  const secret = cli.env.PAYLINK_WEBHOOK_SECRET ?? "";
  if (!/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(secret))
    throw new CommandRefusal(
      "the webhook secret is missing or malformed: set PAYLINK_WEBHOOK_SECRET to whsec_…",
    );
  const cases = composeCases({ examples: listExamples(), secret, now: cli.now(), link: readLink(options) });
  const width = Math.max(...cases.map(({ name }) => name.length));
  const agent = new Agent();
  let wrong = 0;
  try {
    for (const one of cases) {
      const answers = await send(url, one, agent);
      const problem = findProblem(one, answers);
      if (problem !== null) wrong += 1;
      const statuses = answers.map(({ status, error }) => status ?? error).join(" ");
      const mark = problem === null ? "ok   " : "WRONG";
      cli.stdout.write(`${mark}  ${one.name.padEnd(width)}  ${problem ?? statuses}\n`);
    }
  } finally {
    await agent.destroy();
  }
  for (const { look } of cases) if (look !== undefined) cli.stdout.write(`${look}\n`);
  if (wrong > 0) throw new CommandRefusal(`the receiver does ${wrong} of ${cases.length} cases wrong`);
}

function readLink({ refid, reference, metadata }: RehearseOptions) {
  return {
    ...(refid !== undefined && { refid }),
    ...(reference !== undefined && { payment_reference: reference }),
    ...(metadata !== undefined && { metadata: readJson(metadata) }),
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandRefusal("--metadata is not valid JSON");
  }
}

/** The examples of the OpenAPI document, one of each type of event. */
function listExamples(): EventExample[] {
  const webhooks = (buildApiDocument(ENDPOINTS).webhooks ?? {}) as Record<string, { post: unknown }>;
  return Object.values(webhooks).map(({ post: operation }) => {
    const { requestBody } = operation as {
      requestBody: { content: { "application/json": { example: EventExample } } };
    };
    return requestBody.content["application/json"].example;
  });
}

async function send(
  url: string,
  { requests, atOnce }: RehearsalCase,
  agent: Agent,
): Promise<RehearsedAnswer[]> {
  if (atOnce) return Promise.all(requests.map((request) => sendOne(url, request, agent)));
  const answers: RehearsedAnswer[] = [];
  for (const request of requests) answers.push(await sendOne(url, request, agent));
  return answers;
}

async function sendOne(url: string, request: RehearsedRequest, agent: Agent): Promise<RehearsedAnswer> {
  const began = performance.now();
  const outcome = request.isSlow
    ? await sendSlowly(url, request, agent)
    : await sendAsWorker(url, request, agent);
  return { ...outcome, ms: Math.round(performance.now() - began) };
}

type Outcome = Omit<RehearsedAnswer, "ms">;

async function sendAsWorker(
  url: string,
  { headers, body }: RehearsedRequest,
  agent: Agent,
): Promise<Outcome> {
  const signal = new AbortController().signal;
  const outcome = await sendRequest({ url, headers, body }, { agent, timeoutMs: TIMEOUT_MS, signal });
  if (outcome.kind === "answered") return { status: outcome.status, error: null };
  return { status: null, error: outcome.kind === "unreachable" ? outcome.error : outcome.kind };
}

async function sendSlowly(url: string, { headers, body }: RehearsedRequest, agent: Agent): Promise<Outcome> {
  const bytes = Buffer.from(body);
  async function* inPieces() {
    yield bytes.subarray(0, bytes.length / 2);
    await pause(PIECE_PAUSE_MS);
    yield bytes.subarray(bytes.length / 2);
  }
  try {
    const answer = await post(url, {
      dispatcher: agent,
      method: "POST",
      body: Readable.from(inPieces()),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { ...headers, "content-type": "application/json", "content-length": String(bytes.length) },
    });
    await answer.body.dump();
    return { status: answer.statusCode, error: null };
  } catch (error) {
    if (error instanceof Error && error.name === "TimeoutError") return { status: null, error: "timeout" };
    const code = error instanceof Error && "code" in error ? String(error.code) : "request failed";
    return { status: null, error: code };
  }
}
