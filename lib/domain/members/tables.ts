import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { Role } from "#lib/domain/authority/types.ts";
import { env } from "#lib/domain/columns.ts";
import { merchants } from "#lib/domain/merchants/tables.ts";
import { bytes, createdAt, id, timestampMs } from "#lib/platform/db/columns.ts";

/** People who sign in to the console. */
export const users = pgTable(
  "users",
  {
    id: id(),
    /** The user handle of passkeys (Web Authentication, section 5.4.3). */
    handle: uuid("handle").notNull().unique(),
    email: text("email").notNull(),
    name: text("name").notNull(),
    isOperator: boolean("is_operator").notNull().default(false),
    /** As hashPassword writes it. null: the person has passkeys only. */
    passwordHash: text("password_hash"),
    /** The sealed secret of the authenticator app. Never null if there is a password. */
    totpSecret: bytes("totp_secret"),
    /** The newest time step whose code was accepted. A code works once. */
    totpStep: bigint("totp_step", { mode: "number" }),
    /** Wrong passwords and codes since the last right ones. */
    failures: integer("failures").notNull().default(0),
    /** Until then no password and no code is accepted. Passkeys are. */
    lockedUntil: timestampMs("locked_until"),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("users_email").on(sql`lower(${t.email})`)],
);

/** The people who work for each merchant. */
export const members = pgTable(
  "members",
  {
    merchantId: bigint("merchant_id", { mode: "number" })
      .notNull()
      .references(() => merchants.id),
    userId: bigint("user_id", { mode: "number" })
      .notNull()
      .references(() => users.id),
    role: text("role").$type<Role>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.userId] }), index("members_user").on(t.userId)],
);

/** Filters of the list of payments that a member keeps under a name. They end with the membership. */
export const savedViews = pgTable(
  "saved_views",
  {
    id: id(),
    merchantId: bigint("merchant_id", { mode: "number" }).notNull(),
    userId: bigint("user_id", { mode: "number" }).notNull(),
    env: env(),
    name: text("name").notNull(),
    /** The filter as the query of the list's URL. */
    query: text("query").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    foreignKey({
      name: "saved_views_member",
      columns: [t.merchantId, t.userId],
      foreignColumns: [members.merchantId, members.userId],
    }).onDelete("cascade"),
    uniqueIndex("saved_views_name").on(t.merchantId, t.userId, t.env, t.name),
    check("saved_views_bounds", sql`char_length(name) <= 40 and char_length(query) <= 1000`),
  ],
);

/** Invitations to the console. A link works once, until `expiresAt`. */
export const invitations = pgTable(
  "invitations",
  {
    id: id(),
    /** The merchant to join. Null: an invitation for the operator, or of a person who is reset. */
    merchantId: bigint("merchant_id", { mode: "number" }).references(() => merchants.id),
    /** The role to get. Null if `merchantId` is. */
    role: text("role").$type<Role>(),
    email: text("email").notNull(),
    /** The person who invites: it ends with their right to invite. null: the operator does, with the command. */
    invitedBy: bigint("invited_by", { mode: "number" }).references(() => users.id),
    /** The person who signs up again with it, after the operator has reset them. null: it is an invitation for a merchant or the operator. */
    resetsUserId: bigint("resets_user_id", { mode: "number" }).references(() => users.id),
    /** SHA-256 of the token in the link. */
    tokenHash: bytes("token_hash").notNull().unique(),
    expiresAt: timestampMs("expires_at").notNull(),
    acceptedAt: timestampMs("accepted_at"),
    revokedAt: timestampMs("revoked_at"),
    createdAt: createdAt(),
  },
  (t) => [index("invitations_merchant").on(t.merchantId, t.id)],
);

/** Public keys of people's passkeys (Web Authentication). */
export const passkeys = pgTable(
  "passkeys",
  {
    id: id(),
    userId: bigint("user_id", { mode: "number" })
      .notNull()
      .references(() => users.id),
    /** base64url, as browsers send it. */
    credentialId: text("credential_id").notNull().unique(),
    /** COSE key. */
    publicKey: bytes("public_key").notNull(),
    /** Signatures so far, as the authenticator counts them. Always 0 for synchronized passkeys. */
    counter: bigint("counter", { mode: "number" }).notNull(),
    transports: text("transports").array().notNull(),
    name: text("name").notNull(),
    createdAt: createdAt(),
    lastUsedAt: timestampMs("last_used_at"),
  },
  (t) => [index("passkeys_user").on(t.userId)],
);

/** Challenges of passkeys that were answered. Each is accepted once. Deleted after they have expired. */
export const spentChallenges = pgTable(
  "spent_challenges",
  {
    challenge: text("challenge").primaryKey(),
    expiresAt: timestampMs("expires_at").notNull(),
  },
  (t) => [index("spent_challenges_expiry").on(t.expiresAt)],
);

/** Codes for people who have lost their passkeys or their authenticator app. Each works once. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    userId: bigint("user_id", { mode: "number" })
      .notNull()
      .references(() => users.id),
    /** SHA-256 of the code: 60 random bits and a limit of tries need no slow hash. */
    codeHash: bytes("code_hash").notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
);

/** Browsers in which people are signed in. Rows of ended sessions are deleted. */
export const sessions = pgTable(
  "sessions",
  {
    id: id(),
    userId: bigint("user_id", { mode: "number" })
      .notNull()
      .references(() => users.id),
    /** SHA-256 of the token in the cookie. */
    tokenHash: bytes("token_hash").notNull().unique(),
    /** SHA-256 of the token before the last renewal, which still works until then. */
    formerHash: bytes("former_hash").unique(),
    formerUntil: timestampMs("former_until"),
    ip: text("ip").notNull(),
    userAgent: text("user_agent").notNull(),
    createdAt: createdAt(),
    lastSeenAt: timestampMs("last_seen_at").notNull(),
    /** When the person last used a passkey or a code in this session. */
    verifiedAt: timestampMs("verified_at").notNull(),
  },
  (t) => [index("sessions_user").on(t.userId), index("sessions_age").on(t.lastSeenAt)],
);
