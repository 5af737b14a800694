import { randomBytes } from "node:crypto";
import { newRefid } from "#lib/domain/payment-links/refid.ts";
import { composeWebhookHeaders } from "#lib/domain/webhooks/sign-webhook.ts";
import type { RehearsalCase, RehearsedRequest } from "./rehearsal-rules.ts";

type Json = Readonly<Record<string, unknown>>;
export interface EventExample extends Json {
  readonly type: string;
  readonly data: Json;
}

export interface RehearsalInput {
  /** Examples of the document, one of each type. */
  readonly examples: readonly EventExample[];
  readonly secret: string;
  readonly now: Date;
  /** The link that the events report. Absent: each case has a new link. */
  readonly link: {
    readonly refid?: string;
    readonly payment_reference?: string;
    readonly metadata?: unknown;
  };
}

const MINUTE_MS = 60_000;
/** Beyond the five minutes that a receiver allows. */
const OUTSIDE_MS = 10 * MINUTE_MS;
/** The most that a link can have, and as many payments as an event lists. */
const METADATA_CHARACTERS = 20_000;
const MAX_PAYMENTS = 20;

const FORGED =
  "it accepts what Paylink did not sign. Anyone can report payments to your shop. Answer 401 and change nothing";
const REPEATED = "the same event may come again. Answer 2xx and ignore it";

/** Every case, each with requests that are signed as the server signs. */
export function composeCases(input: RehearsalInput): RehearsalCase[] {
  const composer = openComposer(input);
  const { event, sign } = composer;
  return [
    ...input.examples.map(
      ({ type }): RehearsalCase => ({
        name: type,
        requests: [sign(event(type))],
        expects: "accepted",
        otherwise: "this event is sent again for three days. Answer 2xx, also if you do nothing with it",
      }),
    ),
    ...composeTypes(composer),
    ...composeOrders(composer),
    ...composeShapes(composer, input),
    ...composeForgeries(composer, input),
  ];
}

type Composer = ReturnType<typeof openComposer>;

function openComposer({ examples, secret, now, link }: RehearsalInput) {
  let events = 0;
  const example = examples.find(({ type }) => type === "payment_link_completed") ?? examples[0];
  if (example === undefined) throw new Error("no examples of events");
  return {
    example,
    refid: () => link.refid ?? newRefid(),
    event(type: string, data: Json = {}): Json {
      const given = examples.find((one) => one.type === type) ?? { ...example, type };
      const own = "payment_reference" in given.data ? { refid: newRefid(), ...link } : {};
      return { ...given, timestamp: now.toISOString(), data: { ...given.data, ...own, ...data } };
    },
    sign(
      body: Json | string,
      options: { id?: string; secrets?: readonly string[]; at?: Date } = {},
    ): RehearsedRequest {
      events += 1;
      const { id = `evt_rehearsal_${events}`, secrets = [secret], at = now } = options;
      const text = typeof body === "string" ? body : JSON.stringify(body);
      return { headers: composeWebhookHeaders(secrets, id, text, at), body: text };
    },
  };
}

function composeTypes({ event, sign }: Composer): RehearsalCase[] {
  return [
    {
      name: "test request",
      requests: [
        sign({ type: "webhook_test", data: { id: 1, environment: "test" } }, { id: "test_rehearsal" }),
      ],
      expects: "accepted",
      otherwise: "the button that tests your endpoint fails. Answer 2xx to the type webhook_test",
    },
    {
      name: "unknown type",
      requests: [sign(event("something_new"))],
      expects: "accepted",
      otherwise:
        "a new type of event would be sent again for three days. Answer 2xx to types that you do not know",
    },
  ];
}

function composeOrders({ event, sign, refid }: Composer): RehearsalCase[] {
  const paid = (seq: number, of: string) => event("payment_link_completed", { refid: of, seq });
  const [repeated, together, older, late] = [refid(), refid(), refid(), refid()];
  const once = (of: string) => `Look in your shop: the order of link ${of} must be paid, and handled once.`;
  return [
    {
      name: "repeated",
      requests: Array.from({ length: 3 }, () => sign(paid(1, repeated), { id: "evt_rehearsal_again" })),
      expects: "accepted",
      otherwise: REPEATED,
      look: once(repeated),
    },
    {
      name: "repeated at the same time",
      requests: Array.from({ length: 3 }, () => sign(paid(1, together), { id: "evt_rehearsal_together" })),
      atOnce: true,
      expects: "accepted",
      otherwise: REPEATED,
      look: once(together),
    },
    {
      name: "out of order",
      requests: [
        sign(paid(2, older)),
        sign(event("payment_link_failed", { refid: older, seq: 1, state: "failed", reason: "expired" })),
      ],
      expects: "accepted",
      otherwise: "an older event may come after a newer one. Answer 2xx and ignore the lower seq",
      look: `Look in your shop: the order of link ${older} must stay paid, although an older event came last.`,
    },
    {
      name: "paid late",
      requests: [
        sign(event("payment_link_failed", { refid: late, seq: 1, state: "failed", reason: "expired" })),
        sign(event("payment_link_late", { refid: late, seq: 2 })),
      ],
      expects: "accepted",
      otherwise: "money may come after an order has ended. Answer 2xx, and let a person contact the customer",
      look: `Look in your shop: the order of link ${late} must not be shipped, and somebody must see that it was paid late.`,
    },
  ];
}

function composeShapes({ event, sign, example }: Composer, { secret }: RehearsalInput): RehearsalCase[] {
  const [payment] = Array.isArray(example.data.payments) ? (example.data.payments as Json[]) : [];
  const many = Array.from({ length: MAX_PAYMENTS }, (_, i) => ({ ...payment, output_pos: i }));
  const spaced = JSON.stringify(event("payment_link_completed"), null, 2).replaceAll(
    "example",
    "\\u0065xample",
  );
  return [
    {
      name: "other spaces",
      requests: [sign(spaced)],
      expects: "accepted",
      otherwise:
        "it verifies a body that was parsed and written again. Verify the bytes as they were received",
    },
    {
      name: "new field",
      requests: [sign(event("payment_link_completed", { field_of_a_later_version: { a: [1] } }))],
      expects: "accepted",
      otherwise: "later versions may add fields. Ignore those that you do not know",
    },
    {
      name: "two signatures",
      requests: [sign(event("payment_link_completed"), { secrets: [otherSecret(), secret] })],
      expects: "accepted",
      otherwise:
        "while a secret is rotated there are two signatures. Accept the request if either one is right",
    },
    {
      name: "large",
      requests: [
        sign(
          event("payment_link_completed", {
            payments: many,
            metadata: { note: "ü".repeat(METADATA_CHARACTERS) },
          }),
        ),
      ],
      expects: "accepted",
      otherwise: "an event may have more than 64 KiB and other letters than ASCII. Accept bodies of 1 MiB",
    },
    {
      name: "slow",
      requests: [{ ...sign(event("payment_link_completed")), isSlow: true }],
      expects: "accepted",
      otherwise: "a body may arrive in pieces. Read all of it before you verify it",
    },
  ];
}

function composeForgeries({ event, sign }: Composer, { now }: RehearsalInput): RehearsalCase[] {
  const paid = event("payment_link_completed");
  const right = sign(paid);
  const at = (ms: number) => new Date(now.getTime() + ms);
  const forged = (name: string, request: RehearsedRequest, otherwise = FORGED): RehearsalCase => ({
    name,
    requests: [request],
    expects: "refused",
    otherwise,
  });
  const replayed =
    "an old request can be sent to you again. Refuse a timestamp that differs by more than five minutes";
  return [
    forged("no signature", { headers: {}, body: right.body }),
    forged("wrong signature", sign(paid, { secrets: [otherSecret()] })),
    forged("changed body", { ...right, body: right.body.replace("completed", "completed ") }),
    forged("changed id", { ...right, headers: { ...right.headers, "webhook-id": "evt_rehearsal_changed" } }),
    forged("empty body", { ...right, body: "" }),
    forged("old timestamp", sign(paid, { at: at(-OUTSIDE_MS) }), replayed),
    forged("timestamp of the future", sign(paid, { at: at(OUTSIDE_MS) }), replayed),
  ];
}

const otherSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
