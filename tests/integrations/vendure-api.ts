/** A session of Vendure's GraphQL: an administrator's or a customer's. */
export class VendureSession {
  private readonly url: string;
  private token: string | null = null;

  constructor(url: string) {
    this.url = url;
  }

  /** Runs an operation, and returns its first field. Throws for errors of GraphQL and for Vendure's error results. */
  async run<T = Record<string, unknown>>(
    operation: string,
    variables: Record<string, unknown> = {},
  ): Promise<T> {
    const response = await fetch(this.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(this.token && { authorization: `Bearer ${this.token}` }),
      },
      body: JSON.stringify({ query: operation, variables }),
    });
    this.token ??= response.headers.get("vendure-auth-token");
    const { data, errors } = (await response.json()) as {
      data?: Record<string, Record<string, unknown>>;
      errors?: { message: string }[];
    };
    if (errors) throw new Error(errors.map(({ message }) => message).join("; "));
    const result = Object.values(data ?? {})[0];
    if (result?.errorCode) throw new Error(`${result.errorCode}: ${result.message}`);
    return result as T;
  }
}

const ERROR = "... on ErrorResult { errorCode message }";

/** Signs in as the administrator that Vendure starts with. */
export async function signIn(origin: string): Promise<VendureSession> {
  const admin = new VendureSession(`${origin}/admin-api`);
  await admin.run(
    `mutation { login(username: "superadmin", password: "a password") { __typename ... on CurrentUser { id } ${ERROR} } }`,
  );
  return admin;
}

interface Made {
  readonly id: string;
}

const text = (name: string) => ({ languageCode: "en", name, slug: name.toLowerCase(), description: "" });

/** A shop with one product for 12.34 USD without taxes, free delivery, and the payment method. Returns the id of the variant. */
export async function seedVendure(admin: VendureSession): Promise<string> {
  const make = (mutation: string, type: string, input: unknown) =>
    admin.run<Made>(`mutation($input: ${type}!) { ${mutation}(input: $input) { ... on Node { id } } }`, {
      input,
    });
  const country = await make("createCountry", "CreateCountryInput", {
    code: "DE",
    enabled: true,
    translations: [{ languageCode: "en", name: "Germany" }],
  });
  const zone = await make("createZone", "CreateZoneInput", { name: "Europe", memberIds: [country.id] });
  const channel = await admin.run<Made>("{ activeChannel { id } }");
  await make("updateChannel", "UpdateChannelInput", {
    id: channel.id,
    defaultTaxZoneId: zone.id,
    defaultShippingZoneId: zone.id,
  });
  const category = await make("createTaxCategory", "CreateTaxCategoryInput", {
    name: "None",
    isDefault: true,
  });
  await make("createTaxRate", "CreateTaxRateInput", {
    name: "None",
    enabled: true,
    value: 0,
    categoryId: category.id,
    zoneId: zone.id,
  });
  const product = await make("createProduct", "CreateProductInput", { translations: [text("Coffee")] });
  const [variant] = await admin.run<Made[]>(
    "mutation($input: [CreateProductVariantInput!]!) { createProductVariants(input: $input) { id } }",
    {
      input: [
        {
          productId: product.id,
          sku: "COFFEE",
          price: 1234,
          trackInventory: "FALSE",
          translations: [{ languageCode: "en", name: "Coffee" }],
        },
      ],
    },
  );
  await make("createShippingMethod", "CreateShippingMethodInput", {
    code: "free",
    fulfillmentHandler: "manual-fulfillment",
    checker: {
      code: "default-shipping-eligibility-checker",
      arguments: [{ name: "orderMinimum", value: "0" }],
    },
    calculator: {
      code: "default-shipping-calculator",
      arguments: [
        { name: "rate", value: "0" },
        { name: "includesTax", value: "auto" },
        { name: "taxRate", value: "0" },
      ],
    },
    translations: [{ languageCode: "en", name: "Free", description: "" }],
  });
  await make("createPaymentMethod", "CreatePaymentMethodInput", {
    code: "paylink",
    enabled: true,
    handler: { code: "paylink", arguments: [] },
    translations: [{ languageCode: "en", name: "Cryptocurrency", description: "" }],
  });
  return variant!.id;
}

/** A customer whose order is ready to be paid. */
export async function fillCart(
  origin: string,
  variant: string,
  quantity = 1,
): Promise<{ customer: VendureSession; code: string }> {
  const customer = new VendureSession(`${origin}/shop-api`);
  const { code } = await customer.run<{ code: string }>(
    `mutation($id: ID!, $quantity: Int!) { addItemToOrder(productVariantId: $id, quantity: $quantity) { ... on Order { code } ${ERROR} } }`,
    { id: variant, quantity },
  );
  await customer.run(
    `mutation { setCustomerForOrder(input: {firstName: "Ada", lastName: "Obi", emailAddress: "${code.toLowerCase()}@example.com"})
     { __typename ${ERROR} } }`,
  );
  await customer.run(
    `mutation { setOrderShippingAddress(input: {fullName: "Ada Obi", streetLine1: "1 Road", countryCode: "DE"}) { __typename ${ERROR} } }`,
  );
  const [method] = await customer.run<Made[]>("{ eligibleShippingMethods { id } }");
  await customer.run(
    `mutation($id: [ID!]!) { setOrderShippingMethod(shippingMethodId: $id) { __typename ${ERROR} } }`,
    {
      id: [method!.id],
    },
  );
  return { customer, code };
}

export interface OrderView {
  readonly id: string;
  readonly state: string;
  readonly totalWithTax: number;
  readonly payments: readonly {
    readonly id: string;
    readonly state: string;
    readonly amount: number;
    readonly transactionId: string | null;
    readonly refunds: readonly {
      readonly id: string;
      readonly state: string;
      readonly total: number;
      readonly metadata: Record<string, unknown>;
    }[];
  }[];
}

/** The order as an administrator sees it, with the payments that were not declined. */
export async function viewOrder(admin: VendureSession, code: string): Promise<OrderView> {
  const { items } = await admin.run<{ items: OrderView[] }>(
    `query($code: String!) { orders(options: {filter: {code: {eq: $code}}}) { items { id state totalWithTax
     payments { id state amount transactionId refunds { id state total metadata } } } } }`,
    { code },
  );
  const [order] = items;
  return {
    ...order!,
    payments: (order!.payments ?? []).filter(({ state }) => state !== "Declined" && state !== "Error"),
  };
}
