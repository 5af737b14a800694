import type { Command } from "commander";
import { Agent } from "undici";
import { composeAttempt } from "#lib/domain/webhooks/formats.ts";
import { sendRequest } from "#lib/domain/webhooks/send-request.ts";
import { findUrlProblem } from "#lib/platform/http/outward-url.ts";
import { type Cli, CommandRefusal, type WithCli } from "../cli.ts";
import { type HeardEvent, openEventSocket } from "./event-socket.ts";
import { deriveListenSecret } from "./listen-secret.ts";
import { readTestService, URL_OPTION } from "./service.ts";
import { untilStopped } from "./until-stopped.ts";

/** As long as a worker waits for a receiver. */
const TIMEOUT_MS = 15_000;
/** Events that wait while the receiver handles the one before. */
const MAX_WAITING = 1_000;

interface ListenOptions {
  readonly url?: string;
  readonly forwardTo?: string;
  readonly events?: string;
  readonly printSecret?: true;
}

export function addListenCommand(listen: Command, withCli: WithCli): void {
  listen
    .description(
      "Receives the events of the test environment over a socket, and posts each one, signed, to a URL of this machine. " +
        "The key is in PAYLINK_KEY. Ctrl-C ends it.",
    )
    .option(...URL_OPTION)
    .option("--forward-to <url>", "where your shop receives webhooks: http://localhost:4000/hooks")
    .option("--events <types>", "only these types, separated by commas")
    .option("--print-secret", "print the webhook secret of the key, and end")
    .action(withCli(listenForEvents));
}

async function listenForEvents(cli: Cli, options: ListenOptions): Promise<void> {
  const service = readTestService(cli, options);
  const secret = deriveListenSecret(service.key);
  if (options.printSecret) return void cli.stdout.write(`${secret}\n`);
  const target = readTarget(options.forwardTo);
  const types = options.events?.split(",");
  cli.stdout.write(`webhook secret: ${secret}\n`);
  const agent = new Agent();
  const stopped = new AbortController();
  const refused = Promise.withResolvers<never>();
  const forward = openForwarder(cli, (event) =>
    forwardEvent(event, { cli, agent, target, secret, signal: stopped.signal }),
  );
  const close = openEventSocket(service, {
    onEvent: (event) => (types?.includes(event.type) ?? true) && forward(event),
    onJoined: () => cli.printMessage(`connected to ${service.origin}: events are sent to ${target}`),
    onSkipped: () => cli.printMessage("some events were skipped: there were too many at once"),
    onLost: (reason) => cli.printMessage(`not connected to ${service.origin} (${reason}): trying again`),
    onRefused: (reason) => refused.reject(new CommandRefusal(`Paylink refused to send events: ${reason}`)),
  });
  try {
    await Promise.race([untilStopped(cli), refused.promise]);
  } finally {
    close();
    stopped.abort();
    await agent.destroy();
  }
}

function readTarget(text: string | undefined): string {
  if (text === undefined)
    throw new CommandRefusal("the receiver is missing: give --forward-to http://localhost:4000/hooks");
  if (findUrlProblem(text) === null) return text;
  throw new CommandRefusal("--forward-to must be an http or https URL, on port 80, 443 or from 1024 up");
}

/** Forwards events one after another, in their order. */
function openForwarder(cli: Cli, send: (event: HeardEvent) => Promise<void>): (event: HeardEvent) => void {
  let waiting = 0;
  let last = Promise.resolve();
  return (event) => {
    if (waiting >= MAX_WAITING)
      return cli.printMessage(`evt_${event.id} was skipped: ${MAX_WAITING} events wait for the receiver`);
    waiting += 1;
    last = last
      .then(() => send(event))
      .finally(() => {
        waiting -= 1;
      });
  };
}

interface Forwarding {
  readonly cli: Cli;
  readonly agent: Agent;
  readonly target: string;
  readonly secret: string;
  readonly signal: AbortSignal;
}

/** Sends an event once, as a worker does, and prints one line. */
async function forwardEvent(event: HeardEvent, { cli, agent, target, secret, signal }: Forwarding) {
  const now = cli.now();
  const delivery = { deliveryId: event.id, originalId: null, endpointId: 0, eventId: event.id, attempt: 1 };
  const signed = composeAttempt("standard", [secret], { stored: event.body, delivery }, now);
  const began = performance.now();
  const outcome = await sendRequest({ url: target, ...signed }, { agent, timeoutMs: TIMEOUT_MS, signal });
  const ms = Math.round(performance.now() - began);
  if (outcome.kind !== "answered" && outcome.kind !== "unreachable") return;
  const result = outcome.kind === "answered" ? String(outcome.status) : outcome.error;
  cli.stdout.write(`${now.toISOString()}  ${event.type}  evt_${event.id}  ${result}  ${ms} ms\n`);
}
