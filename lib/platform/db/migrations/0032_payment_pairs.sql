ALTER TABLE "payment_link_wallets" DROP CONSTRAINT "payment_link_wallets_payment_link_id_network_pk";--> statement-breakpoint
ALTER TABLE "payment_link_wallets" ADD CONSTRAINT "payment_link_wallets_payment_link_id_network_token_pk" PRIMARY KEY("payment_link_id","network","token");--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "payment_pairs" text[];--> statement-breakpoint
ALTER TABLE "payment_links" ADD COLUMN "pairs" text[];