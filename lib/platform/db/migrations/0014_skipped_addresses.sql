ALTER TABLE "addresses" DROP CONSTRAINT "addresses_owner";--> statement-breakpoint
ALTER TABLE "foreign_deposits" ALTER COLUMN "merchant_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "addresses" ADD CONSTRAINT "addresses_owner" CHECK ((purpose in ('account', 'skipped')) = (merchant_id is null));