CREATE TABLE "small_deposits" (
	"deposit_id" bigint PRIMARY KEY NOT NULL,
	"payment_link_id" bigint NOT NULL,
	"reported" boolean NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "small_deposits" ADD CONSTRAINT "small_deposits_deposit_id_deposits_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "small_deposits_link" ON "small_deposits" USING btree ("payment_link_id");--> statement-breakpoint
CREATE INDEX "small_deposits_due" ON "small_deposits" USING btree ("created_at","payment_link_id");--> statement-breakpoint
CREATE INDEX "webhook_events_age" ON "webhook_events" USING btree ("created_at");--> statement-breakpoint
-- Whoever gets credits gets those below the minimum too, now in events of their own type.
UPDATE "webhook_endpoints" SET "event_types" = "event_types" || 'small_deposits'::text WHERE 'deposit_credited' = ANY("event_types");
