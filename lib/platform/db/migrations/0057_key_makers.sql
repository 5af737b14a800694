ALTER TABLE "invitations" ADD COLUMN "invited_by" bigint;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "resets_user_id" bigint;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "made_by" bigint;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_resets_user_id_users_id_fk" FOREIGN KEY ("resets_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_made_by" ON "api_keys" USING btree ("made_by");--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- Who made the keys that exist is in the audit log: a person, a key of a person, or the command that replaced such a key.
WITH RECURSIVE "made" AS (
	SELECT substr("subject", 5)::bigint AS "key_id", substr("actor", 6)::bigint AS "user_id"
	FROM "audit_log" WHERE "action" = 'key.create' AND "subject" ~ '^key:[0-9]{1,15}$' AND "actor" ~ '^user:[0-9]{1,15}$'
	UNION
	SELECT substr("child"."subject", 5)::bigint, "made"."user_id"
	FROM "made" JOIN "audit_log" "child" ON "child"."subject" ~ '^key:[0-9]{1,15}$'
		AND (("child"."action" = 'key.create' AND "child"."actor" = 'key:' || "made"."key_id")
			OR ("child"."action" = 'key.rotate' AND "child"."details"->>'old_key' = "made"."key_id"::text
				-- Where the operator replaced the key of somebody who had left, that person never saw the new one.
				AND EXISTS (SELECT FROM "members" JOIN "api_keys" ON "api_keys"."merchant_id" = "members"."merchant_id"
					WHERE "api_keys"."id" = "made"."key_id" AND "members"."user_id" = "made"."user_id")))
)
UPDATE "api_keys" SET "made_by" = "made"."user_id"
FROM "made" JOIN "users" ON "users"."id" = "made"."user_id" WHERE "api_keys"."id" = "made"."key_id";--> statement-breakpoint
-- Keys of people who have left end now.
UPDATE "api_keys" SET "revoked_at" = now()
WHERE "made_by" IS NOT NULL AND ("revoked_at" IS NULL OR "revoked_at" > now()) AND NOT EXISTS (
	SELECT FROM "members" WHERE "members"."merchant_id" = "api_keys"."merchant_id" AND "members"."user_id" = "api_keys"."made_by");--> statement-breakpoint
UPDATE "invitations" SET "invited_by" = substr("audit_log"."actor", 6)::bigint
FROM "audit_log" JOIN "users" ON 'user:' || "users"."id" = "audit_log"."actor"
WHERE "audit_log"."action" = 'member.invite' AND "audit_log"."actor" ~ '^user:[0-9]{1,15}$'
	AND "audit_log"."details"->>'invitation' = "invitations"."id"::text;
