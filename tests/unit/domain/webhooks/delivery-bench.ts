import { after, before, beforeEach, type TestContext } from "node:test";
import { eq } from "drizzle-orm";
import { claimDeliveries, type DeliverDeps, deliverWebhook } from "#lib/domain/webhooks/deliver-webhook.ts";
import { webhookDeliveries, webhookEndpoints } from "#lib/domain/webhooks/tables.ts";
import type { Db } from "#lib/platform/db/connection.ts";
import { type TestDatabase, testDatabase } from "#tests/support/database.ts";
import { emitRawEvent } from "#tests/support/emit-raw-event.ts";
import { deliverDeps, merchantWithEndpoint, type Receiver, startReceiver } from "./receiver.ts";

/** The deliveries of one test file: a database of the file, and a receiver and a clock of each test. */
export class DeliveryBench {
  receiver!: Receiver;
  /** The clock of the code under test. It starts at the real time, because the verifying package uses that. */
  now!: Date;
  #base!: TestDatabase;

  constructor() {
    before(async () => {
      this.#base = await testDatabase();
    });
    after(() => this.#base.close());
    beforeEach(async (t) => {
      this.now = new Date();
      this.receiver = await startReceiver();
      const { receiver } = this;
      (t as TestContext).after(() => receiver.close());
    });
  }

  get db(): Db {
    return this.#base.db;
  }

  deps(more: Partial<DeliverDeps> = {}): DeliverDeps {
    return { ...deliverDeps(this.db, () => this.now), ...more };
  }

  /** Creates a due delivery of an event with this data, for a new merchant. */
  async due(dataJson = '{"refid":"x"}', url: string = this.receiver.url) {
    const endpoint = await merchantWithEndpoint(this.db, { url, secret: this.receiver.secret });
    const { merchantId } = endpoint;
    const type = "payment_link_completed";
    const event = await this.db.transaction((tx) =>
      emitRawEvent(tx, { merchantId, env: "test", type, dataJson, txHashes: [] }, this.now),
    );
    const [row] = await this.db
      .select()
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.eventId, event.id));
    return { id: row!.id, eventId: event.id, ...endpoint };
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

  /** What a worker does after a notification of the delivery's endpoint. */
  async deliver(id: number, using: DeliverDeps = this.deps()): Promise<void> {
    const { endpointId } = await this.row(id);
    const { claimed } = await claimDeliveries(using, endpointId, 1);
    for (const one of claimed) await deliverWebhook(using, one);
  }

  advance(seconds: number): void {
    this.now = new Date(this.now.getTime() + seconds * 1_000);
  }

  secondsAhead(at: Date | null): number {
    return (at!.getTime() - this.now.getTime()) / 1_000;
  }
}
