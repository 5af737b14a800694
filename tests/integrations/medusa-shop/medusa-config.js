const { defineConfig } = require("@medusajs/framework/utils");

const { env } = process;

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: env.DATABASE_URL,
    databaseDriverOptions: { ssl: false },
    http: {
      storeCors: "*",
      adminCors: "*",
      authCors: "*",
      jwtSecret: "a secret of the tests",
      cookieSecret: "another secret of the tests",
    },
  },
  admin: { disable: true },
  plugins: [{ resolve: "@paylink/medusa", options: {} }],
  modules: [
    {
      resolve: "@medusajs/medusa/payment",
      dependencies: ["query"],
      options: {
        webhook_delay: Number(env.WEBHOOK_DELAY || "100"),
        providers: [
          {
            resolve: "@paylink/medusa/providers/paylink",
            id: "paylink",
            options: {
              baseUrl: env.PAYLINK_URL,
              apiKey: env.PAYLINK_KEY,
              webhookSecret: env.PAYLINK_WEBHOOK_SECRET,
              successUrl: "https://shop.example/order?cart={cart_id}",
              cancelUrl: "https://shop.example/checkout?cart={cart_id}",
              refunds: "url",
            },
          },
        ],
      },
    },
  ],
});
