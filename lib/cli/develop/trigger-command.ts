import { Argument, type Command } from "commander";
import * as z from "zod";
import { EVENT_TYPES, type EventType } from "#lib/domain/webhooks/events.ts";
import { type Cli, CommandRefusal, type WithCli } from "../cli.ts";
import { callService, type ServiceAnswer, type ServiceCall } from "./call-service.ts";
import { type HeardEvent, openEventSocket } from "./event-socket.ts";
import { readTestService, type Service, URL_OPTION } from "./service.ts";
import { listTriggers, mayTryAnother, TRIGGERS } from "./trigger-rules.ts";

/** The event of small deposits comes up to a minute after them. */
const PATIENCE_MS = 100_000;

interface TriggerOptions {
  readonly url?: string;
  readonly link?: string;
  readonly network?: string;
  readonly reference: string;
}

export function addTriggerCommand(trigger: Command, withCli: WithCli): void {
  trigger
    .description(
      "Makes an event happen in the test environment: it makes a link and pays it on a development chain. " +
        "Paylink must run with SANDBOX=on. The key is in PAYLINK_KEY.",
    )
    .addArgument(new Argument("<event>", "see the list below").choices(EVENT_TYPES))
    .option(...URL_OPTION)
    .option("--link <refid>", "a link that your shop has made, instead of a new one")
    .option("--network <network>", "the network to pay on; else the first that can")
    .option("--reference <text>", "payment_reference of the new link", "TRIGGER")
    .addHelpText("after", listTriggers)
    .action(withCli(triggerEvent));
}

async function triggerEvent(cli: Cli, type: EventType, options: TriggerOptions): Promise<void> {
  const service = readTestService(cli, options);
  const trigger = TRIGGERS[type];
  if ("unavailable" in trigger) throw new CommandRefusal(`${type} is not here: ${trigger.unavailable}`);
  const heard = await openHearing(service);
  try {
    const refid = options.link ?? (await createLink(service, options.reference));
    const networks = options.network === undefined ? await listNetworks(service) : [options.network];
    const { scenario, amount } = trigger;
    const played = await play(service, networks, { refid, scenario, ...(amount && { amount }) });
    const event = await heard.wait((one) => one.type === type && mentions(one, refid));
    const { network, token, tx_hashes } = played;
    cli.print({ event: `evt_${event.id}`, type, refid, network, token, tx_hashes });
  } finally {
    heard.close();
  }
}

/** True if the event is about the link. */
function mentions({ body }: HeardEvent, refid: string): boolean {
  const { data } = JSON.parse(body) as { data?: { refid?: unknown } };
  return data?.refid === refid;
}

/** Keeps the events that come from now on, until one of them is waited for. */
async function openHearing(service: Service) {
  const events: HeardEvent[] = [];
  const [joined, failed] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()];
  failed.promise.catch(() => {});
  let onEvent = () => {};
  const close = openEventSocket(service, {
    onEvent(event) {
      events.push(event);
      onEvent();
    },
    onJoined: () => joined.resolve(),
    onRefused: (reason) => failed.reject(new CommandRefusal(`Paylink refused to send events: ${reason}`)),
    onLost: (reason) => joined.reject(new CommandRefusal(`no connection to ${service.origin}: ${reason}`)),
  });
  try {
    await Promise.race([joined.promise, failed.promise]);
  } catch (error) {
    close();
    throw error;
  }
  return {
    close,
    async wait(isWanted: (event: HeardEvent) => boolean): Promise<HeardEvent> {
      const found = Promise.withResolvers<HeardEvent>();
      onEvent = () => {
        const event = events.find(isWanted);
        if (event !== undefined) found.resolve(event);
      };
      onEvent();
      const refuse = () =>
        found.reject(new CommandRefusal("the payment was made, but the event did not come"));
      const timer = setTimeout(refuse, PATIENCE_MS);
      return Promise.race([found.promise, failed.promise]).finally(() => clearTimeout(timer));
    },
  };
}

async function createLink(service: Service, reference: string): Promise<string> {
  const body = {
    amount: "10",
    amount_currency: "usd",
    payment_reference: reference,
    customer_details: { email: "ada@example.com", first_name: "Ada", last_name: "Obi" },
    success_url: "https://shop.example.com/thanks",
    cancel_url: "https://shop.example.com/cart",
  };
  const data = await callOrRefuse(service, { path: "/payment-links", body });
  return z.object({ refid: z.string() }).parse(data).refid;
}

const supported = z.object({ supported_networks: z.array(z.object({ network: z.string() })) });

async function listNetworks(service: Service): Promise<string[]> {
  const data = await callOrRefuse(service, { path: "/payment-links/supported-networks" });
  return supported.parse(data).supported_networks.map(({ network }) => network);
}

const playedPayment = z.object({ network: z.string(), token: z.string(), tx_hashes: z.array(z.string()) });

/** Pays on the first network that can play the scenario. */
async function play(
  service: Service,
  networks: readonly string[],
  payment: Readonly<Record<string, string>>,
): Promise<z.infer<typeof playedPayment>> {
  let refused: ServiceAnswer | undefined;
  for (const network of networks) {
    const answer = await callService(service, { path: "/sandbox/payments", body: { ...payment, network } });
    if (answer.ok) return playedPayment.parse(answer.data);
    refused = answer;
    if (!mayTryAnother(answer.code)) break;
  }
  throw describeRefusal(refused ?? { ok: false, status: 0, code: "", message: "no network is on" });
}

async function callOrRefuse(service: Service, call: ServiceCall): Promise<Record<string, unknown>> {
  const answer = await callService(service, call);
  if (answer.ok) return answer.data;
  throw describeRefusal(answer);
}

function describeRefusal(answer: ServiceAnswer): CommandRefusal {
  const { status, message } = answer.ok ? { status: 200, message: "" } : answer;
  if (status === 404 && message === "not found")
    return new CommandRefusal("this Paylink has no sandbox: the operator must set SANDBOX=on");
  return new CommandRefusal(`Paylink refused: ${message}`);
}
