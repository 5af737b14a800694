CREATE TABLE "node_probes" (
	"env" text NOT NULL,
	"network" text NOT NULL,
	"place" integer NOT NULL,
	"node" text NOT NULL,
	"checks" jsonb NOT NULL,
	"probed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "node_probes_env_network_place_pk" PRIMARY KEY("env","network","place")
);
