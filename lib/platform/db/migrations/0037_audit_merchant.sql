ALTER TABLE "audit_log" ADD COLUMN "merchant_id" bigint;--> statement-breakpoint
CREATE INDEX "audit_log_merchant" ON "audit_log" USING btree ("merchant_id","id") WHERE merchant_id is not null;