const {
  createApiKeysWorkflow,
  createProductsWorkflow,
  createRegionsWorkflow,
  createSalesChannelsWorkflow,
  createUserAccountWorkflow,
  linkSalesChannelsToApiKeyWorkflow,
} = require("@medusajs/medusa/core-flows");
const { Modules, ProductStatus } = require("@medusajs/framework/utils");

/** A shop with one region, one product without stock or delivery, a publishable key and an administrator. Prints what the test needs. */
module.exports.default = async ({ container }) => {
  const run = async (workflow, input) => (await workflow(container).run({ input })).result;
  const [channel] = await run(createSalesChannelsWorkflow, { salesChannelsData: [{ name: "Web" }] });
  const [key] = await run(createApiKeysWorkflow, {
    api_keys: [{ title: "Web", type: "publishable", created_by: "" }],
  });
  await run(linkSalesChannelsToApiKeyWorkflow, { id: key.id, add: [channel.id] });
  const [region] = await run(createRegionsWorkflow, {
    regions: [
      {
        name: "Europe",
        currency_code: "eur",
        countries: ["de"],
        payment_providers: ["pp_paylink_paylink", "pp_system_default"],
      },
    ],
  });
  const [product] = await run(createProductsWorkflow, {
    products: [
      {
        title: "Coffee course",
        status: ProductStatus.PUBLISHED,
        options: [{ title: "Kind", values: ["Online"] }],
        variants: [
          {
            title: "Online",
            sku: "COURSE",
            manage_inventory: false,
            options: { Kind: "Online" },
            prices: [{ amount: 12.34, currency_code: "eur" }],
          },
        ],
        sales_channels: [{ id: channel.id }],
      },
    ],
  });
  const auth = container.resolve(Modules.AUTH);
  const { authIdentity } = await auth.register("emailpass", {
    body: { email: "admin@example.com", password: "a password" },
  });
  await run(createUserAccountWorkflow, {
    authIdentityId: authIdentity.id,
    userData: { email: "admin@example.com" },
  });
  console.log(
    `SEEDED ${JSON.stringify({ key: key.token, region: region.id, variant: product.variants[0].id })}`,
  );
};
