CREATE TABLE "attention" (
	"subject" text PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"attempts" integer NOT NULL,
	"retry_at" timestamp (3) with time zone NOT NULL,
	"height" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"merchant_id" bigint,
	"ip" text,
	"details" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deposit_totals" (
	"address_id" bigint NOT NULL,
	"token" text NOT NULL,
	"total" numeric(78,0) NOT NULL,
	CONSTRAINT "deposit_totals_address_id_token_pk" PRIMARY KEY("address_id","token")
);
--> statement-breakpoint
CREATE TABLE "deposits" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "deposits_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"env" text NOT NULL,
	"network" text NOT NULL,
	"token" text NOT NULL,
	"merchant_id" bigint,
	"address_id" bigint NOT NULL,
	"tx_hash" text NOT NULL,
	"position" integer NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"sender" text,
	"extra" text,
	"spends" text[] DEFAULT '{}' NOT NULL,
	"status" integer DEFAULT 0 NOT NULL,
	"block_height" bigint,
	"block_hash" text,
	"block_time" timestamp (3) with time zone,
	"confirmations" integer DEFAULT 0 NOT NULL,
	"required_confirmations" integer NOT NULL,
	"unmatched_reason" text,
	"credit_round" integer DEFAULT 0 NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"early_amount" numeric(78,0) DEFAULT 0 NOT NULL,
	"early_seen_at" timestamp (3) with time zone,
	"confirmed_at" timestamp (3) with time zone,
	"dropped_from" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "deposits_status" CHECK (status in (0, 1, 2, 3)),
	CONSTRAINT "deposits_held" CHECK (status <> 3 or unmatched_reason is not null),
	CONSTRAINT "deposits_amount" CHECK (amount > 0),
	CONSTRAINT "deposits_early" CHECK (early_amount >= 0 and early_amount < amount and (early_amount > 0) = (early_seen_at is not null)),
	CONSTRAINT "deposits_owner" CHECK (merchant_id is not null or (unmatched_reason is not null and status <> 1))
);
--> statement-breakpoint
CREATE TABLE "foreign_deposits" (
	"id" bigint PRIMARY KEY DEFAULT nextval('deposits_id_seq') NOT NULL,
	"env" text NOT NULL,
	"network" text NOT NULL,
	"contract" text NOT NULL,
	"merchant_id" bigint,
	"address_id" bigint NOT NULL,
	"tx_hash" text NOT NULL,
	"position" integer NOT NULL,
	"raw_amount" numeric(78,0) NOT NULL,
	"sender" text,
	"block_height" bigint NOT NULL,
	"block_hash" text NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "foreign_deposits_amount" CHECK (raw_amount > 0)
);
--> statement-breakpoint
CREATE TABLE "foreign_sweeps" (
	"env" text NOT NULL,
	"network" text NOT NULL,
	"height" bigint NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "foreign_sweeps_env_network_pk" PRIMARY KEY("env","network")
);
--> statement-breakpoint
CREATE TABLE "node_certificates" (
	"env" text NOT NULL,
	"network" text NOT NULL,
	"node" text NOT NULL,
	"fingerprint" text NOT NULL,
	"by_authority" boolean NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "node_certificates_env_network_node_pk" PRIMARY KEY("env","network","node")
);
--> statement-breakpoint
CREATE TABLE "small_deposits" (
	"deposit_id" bigint PRIMARY KEY NOT NULL,
	"payment_link_id" bigint NOT NULL,
	"reported" boolean NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "unswept_amounts" (
	"address_id" bigint NOT NULL,
	"token" text NOT NULL,
	"env" text NOT NULL,
	"network" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"retry_at" timestamp (3) with time zone,
	CONSTRAINT "unswept_amounts_address_id_token_pk" PRIMARY KEY("address_id","token")
);
--> statement-breakpoint
CREATE TABLE "watch_cursors" (
	"env" text NOT NULL,
	"network" text NOT NULL,
	"height" bigint NOT NULL,
	"hash" text NOT NULL,
	"node_height" bigint NOT NULL,
	"pass_started_at" timestamp (3) with time zone,
	"error" text,
	"mempool_error" text,
	"head_time" timestamp (3) with time zone,
	"finalized_height" bigint,
	"finalized_since" timestamp (3) with time zone,
	"finality_late" boolean DEFAULT false NOT NULL,
	"gap_from" bigint,
	"gap_to" bigint,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "watch_cursors_env_network_pk" PRIMARY KEY("env","network")
);
--> statement-breakpoint
CREATE TABLE "watched_blocks" (
	"env" text NOT NULL,
	"network" text NOT NULL,
	"height" bigint NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "watched_blocks_env_network_height_pk" PRIMARY KEY("env","network","height")
);
--> statement-breakpoint
CREATE TABLE "form_pictures" (
	"form_id" bigint PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "form_pictures_size" CHECK (octet_length("form_pictures"."bytes") between 1 and 300000)
);
--> statement-breakpoint
CREATE TABLE "form_visits" (
	"form_id" bigint NOT NULL,
	"visit" "bytea" NOT NULL,
	"refid" text NOT NULL,
	"visitor" "bytea",
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "form_visits_form_id_visit_pk" PRIMARY KEY("form_id","visit")
);
--> statement-breakpoint
CREATE TABLE "forms" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "forms_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"code" text NOT NULL,
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"picture" text,
	"currency" text NOT NULL,
	"amount" numeric(78,0),
	"minimum_amount" numeric(78,0),
	"maximum_amount" numeric(78,0),
	"suggested_amounts" jsonb NOT NULL,
	"ask" jsonb NOT NULL,
	"fields" jsonb NOT NULL,
	"max_quantity" integer NOT NULL,
	"stock" integer,
	"total_limit" numeric(78,0),
	"payment_reference" text NOT NULL,
	"success_url" text,
	"cancel_url" text,
	"expires_at" timestamp (3) with time zone,
	"archived_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "forms_code_unique" UNIQUE("code")
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
CREATE TABLE "ledger_accounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"env" text NOT NULL,
	"token" text NOT NULL,
	"code" text NOT NULL,
	"merchant_id" bigint,
	"balance" numeric(78,0) DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_accounts_not_negative" CHECK (balance >= 0 or not (code like 'merchant:%' or code like 'reserved:%'))
);
--> statement-breakpoint
CREATE TABLE "ledger_postings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_postings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"transfer_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"balance_before" numeric(78,0) NOT NULL,
	"balance_after" numeric(78,0) NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_postings_sum" CHECK (balance_after = balance_before + amount)
);
--> statement-breakpoint
CREATE TABLE "ledger_transfers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_transfers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"env" text NOT NULL,
	"token" text NOT NULL,
	"from_account_id" bigint NOT NULL,
	"to_account_id" bigint NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"cause" text NOT NULL,
	"reversal_of" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_transfers_reversal_of_unique" UNIQUE("reversal_of"),
	CONSTRAINT "ledger_transfers_amount" CHECK (amount > 0),
	CONSTRAINT "ledger_transfers_accounts" CHECK (from_account_id <> to_account_id)
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
CREATE TABLE "transfer_values" (
	"transfer_id" bigint PRIMARY KEY NOT NULL,
	"env" text NOT NULL,
	"merchant_id" bigint NOT NULL,
	"direction" text NOT NULL,
	"usd" numeric(78,0),
	"price_source" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_settings" (
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"kinds" text[] NOT NULL,
	"recipient" text,
	"digested_until" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mail_settings_merchant_id_env_pk" PRIMARY KEY("merchant_id","env")
);
--> statement-breakpoint
CREATE TABLE "mail_stops" (
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"address" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mail_stops_merchant_id_env_address_pk" PRIMARY KEY("merchant_id","env","address")
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mails_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"kind" text NOT NULL,
	"recipient" text NOT NULL,
	"data" jsonb NOT NULL,
	"token" uuid DEFAULT gen_random_uuid() NOT NULL,
	"sender_domain" text,
	"status" text DEFAULT 'due' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"claimed_until" timestamp (3) with time zone,
	"last_status" integer,
	"last_error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mails_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "invitations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"merchant_id" bigint,
	"role" text,
	"email" text NOT NULL,
	"invited_by" bigint,
	"resets_user_id" bigint,
	"token_hash" "bytea" NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"accepted_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "invitations_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "members" (
	"merchant_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "members_merchant_id_user_id_pk" PRIMARY KEY("merchant_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "passkeys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "passkeys_credential_id_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"user_id" bigint NOT NULL,
	"code_hash" "bytea" NOT NULL,
	CONSTRAINT "recovery_codes_user_id_code_hash_pk" PRIMARY KEY("user_id","code_hash")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sessions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"former_hash" "bytea",
	"former_until" timestamp (3) with time zone,
	"ip" text NOT NULL,
	"user_agent" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"verified_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sessions_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "sessions_former_hash_unique" UNIQUE("former_hash")
);
--> statement-breakpoint
CREATE TABLE "spent_challenges" (
	"challenge" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"handle" uuid NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"is_operator" boolean DEFAULT false NOT NULL,
	"password_hash" text,
	"totp_secret" "bytea",
	"totp_step" bigint,
	"failures" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_handle_unique" UNIQUE("handle")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "api_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"scope" text DEFAULT 'full' NOT NULL,
	"hash" "bytea" NOT NULL,
	"last4" text NOT NULL,
	"made_by" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "customers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "customers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"email" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"phone" text,
	"blacklisted" boolean DEFAULT false NOT NULL,
	"verified" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ip_entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ip_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"merchant_id" bigint NOT NULL,
	"name" text NOT NULL,
	"address" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "merchant_logos" (
	"merchant_id" bigint PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "merchant_logos_size" CHECK (octet_length("merchant_logos"."bytes") between 1 and 100000)
);
--> statement-breakpoint
CREATE TABLE "merchants" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "merchants_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"code" uuid DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"late_policy" text DEFAULT 'hold' NOT NULL,
	"fee_percentage" text DEFAULT '1' NOT NULL,
	"tolerance_under_bps" integer DEFAULT 50 NOT NULL,
	"tolerance_under_max" integer DEFAULT 1,
	"tolerance_over_bps" integer DEFAULT 0 NOT NULL,
	"round_stablecoins" boolean DEFAULT true NOT NULL,
	"rate_markup_bps" integer DEFAULT 0 NOT NULL,
	"fixed_rates" text,
	"payment_pairs" text[],
	"allow_origins" text[] DEFAULT '{}' NOT NULL,
	"logo" text,
	"accent" text,
	"support" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "merchants_code_unique" UNIQUE("code"),
	CONSTRAINT "merchants_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "node_hours" (
	"env" text NOT NULL,
	"network" text NOT NULL,
	"node" text NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"requests" bigint NOT NULL,
	"errors" bigint NOT NULL,
	"behind" integer NOT NULL,
	CONSTRAINT "node_hours_env_network_node_hour_pk" PRIMARY KEY("env","network","node","hour")
);
--> statement-breakpoint
CREATE TABLE "node_probes" (
	"env" text NOT NULL,
	"network" text NOT NULL,
	"place" integer NOT NULL,
	"node" text NOT NULL,
	"checks" jsonb NOT NULL,
	"probed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "node_probes_env_network_place_pk" PRIMARY KEY("env","network","place")
);
--> statement-breakpoint
CREATE TABLE "link_day_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "link_day_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"day" date NOT NULL,
	"metric" text NOT NULL,
	"count" integer NOT NULL,
	"usd_cents" numeric(78,0) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "link_day_totals" (
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"day" date NOT NULL,
	"metric" text NOT NULL,
	"count" bigint NOT NULL,
	"usd_cents" numeric(78,0) NOT NULL,
	CONSTRAINT "link_day_totals_merchant_id_env_day_metric_pk" PRIMARY KEY("merchant_id","env","day","metric")
);
--> statement-breakpoint
CREATE TABLE "payment_link_wallets" (
	"payment_link_id" bigint NOT NULL,
	"network" text NOT NULL,
	"token" text NOT NULL,
	"address_id" bigint NOT NULL,
	"visitor" "bytea",
	"language" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_link_wallets_payment_link_id_network_token_pk" PRIMARY KEY("payment_link_id","network","token"),
	CONSTRAINT "payment_link_wallets_address_id_unique" UNIQUE("address_id")
);
--> statement-breakpoint
CREATE TABLE "payment_links" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payment_links_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"refid" text NOT NULL,
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"customer_id" bigint NOT NULL,
	"customer_email" text NOT NULL,
	"customer_first_name" text NOT NULL,
	"customer_last_name" text NOT NULL,
	"customer_phone" text,
	"payment_reference" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"currency" text NOT NULL,
	"usd_cents" numeric(78,0),
	"success_url" text NOT NULL,
	"cancel_url" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"metadata" text,
	"wallet_pre_generated" boolean NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"reason" text,
	"late" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"seq" integer DEFAULT 0 NOT NULL,
	"next_check_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	"paid_network" text,
	"canceled_at" timestamp (3) with time zone,
	"pairs" text[],
	"form_id" bigint,
	"form_quantity" integer,
	"pos_device_id" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_links_refid_unique" UNIQUE("refid")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"deposit_id" bigint PRIMARY KEY NOT NULL,
	"payment_link_id" bigint NOT NULL,
	"quote_id" bigint,
	"early_quote_id" bigint,
	"announced" text,
	"late" boolean DEFAULT false NOT NULL,
	"minimum_receive" numeric(78,0) DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "quotes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "quotes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"payment_link_id" bigint NOT NULL,
	"network" text NOT NULL,
	"token" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"asked" numeric(78,0) NOT NULL,
	"minimum_receive" numeric(78,0) DEFAULT 0 NOT NULL,
	"rate" text NOT NULL,
	"rate_source" text NOT NULL,
	"rate_at" timestamp (3) with time zone NOT NULL,
	"valid_from" timestamp (3) with time zone NOT NULL,
	"valid_until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pos_devices" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "pos_devices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"form_id" bigint NOT NULL,
	"name" text NOT NULL,
	"code_hash" "bytea",
	"code_expires_at" timestamp (3) with time zone NOT NULL,
	"token_hash" "bytea",
	"time_zone" text DEFAULT 'UTC' NOT NULL,
	"paired_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pos_devices_code_hash_unique" UNIQUE("code_hash"),
	CONSTRAINT "pos_devices_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "token_prices" (
	"token" text PRIMARY KEY NOT NULL,
	"price" text NOT NULL,
	"source" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
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
	"unpaid_addresses" integer DEFAULT 10000 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
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
CREATE TABLE "account_keys" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "account_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"env" text NOT NULL,
	"key" text NOT NULL,
	"next_index" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "account_keys_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "address_counts" (
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"network" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "address_counts_merchant_id_env_network_pk" PRIMARY KEY("merchant_id","env","network")
);
--> statement-breakpoint
CREATE TABLE "addresses" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "addresses_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"env" text NOT NULL,
	"network" text NOT NULL,
	"address" text NOT NULL,
	"account_key_id" bigint NOT NULL,
	"index" integer NOT NULL,
	"path" text NOT NULL,
	"merchant_id" bigint,
	"purpose" text NOT NULL,
	"customer_id" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "addresses_owner" CHECK ((purpose in ('account', 'skipped')) = (merchant_id is null))
);
--> statement-breakpoint
CREATE TABLE "paid_address_counts" (
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"network" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "paid_address_counts_merchant_id_env_network_pk" PRIMARY KEY("merchant_id","env","network")
);
--> statement-breakpoint
CREATE TABLE "pool_addresses" (
	"account_key_id" bigint NOT NULL,
	"index" integer NOT NULL,
	"network" text NOT NULL,
	"address" text NOT NULL,
	"path" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pool_addresses_account_key_id_index_pk" PRIMARY KEY("account_key_id","index")
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_attempts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"delivery_id" bigint NOT NULL,
	"attempt" integer NOT NULL,
	"url" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"status" integer,
	"error" text,
	"answer" "bytea"
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event_id" bigint NOT NULL,
	"endpoint_id" bigint NOT NULL,
	"status" text DEFAULT 'due' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"claimed_until" timestamp (3) with time zone,
	"last_status" integer,
	"last_error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_endpoints_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"url" text,
	"secret" "bytea" NOT NULL,
	"event_types" text[],
	"previous_secret" "bytea",
	"previous_secret_until" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"disabled_at" timestamp (3) with time zone,
	"removed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"type" text NOT NULL,
	"body" text NOT NULL,
	"tx_hashes" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refund_claims" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "refund_claims_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"env" text NOT NULL,
	"merchant_id" bigint NOT NULL,
	"payment_link_id" bigint NOT NULL,
	"network" text NOT NULL,
	"token" text NOT NULL,
	"amount" numeric(78,0) NOT NULL,
	"note" text,
	"secret_hash" "bytea" NOT NULL,
	"sealed_secret" "bytea",
	"idempotency_key" text,
	"mailed" boolean DEFAULT false NOT NULL,
	"requested_by" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"withdrawal_id" bigint,
	"problem" text,
	"problem_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "refund_claims_secret_hash_unique" UNIQUE("secret_hash"),
	CONSTRAINT "refund_claims_withdrawal_id_unique" UNIQUE("withdrawal_id"),
	CONSTRAINT "refund_claims_amount" CHECK (amount > 0),
	CONSTRAINT "refund_claims_end" CHECK (withdrawal_id is null or revoked_at is null)
);
--> statement-breakpoint
CREATE TABLE "outgoing_transactions" (
	"env" text NOT NULL,
	"network" text NOT NULL,
	"hash" text NOT NULL,
	"kind" text DEFAULT 'payout' NOT NULL,
	"raw" text NOT NULL,
	"spends" text[] DEFAULT '{}' NOT NULL,
	"moves" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"block" text,
	"block_height" bigint,
	"next_at" timestamp (3) with time zone,
	"settled_at" timestamp (3) with time zone,
	"outcome" text,
	"fee" numeric(78,0),
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "outgoing_transactions_env_network_hash_pk" PRIMARY KEY("env","network","hash"),
	CONSTRAINT "outgoing_kind" CHECK (kind in ('payout', 'cancel', 'sweep', 'cold', 'consolidation', 'deploy')),
	CONSTRAINT "outgoing_outcome" CHECK (outcome in ('final', 'replaced', 'expired')),
	CONSTRAINT "outgoing_settled" CHECK ((settled_at is null) = (outcome is null) and (fee is null) = (outcome is distinct from 'final'))
);
--> statement-breakpoint
CREATE TABLE "payout_signatures" (
	"withdrawal_id" bigint NOT NULL,
	"approver" text NOT NULL,
	"signature" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payout_signatures_withdrawal_id_approver_pk" PRIMARY KEY("withdrawal_id","approver")
);
--> statement-breakpoint
CREATE TABLE "signer_accounts" (
	"env" text NOT NULL,
	"network" text NOT NULL,
	"address" text NOT NULL,
	"version" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"stepped_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "signer_accounts_env_network_pk" PRIMARY KEY("env","network")
);
--> statement-breakpoint
CREATE TABLE "withdrawal_addresses" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "withdrawal_addresses_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"network" text NOT NULL,
	"address" text NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "withdrawal_approvals" (
	"withdrawal_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"assertion" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "withdrawal_approvals_withdrawal_id_user_id_pk" PRIMARY KEY("withdrawal_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "withdrawal_holds" (
	"withdrawal_id" bigint PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "withdrawal_limits" (
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"token" text NOT NULL,
	"per_transfer" numeric(78,0),
	"per_day" numeric(78,0),
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "withdrawal_limits_merchant_id_env_token_pk" PRIMARY KEY("merchant_id","env","token")
);
--> statement-breakpoint
CREATE TABLE "withdrawal_policies" (
	"merchant_id" bigint PRIMARY KEY NOT NULL,
	"second_person" boolean DEFAULT false NOT NULL,
	"address_book" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "withdrawal_settlements" (
	"withdrawal_id" bigint PRIMARY KEY NOT NULL,
	"tx_hash" text NOT NULL,
	"asked" numeric(78,0) NOT NULL,
	"paid" numeric(78,0) NOT NULL,
	"excess" text NOT NULL,
	"reason" text NOT NULL,
	"proposed_by" text NOT NULL,
	"proposal" text NOT NULL,
	"approved_by" text,
	"approval" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"approved_at" timestamp (3) with time zone
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
	"idempotency_key" text,
	"checked" boolean DEFAULT false NOT NULL,
	"tx_hash" text,
	"transactions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"refund_of" bigint,
	"payment_link_id" bigint,
	"requested_by" text,
	"needs_approval" boolean DEFAULT false NOT NULL,
	"approved_at" timestamp (3) with time zone,
	"finding" text,
	"failure_reason" text,
	"processed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "withdrawals_refid_unique" UNIQUE("refid"),
	CONSTRAINT "withdrawals_status" CHECK (status in (0, 1, 2, 3, 5)),
	CONSTRAINT "withdrawals_amounts" CHECK (amount > 0 and fee >= 0)
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"merchant_id" bigint NOT NULL,
	"env" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" "bytea" NOT NULL,
	"status" integer,
	"response" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_merchant_id_env_key_pk" PRIMARY KEY("merchant_id","env","key")
);
--> statement-breakpoint
ALTER TABLE "deposit_totals" ADD CONSTRAINT "deposit_totals_address_id_addresses_id_fk" FOREIGN KEY ("address_id") REFERENCES "public"."addresses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposits" ADD CONSTRAINT "deposits_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deposits" ADD CONSTRAINT "deposits_address_id_addresses_id_fk" FOREIGN KEY ("address_id") REFERENCES "public"."addresses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "foreign_deposits" ADD CONSTRAINT "foreign_deposits_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "foreign_deposits" ADD CONSTRAINT "foreign_deposits_address_id_addresses_id_fk" FOREIGN KEY ("address_id") REFERENCES "public"."addresses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "small_deposits" ADD CONSTRAINT "small_deposits_deposit_id_deposits_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unswept_amounts" ADD CONSTRAINT "unswept_amounts_address_id_addresses_id_fk" FOREIGN KEY ("address_id") REFERENCES "public"."addresses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "form_pictures" ADD CONSTRAINT "form_pictures_form_id_forms_id_fk" FOREIGN KEY ("form_id") REFERENCES "public"."forms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "form_visits" ADD CONSTRAINT "form_visits_form_id_forms_id_fk" FOREIGN KEY ("form_id") REFERENCES "public"."forms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "forms" ADD CONSTRAINT "forms_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "buys" ADD CONSTRAINT "buys_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_postings" ADD CONSTRAINT "ledger_postings_transfer_id_ledger_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."ledger_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_postings" ADD CONSTRAINT "ledger_postings_account_id_ledger_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_transfers" ADD CONSTRAINT "ledger_transfers_from_account_id_ledger_accounts_id_fk" FOREIGN KEY ("from_account_id") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_transfers" ADD CONSTRAINT "ledger_transfers_to_account_id_ledger_accounts_id_fk" FOREIGN KEY ("to_account_id") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_totals" ADD CONSTRAINT "merchant_totals_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refused_attempts" ADD CONSTRAINT "refused_attempts_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_values" ADD CONSTRAINT "transfer_values_transfer_id_ledger_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."ledger_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_values" ADD CONSTRAINT "transfer_values_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_settings" ADD CONSTRAINT "mail_settings_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_stops" ADD CONSTRAINT "mail_stops_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_resets_user_id_users_id_fk" FOREIGN KEY ("resets_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ip_entries" ADD CONSTRAINT "ip_entries_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "merchant_logos" ADD CONSTRAINT "merchant_logos_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_day_changes" ADD CONSTRAINT "link_day_changes_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "link_day_totals" ADD CONSTRAINT "link_day_totals_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_link_wallets" ADD CONSTRAINT "payment_link_wallets_payment_link_id_payment_links_id_fk" FOREIGN KEY ("payment_link_id") REFERENCES "public"."payment_links"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_link_wallets" ADD CONSTRAINT "payment_link_wallets_address_id_addresses_id_fk" FOREIGN KEY ("address_id") REFERENCES "public"."addresses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_form_id_forms_id_fk" FOREIGN KEY ("form_id") REFERENCES "public"."forms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_pos_device_id_pos_devices_id_fk" FOREIGN KEY ("pos_device_id") REFERENCES "public"."pos_devices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_deposit_id_deposits_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposits"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_payment_link_id_payment_links_id_fk" FOREIGN KEY ("payment_link_id") REFERENCES "public"."payment_links"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_quote_id_quotes_id_fk" FOREIGN KEY ("quote_id") REFERENCES "public"."quotes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_early_quote_id_quotes_id_fk" FOREIGN KEY ("early_quote_id") REFERENCES "public"."quotes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_payment_link_id_payment_links_id_fk" FOREIGN KEY ("payment_link_id") REFERENCES "public"."payment_links"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pos_devices" ADD CONSTRAINT "pos_devices_form_id_forms_id_fk" FOREIGN KEY ("form_id") REFERENCES "public"."forms"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "address_counts" ADD CONSTRAINT "address_counts_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "addresses" ADD CONSTRAINT "addresses_account_key_id_account_keys_id_fk" FOREIGN KEY ("account_key_id") REFERENCES "public"."account_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "addresses" ADD CONSTRAINT "addresses_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "addresses" ADD CONSTRAINT "addresses_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "paid_address_counts" ADD CONSTRAINT "paid_address_counts_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_addresses" ADD CONSTRAINT "pool_addresses_account_key_id_account_keys_id_fk" FOREIGN KEY ("account_key_id") REFERENCES "public"."account_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_webhook_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."webhook_events"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD CONSTRAINT "webhook_events_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_claims" ADD CONSTRAINT "refund_claims_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_claims" ADD CONSTRAINT "refund_claims_payment_link_id_payment_links_id_fk" FOREIGN KEY ("payment_link_id") REFERENCES "public"."payment_links"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_claims" ADD CONSTRAINT "refund_claims_withdrawal_id_withdrawals_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_signatures" ADD CONSTRAINT "payout_signatures_withdrawal_id_withdrawals_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_addresses" ADD CONSTRAINT "withdrawal_addresses_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_approvals" ADD CONSTRAINT "withdrawal_approvals_withdrawal_id_withdrawals_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_approvals" ADD CONSTRAINT "withdrawal_approvals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_holds" ADD CONSTRAINT "withdrawal_holds_withdrawal_id_withdrawals_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_limits" ADD CONSTRAINT "withdrawal_limits_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_policies" ADD CONSTRAINT "withdrawal_policies_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawal_settlements" ADD CONSTRAINT "withdrawal_settlements_withdrawal_id_withdrawals_id_fk" FOREIGN KEY ("withdrawal_id") REFERENCES "public"."withdrawals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_payment_link_id_payment_links_id_fk" FOREIGN KEY ("payment_link_id") REFERENCES "public"."payment_links"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_subject" ON "audit_log" USING btree ("subject","id");--> statement-breakpoint
CREATE INDEX "audit_log_merchant" ON "audit_log" USING btree ("merchant_id","id") WHERE merchant_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "deposits_identity" ON "deposits" USING btree ("env","network","tx_hash","position");--> statement-breakpoint
CREATE INDEX "deposits_pending" ON "deposits" USING btree ("env","network","id") WHERE status = 0;--> statement-breakpoint
CREATE INDEX "deposits_height" ON "deposits" USING btree ("env","network","block_height");--> statement-breakpoint
CREATE INDEX "deposits_merchant" ON "deposits" USING btree ("merchant_id","env",(-id));--> statement-breakpoint
CREATE INDEX "deposits_credited" ON "deposits" USING btree ("merchant_id","env",(-id)) WHERE status = 1;--> statement-breakpoint
CREATE INDEX "deposits_hash" ON "deposits" USING btree ("merchant_id","env","tx_hash");--> statement-breakpoint
CREATE INDEX "deposits_address" ON "deposits" USING btree ("address_id");--> statement-breakpoint
CREATE INDEX "deposits_spends" ON "deposits" USING gin ("spends") WHERE cardinality(spends) > 0;--> statement-breakpoint
CREATE INDEX "deposits_unmatched" ON "deposits" USING btree ("env","id") WHERE unmatched_reason is not null and status in (0, 3);--> statement-breakpoint
CREATE INDEX "deposits_spendable" ON "deposits" USING btree ("env","network","confirmed_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE status = 1 and network in ('bitcoin', 'litecoin', 'dogecoin');--> statement-breakpoint
CREATE INDEX "deposits_open" ON "deposits" USING btree ("address_id","token") WHERE unmatched_reason is not null and status in (0, 3);--> statement-breakpoint
CREATE UNIQUE INDEX "foreign_deposits_identity" ON "foreign_deposits" USING btree ("env","network","tx_hash","position");--> statement-breakpoint
CREATE INDEX "foreign_deposits_open" ON "foreign_deposits" USING btree ("env","id") WHERE resolved_at is null;--> statement-breakpoint
CREATE INDEX "foreign_deposits_address" ON "foreign_deposits" USING btree ("address_id");--> statement-breakpoint
CREATE INDEX "small_deposits_link" ON "small_deposits" USING btree ("payment_link_id");--> statement-breakpoint
CREATE INDEX "small_deposits_due" ON "small_deposits" USING btree ("created_at","payment_link_id");--> statement-breakpoint
CREATE INDEX "unswept_amounts_due" ON "unswept_amounts" USING btree ("env","network","token","amount") WHERE retry_at is null;--> statement-breakpoint
CREATE INDEX "unswept_amounts_retry" ON "unswept_amounts" USING btree ("env","network","retry_at") WHERE retry_at is not null;--> statement-breakpoint
CREATE INDEX "form_pictures_hash" ON "form_pictures" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "form_visits_visitor" ON "form_visits" USING btree ("visitor","created_at") WHERE visitor is not null;--> statement-breakpoint
CREATE INDEX "form_visits_age" ON "form_visits" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "forms_merchant" ON "forms" USING btree ("merchant_id","env","id");--> statement-breakpoint
CREATE INDEX "buys_merchant" ON "buys" USING btree ("merchant_id","env","id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_accounts_identity" ON "ledger_accounts" USING btree ("env","code","token");--> statement-breakpoint
CREATE INDEX "ledger_accounts_merchant" ON "ledger_accounts" USING btree ("merchant_id","env");--> statement-breakpoint
CREATE INDEX "ledger_postings_account" ON "ledger_postings" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "ledger_postings_time" ON "ledger_postings" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "ledger_postings_credits" ON "ledger_postings" USING btree ("account_id","id") WHERE amount > 0;--> statement-breakpoint
CREATE INDEX "ledger_postings_debits" ON "ledger_postings" USING btree ("account_id","id") WHERE amount < 0;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_postings_side" ON "ledger_postings" USING btree ("transfer_id","account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_transfers_cause" ON "ledger_transfers" USING btree ("cause");--> statement-breakpoint
CREATE INDEX "refused_attempts_merchant" ON "refused_attempts" USING btree ("merchant_id","env","id");--> statement-breakpoint
CREATE INDEX "transfer_values_unpriced" ON "transfer_values" USING btree ("transfer_id") WHERE usd is null;--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("next_attempt_at","id") WHERE status = 'due';--> statement-breakpoint
CREATE INDEX "mails_failed" ON "mails" USING btree ("id") WHERE status = 'failed';--> statement-breakpoint
CREATE INDEX "mails_recipient" ON "mails" USING btree (lower("recipient"),"kind","created_at");--> statement-breakpoint
CREATE INDEX "mails_merchant" ON "mails" USING btree ("merchant_id","id");--> statement-breakpoint
CREATE INDEX "mails_age" ON "mails" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "invitations_merchant" ON "invitations" USING btree ("merchant_id","id");--> statement-breakpoint
CREATE INDEX "members_user" ON "members" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "passkeys_user" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_age" ON "sessions" USING btree ("last_seen_at");--> statement-breakpoint
CREATE INDEX "spent_challenges_expiry" ON "spent_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "api_keys_merchant" ON "api_keys" USING btree ("merchant_id");--> statement-breakpoint
CREATE INDEX "api_keys_made_by" ON "api_keys" USING btree ("made_by");--> statement-breakpoint
CREATE UNIQUE INDEX "customers_identity" ON "customers" USING btree ("merchant_id","env",lower("email"));--> statement-breakpoint
CREATE INDEX "customers_merchant" ON "customers" USING btree ("merchant_id","env","id");--> statement-breakpoint
CREATE INDEX "ip_entries_merchant" ON "ip_entries" USING btree ("merchant_id");--> statement-breakpoint
CREATE INDEX "merchant_logos_hash" ON "merchant_logos" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "node_hours_age" ON "node_hours" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "link_day_changes_day" ON "link_day_changes" USING btree ("merchant_id","env","day");--> statement-breakpoint
CREATE INDEX "payment_link_wallets_visitor" ON "payment_link_wallets" USING btree ("visitor","created_at") WHERE visitor is not null;--> statement-breakpoint
CREATE INDEX "payment_links_newest" ON "payment_links" USING btree ("env","created_at","id");--> statement-breakpoint
CREATE INDEX "payment_links_merchant" ON "payment_links" USING btree ("merchant_id","env","created_at","id");--> statement-breakpoint
CREATE INDEX "payment_links_state" ON "payment_links" USING btree ("merchant_id","env","state","created_at","id") WHERE state <> 'open';--> statement-breakpoint
CREATE INDEX "payment_links_reference" ON "payment_links" USING btree ("merchant_id","env","payment_reference","created_at","id");--> statement-breakpoint
CREATE INDEX "payment_links_email" ON "payment_links" USING btree ("merchant_id","env",lower("customer_email"),"created_at","id");--> statement-breakpoint
CREATE INDEX "payment_links_last_name" ON "payment_links" USING btree ("merchant_id","env",lower("customer_last_name"),"created_at","id");--> statement-breakpoint
CREATE INDEX "payment_links_first_name" ON "payment_links" USING btree ("merchant_id","env",lower("customer_first_name"),"created_at","id");--> statement-breakpoint
CREATE INDEX "payment_links_form" ON "payment_links" USING btree ("form_id","form_quantity","amount") WHERE form_id is not null and state not in ('failed', 'expired');--> statement-breakpoint
CREATE INDEX "payment_links_device" ON "payment_links" USING btree ("pos_device_id","created_at","id") WHERE pos_device_id is not null;--> statement-breakpoint
CREATE INDEX "payment_links_due" ON "payment_links" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "payments_link" ON "payments" USING btree ("payment_link_id","deposit_id");--> statement-breakpoint
CREATE INDEX "quotes_link" ON "quotes" USING btree ("payment_link_id","network","id");--> statement-breakpoint
CREATE INDEX "pos_devices_form" ON "pos_devices" USING btree ("form_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "network_settings_identity" ON "network_settings" USING btree ("env","network");--> statement-breakpoint
CREATE UNIQUE INDEX "token_settings_identity" ON "token_settings" USING btree ("env","token");--> statement-breakpoint
CREATE UNIQUE INDEX "addresses_identity" ON "addresses" USING btree ("env","network","address");--> statement-breakpoint
CREATE UNIQUE INDEX "addresses_derivation" ON "addresses" USING btree ("account_key_id","index");--> statement-breakpoint
CREATE INDEX "addresses_network" ON "addresses" USING btree ("env","network","id");--> statement-breakpoint
CREATE INDEX "addresses_newest" ON "addresses" USING btree ("env","network","created_at");--> statement-breakpoint
CREATE INDEX "addresses_merchant" ON "addresses" USING btree ("merchant_id","env","network","id");--> statement-breakpoint
CREATE INDEX "addresses_customer" ON "addresses" USING btree ("customer_id","network","id") WHERE purpose = 'customer';--> statement-breakpoint
CREATE INDEX "addresses_own" ON "addresses" USING btree ("merchant_id","env","network","id") WHERE purpose = 'merchant';--> statement-breakpoint
CREATE UNIQUE INDEX "pool_addresses_identity" ON "pool_addresses" USING btree ("network","address");--> statement-breakpoint
CREATE INDEX "webhook_attempts_delivery" ON "webhook_attempts" USING btree ("delivery_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_lane" ON "webhook_deliveries" USING btree ("endpoint_id","next_attempt_at","id") WHERE status = 'due';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_event" ON "webhook_deliveries" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_endpoint" ON "webhook_deliveries" USING btree ("endpoint_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_undelivered" ON "webhook_deliveries" USING btree ("endpoint_id","id") WHERE status <> 'delivered';--> statement-breakpoint
CREATE INDEX "webhook_endpoints_merchant" ON "webhook_endpoints" USING btree ("merchant_id","env");--> statement-breakpoint
CREATE INDEX "webhook_events_refid" ON "webhook_events" USING btree (substring("body" from '"refid":"([0-9A-Za-z]{1,40})"'),"id");--> statement-breakpoint
CREATE INDEX "webhook_events_hashes" ON "webhook_events" USING gin ("tx_hashes");--> statement-breakpoint
CREATE INDEX "webhook_events_merchant" ON "webhook_events" USING btree ("merchant_id","env","id");--> statement-breakpoint
CREATE INDEX "webhook_events_time" ON "webhook_events" USING btree ("merchant_id","env","created_at");--> statement-breakpoint
CREATE INDEX "webhook_events_age" ON "webhook_events" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "refund_claims_payment_link" ON "refund_claims" USING btree ("payment_link_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "refund_claims_key" ON "refund_claims" USING btree ("merchant_id","env","idempotency_key");--> statement-breakpoint
CREATE INDEX "outgoing_unsettled" ON "outgoing_transactions" USING btree ("env","network","created_at","hash") WHERE settled_at is null;--> statement-breakpoint
CREATE INDEX "outgoing_moves" ON "outgoing_transactions" USING btree ("env","created_at","hash") WHERE kind <> 'payout';--> statement-breakpoint
CREATE INDEX "outgoing_costs" ON "outgoing_transactions" USING btree ("env","settled_at") WHERE outcome = 'final';--> statement-breakpoint
CREATE INDEX "outgoing_spends" ON "outgoing_transactions" USING gin ("spends") WHERE outcome = 'final';--> statement-breakpoint
CREATE UNIQUE INDEX "withdrawal_addresses_address" ON "withdrawal_addresses" USING btree ("merchant_id","env","network","address");--> statement-breakpoint
CREATE INDEX "withdrawal_holds_reason" ON "withdrawal_holds" USING btree ("reason","withdrawal_id");--> statement-breakpoint
CREATE INDEX "withdrawals_merchant" ON "withdrawals" USING btree ("merchant_id","env","id");--> statement-breakpoint
CREATE INDEX "withdrawals_open" ON "withdrawals" USING btree ("env","network","id") WHERE status in (0, 1, 5);--> statement-breakpoint
CREATE UNIQUE INDEX "withdrawals_hash" ON "withdrawals" USING btree ("env","network","tx_hash","to_address");--> statement-breakpoint
CREATE UNIQUE INDEX "withdrawals_refund" ON "withdrawals" USING btree ("refund_of");--> statement-breakpoint
CREATE INDEX "withdrawals_to_approve" ON "withdrawals" USING btree ("merchant_id","env","id") WHERE status = 0 and needs_approval and approved_at is null;--> statement-breakpoint
CREATE INDEX "withdrawals_payment_link" ON "withdrawals" USING btree ("payment_link_id","id") WHERE payment_link_id is not null;--> statement-breakpoint
CREATE INDEX "withdrawals_asked" ON "withdrawals" USING btree ("merchant_id","env","token","created_at") WHERE status in (0, 1, 3);--> statement-breakpoint
CREATE UNIQUE INDEX "withdrawals_key" ON "withdrawals" USING btree ("merchant_id","env","idempotency_key");--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
-- Everything from here is written by hand.
-- The room of people comes before that of merchants, whose tables.ts cannot import its tables.
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
-- The ledger is append-only: the database itself refuses to change or remove what was posted.
CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is append-only: % on % refused', TG_OP, TG_TABLE_NAME;
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_transfers_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transfers
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
--> statement-breakpoint
CREATE TRIGGER ledger_postings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_postings
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
--> statement-breakpoint
-- Decisions stay on record: the database itself refuses to change or remove them.
CREATE FUNCTION audit_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only: % refused', TG_OP;
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();
--> statement-breakpoint
-- The transaction that allocates an address holds its account key until its end: no other one waits for the count as well.
-- Addresses without a merchant are not counted.
CREATE FUNCTION keep_address_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO address_counts AS c (merchant_id, env, network, count)
    SELECT merchant_id, env, network, count(*) FROM given_out
      WHERE merchant_id IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (merchant_id, env, network) DO UPDATE SET count = c.count + excluded.count;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER addresses_counted AFTER INSERT ON addresses
  REFERENCING NEW TABLE AS given_out FOR EACH STATEMENT EXECUTE FUNCTION keep_address_counts();
--> statement-breakpoint
-- One upsert a statement, however many deposits it changes, in one order: two writers wait instead of deadlocking.
CREATE FUNCTION keep_deposit_totals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO deposit_totals AS t (address_id, token, total)
      SELECT address_id, token, sum(amount) FROM now_so WHERE status = 1 GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT (address_id, token) DO UPDATE SET total = t.total + excluded.total;
  ELSE
    INSERT INTO deposit_totals AS t (address_id, token, total)
      SELECT address_id, token, sum(amount) FROM (
        SELECT address_id, token, amount FROM now_so WHERE status = 1
        UNION ALL SELECT address_id, token, -amount FROM so_far WHERE status = 1) changes
      GROUP BY 1, 2 HAVING sum(amount) <> 0 ORDER BY 1, 2
      ON CONFLICT (address_id, token) DO UPDATE SET total = t.total + excluded.total;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER deposits_totals_insert AFTER INSERT ON deposits
  REFERENCING NEW TABLE AS now_so FOR EACH STATEMENT EXECUTE FUNCTION keep_deposit_totals();
--> statement-breakpoint
CREATE TRIGGER deposits_totals_update AFTER UPDATE ON deposits
  REFERENCING OLD TABLE AS so_far NEW TABLE AS now_so FOR EACH STATEMENT EXECUTE FUNCTION keep_deposit_totals();
--> statement-breakpoint
-- Counts an address when its first total is inserted: a second token does not count it again. One upsert a statement.
CREATE FUNCTION keep_paid_address_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO paid_address_counts AS c (merchant_id, env, network, count)
    SELECT a.merchant_id, a.env, a.network, count(*)
      FROM (SELECT address_id, count(*) AS tokens FROM first_totals GROUP BY 1) paid
      JOIN addresses a ON a.id = paid.address_id
      WHERE a.merchant_id IS NOT NULL
        AND paid.tokens = (SELECT count(*) FROM deposit_totals t WHERE t.address_id = paid.address_id)
      GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (merchant_id, env, network) DO UPDATE SET count = c.count + excluded.count;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER deposit_totals_paid AFTER INSERT ON deposit_totals
  REFERENCING NEW TABLE AS first_totals FOR EACH STATEMENT EXECUTE FUNCTION keep_paid_address_counts();
--> statement-breakpoint
-- One upsert a statement, in one order, as keep_deposit_totals. Reversed deposits are not subtracted: it is a hint.
CREATE FUNCTION keep_unswept_amounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO unswept_amounts AS u (address_id, token, env, network, amount)
      SELECT address_id, token, env, network, sum(amount) FROM now_so
      WHERE status IN (1, 3) AND network NOT IN ('bitcoin', 'litecoin', 'dogecoin', 'xrp')
      GROUP BY 1, 2, 3, 4 ORDER BY 1, 2
      ON CONFLICT (address_id, token) DO UPDATE SET amount = u.amount + excluded.amount;
  ELSE
    INSERT INTO unswept_amounts AS u (address_id, token, env, network, amount)
      SELECT n.address_id, n.token, n.env, n.network, sum(n.amount) FROM now_so n JOIN so_far o ON o.id = n.id
      WHERE n.status IN (1, 3) AND o.status NOT IN (1, 3) AND n.network NOT IN ('bitcoin', 'litecoin', 'dogecoin', 'xrp')
      GROUP BY 1, 2, 3, 4 ORDER BY 1, 2
      ON CONFLICT (address_id, token) DO UPDATE SET amount = u.amount + excluded.amount;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER deposits_unswept_insert AFTER INSERT ON deposits
  REFERENCING NEW TABLE AS now_so FOR EACH STATEMENT EXECUTE FUNCTION keep_unswept_amounts();
--> statement-breakpoint
CREATE TRIGGER deposits_unswept_update AFTER UPDATE ON deposits
  REFERENCING OLD TABLE AS so_far NEW TABLE AS now_so FOR EACH STATEMENT EXECUTE FUNCTION keep_unswept_amounts();
--> statement-breakpoint
-- Every network and token of the service has its row, in both environments. Live buys are the operator's to turn on.
INSERT INTO "network_settings" ("env", "network")
  SELECT e, n FROM unnest(ARRAY['live', 'test']) WITH ORDINALITY AS envs(e, i),
    unnest(ARRAY['bitcoin', 'erc20', 'bep20', 'trc20', 'solana', 'xrp', 'base', 'litecoin', 'dogecoin']) WITH ORDINALITY AS networks(n, j)
  ORDER BY i, j;
--> statement-breakpoint
-- No network carries bch and ada.
INSERT INTO "token_settings" ("env", "token", "status", "send", "receive", "buy", "sell", "swap", "minimum_trade", "maximum_trade",
    "minimum_send", "maximum_send", "minimum_receive", "maximum_receive", "send_fee", "minimum_fee")
  SELECT e, v.token, true, v.carried, v.carried, e = 'test' AND v.token <> 'usdt', false, false, v.minimum_trade, v.maximum_trade,
    v.minimum_send, v.maximum_send, v.minimum_receive, v.maximum_receive, v.send_fee, 10000000000000000
  FROM unnest(ARRAY['live', 'test']) WITH ORDINALITY AS envs(e, i), (
    SELECT *, token NOT IN ('bch', 'ada') AS carried FROM (VALUES
      (0, 'btc', 2000::numeric, 100000000::numeric, 10000::numeric, 1000000000::numeric, 1000::numeric, 10000000000::numeric, 5000::numeric),
      (1, 'eth', 500000000000000, 20000000000000000000, 1000000000000000, 200000000000000000000, 100000000000000, 2000000000000000000000, 500000000000000),
      (2, 'usdt', 1000000000000000000, 100000000000000000000000, 1000000000000000000, 1000000000000000000000000, 10000000000000000, 1000000000000000000000000, 1000000000000000000),
      (3, 'trx', 5000000, 500000000000, 5000000, 5000000000000, 100000, 50000000000000, 1000000),
      (4, 'sol', 10000000, 500000000000, 10000000, 5000000000000, 1000000, 50000000000000, 1000000),
      (5, 'bnb', 2000000000000000, 100000000000000000000, 2000000000000000, 1000000000000000000000, 10000000000000, 10000000000000000000000, 500000000000000),
      (6, 'ltc', 2000000, 50000000000, 2000000, 500000000000, 100000, 5000000000000, 100000),
      (7, 'doge', 1000000000, 50000000000000, 1000000000, 500000000000000, 100000000, 5000000000000000, 200000000),
      (8, 'bch', 500000, 10000000000, 500000, 100000000000, 10000, 1000000000000, 50000),
      (9, 'xrp', 2000000, 50000000000, 2000000, 500000000000, 10000, 5000000000000, 200000),
      (10, 'shib', 100000000000000000000000, 5000000000000000000000000000, 100000000000000000000000, 50000000000000000000000000000, 1000000000000000000000, 500000000000000000000000000000, 50000000000000000000000),
      (11, 'ada', 2000000, 100000000000, 2000000, 1000000000000, 1000000, 10000000000000, 1000000),
      (12, 'twt', 2000000000000000000, 50000000000000000000000, 2000000000000000000, 500000000000000000000000, 10000000000000000, 5000000000000000000000000, 500000000000000000),
      (13, 'busd', 1000000000000000000, 100000000000000000000000, 1000000000000000000, 1000000000000000000000000, 10000000000000000, 1000000000000000000000000, 1000000000000000000),
      (14, 'comp', 20000000000000000, 1000000000000000000000, 20000000000000000, 10000000000000000000000, 100000000000000, 100000000000000000000000, 10000000000000000),
      (15, 'usdc', 1000000000000000000, 100000000000000000000000, 1000000000000000000, 1000000000000000000000000, 10000000000000000, 1000000000000000000000000, 1000000000000000000)
    ) AS v(j, token, minimum_trade, maximum_trade, minimum_send, maximum_send, minimum_receive, maximum_receive, send_fee)
  ) AS v
  ORDER BY v.token = 'usdc', i, j;
