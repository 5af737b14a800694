CREATE TABLE "address_counts" (
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"network" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "address_counts_merchant_id_env_network_pk" PRIMARY KEY("merchant_id","env","network")
);
--> statement-breakpoint
CREATE TABLE "buys" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "buys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"env" text NOT NULL,
	"merchant_id" bigint NOT NULL,
	"token" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"cost" numeric(78,0) NOT NULL,
	"fee" numeric(78,0) NOT NULL,
	"price" text NOT NULL,
	"price_source" text NOT NULL,
	"price_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "buys_amounts" CHECK (amount > 0 and cost > 0 and fee >= 0)
);
--> statement-breakpoint
CREATE TABLE "merchant_totals" (
	"env" text NOT NULL,
	"merchant_id" bigint NOT NULL,
	"credit" numeric(78,0) DEFAULT 0 NOT NULL,
	"debit" numeric(78,0) DEFAULT 0 NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "merchant_totals_env_merchant_id_pk" PRIMARY KEY("env","merchant_id")
);
--> statement-breakpoint
CREATE TABLE "network_settings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "network_settings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"env" text NOT NULL,
	"network" text NOT NULL,
	"status" boolean DEFAULT true NOT NULL,
	"send" boolean DEFAULT true NOT NULL,
	"receive" boolean DEFAULT true NOT NULL,
	"generate" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refused_attempts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "refused_attempts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"env" text NOT NULL,
	"merchant_id" bigint NOT NULL,
	"token" text NOT NULL,
	"direction" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"balance" numeric(78,0) NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "token_settings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "token_settings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"env" text NOT NULL,
	"token" text NOT NULL,
	"status" boolean NOT NULL,
	"send" boolean NOT NULL,
	"receive" boolean NOT NULL,
	"buy" boolean NOT NULL,
	"sell" boolean NOT NULL,
	"swap" boolean NOT NULL,
	"minimum_trade" numeric(78,0) NOT NULL,
	"maximum_trade" numeric(78,0) NOT NULL,
	"minimum_send" numeric(78,0) NOT NULL,
	"maximum_send" numeric(78,0) NOT NULL,
	"minimum_receive" numeric(78,0) NOT NULL,
	"maximum_receive" numeric(78,0) NOT NULL,
	"send_fee" numeric(78,0) NOT NULL,
	"minimum_fee" numeric(78,0) NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transfer_values" (
	"transfer_id" bigint PRIMARY KEY NOT NULL,
	"env" text NOT NULL,
	"merchant_id" bigint NOT NULL,
	"direction" text NOT NULL,
	"usd" numeric(78,0),
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "withdrawals" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "withdrawals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"refid" text NOT NULL,
	"env" text NOT NULL,
	"merchant_id" bigint NOT NULL,
	"token" text NOT NULL,
	"network" text NOT NULL,
	"to_address" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"fee" numeric(78,0) NOT NULL,
	"status" integer DEFAULT 0 NOT NULL,
	"checked" boolean DEFAULT false NOT NULL,
	"tx_hash" text,
	"transactions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"refund_of" bigint,
	"failure_reason" text,
	"processed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "withdrawals_refid_unique" UNIQUE("refid"),
	CONSTRAINT "withdrawals_status" CHECK (status in (0, 1, 2, 3, 5)),
	CONSTRAINT "withdrawals_amounts" CHECK (amount > 0 and fee >= 0)
);
--> statement-breakpoint
ALTER TABLE "address_counts" ADD CONSTRAINT "address_counts_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "buys" ADD CONSTRAINT "buys_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_totals" ADD CONSTRAINT "merchant_totals_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refused_attempts" ADD CONSTRAINT "refused_attempts_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_values" ADD CONSTRAINT "transfer_values_transfer_id_ledger_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."ledger_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_values" ADD CONSTRAINT "transfer_values_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "addresses_customer" ON "addresses" USING btree ("customer_id","network","id") WHERE purpose = 'customer';--> statement-breakpoint
CREATE INDEX "addresses_own" ON "addresses" USING btree ("merchant_id","env","network","id") WHERE purpose = 'merchant';--> statement-breakpoint
CREATE INDEX "customers_merchant" ON "customers" USING btree ("merchant_id","env","id");--> statement-breakpoint
CREATE INDEX "buys_merchant" ON "buys" USING btree ("merchant_id","env","id");--> statement-breakpoint
CREATE UNIQUE INDEX "network_settings_identity" ON "network_settings" USING btree ("env","network");--> statement-breakpoint
CREATE INDEX "refused_attempts_merchant" ON "refused_attempts" USING btree ("merchant_id","env","id");--> statement-breakpoint
CREATE UNIQUE INDEX "token_settings_identity" ON "token_settings" USING btree ("env","token");--> statement-breakpoint
CREATE INDEX "transfer_values_unpriced" ON "transfer_values" USING btree ("transfer_id") WHERE usd is null;--> statement-breakpoint
CREATE INDEX "withdrawals_merchant" ON "withdrawals" USING btree ("merchant_id","env","id");--> statement-breakpoint
CREATE INDEX "withdrawals_open" ON "withdrawals" USING btree ("env","network","id") WHERE status in (0, 1, 5);--> statement-breakpoint
CREATE UNIQUE INDEX "withdrawals_hash" ON "withdrawals" USING btree ("env","network","tx_hash","to_address");--> statement-breakpoint
CREATE UNIQUE INDEX "withdrawals_refund" ON "withdrawals" USING btree ("refund_of");--> statement-breakpoint
-- Whoever gives out an address holds its account key until the end of the transaction: nobody waits for a count besides.
CREATE FUNCTION keep_address_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO address_counts AS c (merchant_id, env, network, count)
    SELECT merchant_id, env, network, count(*) FROM given_out GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (merchant_id, env, network) DO UPDATE SET count = c.count + excluded.count;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER addresses_counted AFTER INSERT ON addresses
  REFERENCING NEW TABLE AS given_out FOR EACH STATEMENT EXECUTE FUNCTION keep_address_counts();
--> statement-breakpoint
INSERT INTO address_counts (merchant_id, env, network, count)
  SELECT merchant_id, env, network, count(*) FROM addresses GROUP BY 1, 2, 3;
--> statement-breakpoint
-- Every network and token of the service has its row, in both environments. Live buys are the operator's to turn on.
INSERT INTO "network_settings" ("env", "network")
  SELECT e, n FROM unnest(ARRAY['live', 'test']) WITH ORDINALITY AS envs(e, i),
    unnest(ARRAY['bitcoin', 'erc20', 'bep20', 'trc20', 'solana', 'xrp', 'base', 'litecoin', 'dogecoin']) WITH ORDINALITY AS networks(n, j)
  ORDER BY i, j;
--> statement-breakpoint
INSERT INTO "token_settings" ("env", "token", "status", "send", "receive", "buy", "sell", "swap", "minimum_trade", "maximum_trade",
    "minimum_send", "maximum_send", "minimum_receive", "maximum_receive", "send_fee", "minimum_fee")
  SELECT e, v.token, true, v.booked, v.booked, e = 'test' AND v.token <> 'usdt', false, false, v.minimum_trade, v.maximum_trade,
    v.minimum_send, v.maximum_send, v.minimum_receive, v.maximum_receive, v.send_fee, 10000000000000000
  FROM unnest(ARRAY['live', 'test']) WITH ORDINALITY AS envs(e, i), (VALUES
    (0, 'btc', true, 2000::numeric, 100000000::numeric, 10000::numeric, 1000000000::numeric, 1000::numeric, 10000000000::numeric, 5000::numeric),
    (1, 'eth', false, 500000000000000::numeric, 20000000000000000000::numeric, 1000000000000000::numeric, 200000000000000000000::numeric, 100000000000000::numeric, 2000000000000000000000::numeric, 500000000000000::numeric),
    (2, 'usdt', true, 1000000000000000000::numeric, 100000000000000000000000::numeric, 1000000000000000000::numeric, 1000000000000000000000000::numeric, 10000000000000000::numeric, 1000000000000000000000000::numeric, 1000000000000000000::numeric),
    (3, 'trx', false, 5000000::numeric, 500000000000::numeric, 5000000::numeric, 5000000000000::numeric, 100000::numeric, 50000000000000::numeric, 1000000::numeric),
    (4, 'sol', false, 10000000::numeric, 500000000000::numeric, 10000000::numeric, 5000000000000::numeric, 1000000::numeric, 50000000000000::numeric, 1000000::numeric),
    (5, 'bnb', false, 2000000000000000::numeric, 100000000000000000000::numeric, 2000000000000000::numeric, 1000000000000000000000::numeric, 10000000000000::numeric, 10000000000000000000000::numeric, 500000000000000::numeric),
    (6, 'ltc', false, 2000000::numeric, 50000000000::numeric, 2000000::numeric, 500000000000::numeric, 100000::numeric, 5000000000000::numeric, 100000::numeric),
    (7, 'doge', false, 1000000000::numeric, 50000000000000::numeric, 1000000000::numeric, 500000000000000::numeric, 100000000::numeric, 5000000000000000::numeric, 200000000::numeric),
    (8, 'bch', false, 500000::numeric, 10000000000::numeric, 500000::numeric, 100000000000::numeric, 10000::numeric, 1000000000000::numeric, 50000::numeric),
    (9, 'xrp', false, 2000000::numeric, 50000000000::numeric, 2000000::numeric, 500000000000::numeric, 10000::numeric, 5000000000000::numeric, 200000::numeric),
    (10, 'shib', false, 100000000000000000000000::numeric, 5000000000000000000000000000::numeric, 100000000000000000000000::numeric, 50000000000000000000000000000::numeric, 1000000000000000000000::numeric, 500000000000000000000000000000::numeric, 50000000000000000000000::numeric),
    (11, 'ada', false, 2000000::numeric, 100000000000::numeric, 2000000::numeric, 1000000000000::numeric, 1000000::numeric, 10000000000000::numeric, 1000000::numeric),
    (12, 'twt', false, 2000000000000000000::numeric, 50000000000000000000000::numeric, 2000000000000000000::numeric, 500000000000000000000000::numeric, 10000000000000000::numeric, 5000000000000000000000000::numeric, 500000000000000000::numeric),
    (13, 'busd', false, 1000000000000000000::numeric, 100000000000000000000000::numeric, 1000000000000000000::numeric, 1000000000000000000000000::numeric, 10000000000000000::numeric, 1000000000000000000000000::numeric, 1000000000000000000::numeric),
    (14, 'comp', false, 20000000000000000::numeric, 1000000000000000000000::numeric, 20000000000000000::numeric, 10000000000000000000000::numeric, 100000000000000::numeric, 100000000000000000000000::numeric, 10000000000000000::numeric)
  ) AS v(j, token, booked, minimum_trade, maximum_trade, minimum_send, maximum_send, minimum_receive, maximum_receive, send_fee)
  ORDER BY i, j;
