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
CREATE INDEX "addresses_network" ON "addresses" USING btree ("env","network","id");