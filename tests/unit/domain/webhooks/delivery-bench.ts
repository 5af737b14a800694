import { beforeEach, type TestContext } from "node:test";
import { eq } from "drizzle-orm";
import { claimDeliveries, type DeliverDeps, deliverWebhook } from "#lib/domain/webhooks/deliver-webhook.ts";
import { webhookDeliveries, webhookEndpoints } from "#lib/domain/webhooks/tables.ts";
import { createEndpoint } from "#lib/domain/webhooks/webhook-endpoints.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import type { TestDatabase } from "#tests/support/database.ts";
import { emitRawEvents, type RawEvent } from "#tests/support/emit-raw-event.ts";
import { databaseOfFile } from "#tests/support/file-database.ts";
import { aReceiver, deliverDeps, merchantWithEndpoint, type Owner, type Receiver } from "./receiver.ts";

/** The deliveries of one test file: a receiver and a clock of each test, in a database of the file. */
export class DeliveryBench {
  receiver!: Receiver;
  /** The clock of the code under test. It starts at the real time by default, because the verifying package uses that. */
  now!: Date;
  readonly base: TestDatabase;

  constructor(base: TestDatabase, start?: Date) {
    this.base = base;
    beforeEach(async (t) => {
      this.now = start ?? new Date();
      this.receiver = await aReceiver(t as TestContext);
    });
  }

  get db(): Db {
    return this.base.db;
  }

  deps(more: Partial<DeliverDeps> = {}): DeliverDeps {
    return { ...deliverDeps(this.db, () => this.now), ...more };
  }

  /** A new merchant with an endpoint at each of these receivers. */
  async owner(...receivers: { readonly url: string | null; readonly secret: string }[]): Promise<Owner> {
    const [first = this.receiver, ...others] = receivers;
    const owner = await merchantWithEndpoint(this.db, first);
    for (const { url, secret } of others) await this.addEndpoint(owner, url, secret);
    return owner;
  }

  addEndpoint(
    { merchantId, env }: Owner,
    url: string | null = this.receiver.url,
    secret = this.receiver.secret,
  ) {
    const endpoint = { merchantId, env, url, sealedSecret: Buffer.from(secret) };
    return this.db.transaction((tx) => createEndpoint(tx, endpoint));
  }

  async emit(owner: Owner, event: Partial<RawEvent> = {}, at = this.now): Promise<{ id: number }> {
    const [emitted] = await this.emitMany(owner, 1, event, at);
    return emitted!;
  }

  emitMany({ merchantId, env }: Owner, count: number, event: Partial<RawEvent> = {}, at = this.now) {
    const one: RawEvent = {
      ...{ merchantId, env, type: "deposit_credited", dataJson: "{}", txHashes: [] },
      ...event,
    };
    return this.db.transaction((tx) => emitRawEvents(tx, Array<RawEvent>(count).fill(one), at));
  }

  /** Creates a due delivery of an event with this data, for a new merchant. */
  async due(dataJson = '{"refid":"x"}', url: string = this.receiver.url) {
    const owner = await this.owner({ url, secret: this.receiver.secret });
    const event = await this.emit(owner, { type: "payment_link_completed", dataJson });
    const [row] = await this.rowsOf(event.id);
    return { id: row!.id, eventId: event.id, ...owner };
  }

  /** The deliveries of an event as they are stored. */
  rowsOf(eventId: number) {
    const { endpointId } = webhookDeliveries;
    return this.db
      .select()
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.eventId, eventId))
      .orderBy(endpointId);
  }

  /** The delivery as it is stored. */
  async row(id: number) {
    const [found] = await this.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id));
    return found!;
  }

  async endpoint(id: number) {
    const [found] = await this.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id));
    return found!;
  }

  /** The step of a worker after a notification of the delivery's endpoint. */
  async deliver(id: number, using: DeliverDeps = this.deps()): Promise<void> {
    const { endpointId } = await this.row(id);
    await this.send(endpointId, 1, using);
  }

  /** Sends what is due at an endpoint. Returns what this test's receiver got. */
  async send(endpointId: number, limit = 100, using: DeliverDeps = this.deps()) {
    const before = this.receiver.received.length;
    const { claimed } = await claimDeliveries(using, endpointId, limit);
    for (const one of claimed) await (await deliverWebhook(using, one)).stored;
    return this.receiver.received.slice(before);
  }

  advance(seconds: number): void {
    this.now = new Date(this.now.getTime() + seconds * 1_000);
  }

  secondsAhead(at: Date | null): number {
    return (at!.getTime() - this.now.getTime()) / 1_000;
  }
}

/** Fails what is still due, so that no worker sends it any more. */
export async function failDue(db: Db): Promise<void> {
  const { status } = webhookDeliveries;
  await db.update(webhookDeliveries).set({ status: "failed", nextAttemptAt: null }).where(eq(status, "due"));
}

/** `start`: the time at which each test begins. */
export async function openDeliveryBench(start?: Date, { isNew = false } = {}): Promise<DeliveryBench> {
  return new DeliveryBench(await databaseOfFile({ isNew }), start);
}
