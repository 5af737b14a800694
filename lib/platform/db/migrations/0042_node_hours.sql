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
CREATE INDEX "node_hours_age" ON "node_hours" USING btree ("hour");