const { bootstrap, DefaultLogger, DefaultSchedulerPlugin, LogLevel } = require("@vendure/core");
const { PaylinkPlugin } = require("@paylink/vendure");

const { env } = process;
const database = new URL(env.DATABASE_URL);

bootstrap({
  apiOptions: {
    hostname: "127.0.0.1",
    port: Number(env.PORT),
    adminApiPath: "admin-api",
    shopApiPath: "shop-api",
  },
  authOptions: {
    tokenMethod: "bearer",
    superadminCredentials: { identifier: "superadmin", password: "a password" },
    requireVerification: false,
  },
  dbConnectionOptions: {
    type: "postgres",
    host: database.hostname,
    port: Number(database.port),
    username: decodeURIComponent(database.username),
    password: decodeURIComponent(database.password),
    database: database.pathname.slice(1),
    synchronize: true,
  },
  logger: new DefaultLogger({ level: LogLevel.Info, timestamp: false }),
  paymentOptions: { paymentMethodHandlers: [] },
  schedulerOptions: { runTasksInWorkerOnly: false },
  plugins: [
    PaylinkPlugin.init({
      baseUrl: env.PAYLINK_URL,
      apiKey: env.PAYLINK_KEY,
      webhookSecret: env.PAYLINK_WEBHOOK_SECRET,
      successUrl: "https://shop.example/order/{order}",
      cancelUrl: "https://shop.example/checkout",
      refunds: "mail",
    }),
    // Without a scheduler only webhooks record payments.
    ...(env.SCHEDULER === "on" ? [DefaultSchedulerPlugin.init({ manualTriggerCheckInterval: 500 })] : []),
  ],
}).catch((error) => {
  console.error(error);
  process.exit(1);
});
