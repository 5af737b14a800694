ALTER TABLE "payment_link_wallets" DROP CONSTRAINT "payment_link_wallets_payment_link_id_network_pk";--> statement-breakpoint
ALTER TABLE "payment_link_wallets" ADD CONSTRAINT "payment_link_wallets_payment_link_id_network_token_pk" PRIMARY KEY("payment_link_id","network","token");--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "payment_pairs" text[];--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "pairs" text[];--> statement-breakpoint
-- USDC with the limits of USDT. Live buys are the operator's to turn on.
INSERT INTO "token_settings" ("env", "token", "status", "send", "receive", "buy", "sell", "swap", "minimum_trade", "maximum_trade",
    "minimum_send", "maximum_send", "minimum_receive", "maximum_receive", "send_fee", "minimum_fee")
  SELECT e, 'usdc', true, true, true, e = 'test', false, false, 1000000000000000000, 100000000000000000000000,
    1000000000000000000, 1000000000000000000000000, 10000000000000000, 1000000000000000000000000, 1000000000000000000, 10000000000000000
  FROM unnest(ARRAY['live', 'test']) WITH ORDINALITY AS envs(e, i) ORDER BY i;
