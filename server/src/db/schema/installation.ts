import { boolean, integer, pgTable, timestamp } from 'drizzle-orm/pg-core';
import { bytes } from './api-keys.ts';

/** One row: proves that a node has the secret this database was set up with, and names the key it printed. */
export const installation = pgTable('installation', {
  id: boolean().primaryKey().default(true),
  secretCheck: bytes('secret_check').notNull(),
  sealedHashKeys: bytes('sealed_hash_keys'),
  firstKeyId: integer('first_key_id'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});
