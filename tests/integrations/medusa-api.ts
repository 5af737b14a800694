/** The output of `seed.js`. */
export interface MedusaSeed {
  readonly key: string;
  readonly region: string;
  readonly variant: string;
}

export interface MedusaOrder {
  readonly id: string;
  readonly payment_status: string;
  readonly total: number;
  readonly payment_collections: readonly {
    readonly payments: readonly {
      readonly id: string;
      readonly captures: readonly { readonly amount: number }[];
      readonly refunds: readonly { readonly amount: number }[];
      readonly data: Record<string, unknown>;
    }[];
  }[];
}

export interface PaymentSession {
  readonly id: string;
  readonly data: Record<string, string>;
}

interface Cart {
  readonly id: string;
  readonly completed_at: string | null;
  readonly total: number;
  readonly payment_collection?: {
    readonly id: string;
    readonly payment_sessions?: readonly PaymentSession[];
  };
}

/** Medusa's API for storefronts and for administrators. */
export class MedusaApi {
  private readonly origin: string;
  private readonly seed: MedusaSeed;
  private token = "";

  constructor(origin: string, seed: MedusaSeed) {
    this.origin = origin;
    this.seed = seed;
  }

  private async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const headers: Record<string, string> = path.startsWith("/store")
      ? { "x-publishable-api-key": this.seed.key }
      : { authorization: `Bearer ${this.token}` };
    const response = await fetch(this.origin + path, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as T & { message?: string };
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.message}`);
    return answer;
  }

  async signIn(): Promise<void> {
    const person = { email: "admin@example.com", password: "a password" };
    this.token = (await this.call<{ token: string }>("POST", "/auth/user/emailpass", person)).token;
  }

  /** A cart with one item, of a guest. */
  async fillCart(): Promise<string> {
    const { cart } = await this.call<{ cart: Cart }>("POST", "/store/carts", {
      region_id: this.seed.region,
      email: "ada@example.com",
      billing_address: { first_name: "Ada", last_name: "Obi", country_code: "de" },
      items: [{ variant_id: this.seed.variant, quantity: 1 }],
    });
    return cart.id;
  }

  async addItem(cart: string): Promise<void> {
    await this.call("POST", `/store/carts/${cart}/line-items`, {
      variant_id: this.seed.variant,
      quantity: 1,
    });
  }

  /** Begins the payment, as a storefront does. `data` is what a customer can add to it. */
  async startSession(cart: string, data: Record<string, unknown> = {}): Promise<PaymentSession> {
    const { payment_collection: collection } = await this.call<{ payment_collection: { id: string } }>(
      "POST",
      "/store/payment-collections",
      { cart_id: cart },
    );
    const path = `/store/payment-collections/${collection.id}/payment-sessions`;
    const answer = await this.call<{ payment_collection: { payment_sessions: PaymentSession[] } }>(
      "POST",
      path,
      {
        provider_id: "pp_paylink_paylink",
        data,
      },
    );
    return answer.payment_collection.payment_sessions[0]!;
  }

  /** The storefront's own attempt. Rejects if nothing is paid. */
  async completeCart(cart: string): Promise<void> {
    await this.call("POST", `/store/carts/${cart}/complete`, {});
  }

  async listOrders(): Promise<MedusaOrder[]> {
    const fields =
      "id,payment_status,total,*payment_collections.payments,*payment_collections.payments.captures,*payment_collections.payments.refunds";
    return (await this.call<{ orders: MedusaOrder[] }>("GET", `/admin/orders?limit=100&fields=${fields}`))
      .orders;
  }

  /** The order whose payment belongs to a session. Undefined: none yet. */
  async findOrder(session: string): Promise<MedusaOrder | undefined> {
    return (await this.listOrders()).find((order) =>
      order.payment_collections.some(({ payments }) =>
        payments.some(({ data }) => data.session_id === session),
      ),
    );
  }

  async refund(payment: string, amount: number): Promise<void> {
    await this.call("POST", `/admin/payments/${payment}/refund`, { amount });
  }

  async cancelOrder(order: string): Promise<void> {
    await this.call("POST", `/admin/orders/${order}/cancel`);
  }
}
