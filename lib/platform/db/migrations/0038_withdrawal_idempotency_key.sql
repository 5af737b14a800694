ALTER TABLE "withdrawals" ADD COLUMN "idempotency_key" text;--> statement-breakpoint
CREATE UNIQUE INDEX "withdrawals_key" ON "withdrawals" USING btree ("merchant_id","env","idempotency_key");