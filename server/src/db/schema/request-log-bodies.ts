import { promptPrivacyModes } from '@sluice/contract';
import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytes } from './api-keys.ts';

export const requestLogBodies = pgTable('request_log_bodies', {
  id: uuid().primaryKey(),
  tenantId: integer('tenant_id').notNull(),
  prompt: text(),
  response: text(),
  /** Written by nodes of 0.1.0. */
  requestBody: text('request_body'),
  /** Compressed with the prompt as the dictionary (`compressText`). */
  requestBodyZstd: bytes('request_body_zstd'),
  requestBytes: integer('request_bytes').notNull(),
  requestSha256: bytes('request_sha256'),
  responseBytes: integer('response_bytes').notNull(),
  /** The privacy mode when the row was written. */
  promptPrivacy: text('prompt_privacy', { enum: promptPrivacyModes }).notNull().default('full'),
});
