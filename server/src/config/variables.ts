import { parseDomain } from '@sluice/contract';
import { z } from 'zod';
import { logLevels } from '#platform/logger.ts';
import { readMachineLimits } from '#platform/machine-limits.ts';
import { traceSamplers } from './config.ts';
import { defaultWorkers } from './fit-connections.ts';
import {
  byteSize,
  databaseUrl,
  duration,
  emailAddress,
  flag,
  headerList,
  integer,
  logStoreUrl,
  networks,
  objectStore,
  ratio,
  secretList,
  sender,
  serverUrl,
  url,
  webAddress,
} from './value-formats.ts';

const databaseUrlWords =
  'a postgresql:// URL; target_session_attrs, which several hosts may need, is read-write or primary';

const secretKey = (...prefixes: string[]) =>
  z
    .string()
    .refine((text) => prefixes.some((prefix) => text.startsWith(prefix) && text.length > prefix.length));

/** Environment variables that Sluice reads. Each description completes the sentence "expected ...". */
export const variables = z.object({
  PORT: integer(0, 65_535).default(8080).describe('a port from 0 to 65535'),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/)
    .default('127.0.0.1')
    .describe('a host name or an address to listen on'),
  PUBLIC_URL: webAddress().optional().describe('an http:// or https:// URL without a query'),
  DATABASE_URL: databaseUrl().optional().describe(databaseUrlWords),
  DATABASE_DIRECT_URL: databaseUrl().optional().describe(databaseUrlWords),
  DATABASE_READ_URL: serverUrl().optional().describe('a postgresql:// URL of one server'),
  DATABASE_READ_MAX_LAG: duration(1_000, 3_600_000)
    .default(60_000)
    .describe('a time from 1 s to 1 h, such as "60 s"'),
  SLUICE_LOG_STORE: logStoreUrl()
    .optional()
    .describe('an https:// URL of ClickHouse with a database, or an http:// URL of a loopback address'),
  SLUICE_BODY_STORE: objectStore()
    .optional()
    .describe('s3://bucket/prefix?endpoint=URL&region=NAME; http:// only for a loopback address'),
  SLUICE_SEARCHED_LENGTH: integer(2_000, 65_536)
    .optional()
    .describe('a number of characters from 2000 to 65536'),
  SLUICE_LOG_EXPORT: objectStore()
    .optional()
    .describe('s3://bucket/prefix?endpoint=URL&region=NAME; http:// only for a loopback address'),
  AWS_ACCESS_KEY_ID: z.string().max(500).optional().describe('at most 500 characters'),
  AWS_SECRET_ACCESS_KEY: z.string().max(500).optional().describe('at most 500 characters'),
  SLUICE_DATABASE_CONNECTIONS: integer(5, 100_000)
    .optional()
    .describe('a number of connections, at least 4 for each worker and 1 for each four'),
  SLUICE_DATA_DIR: z.string().default('./data').describe('a folder'),
  SLUICE_SECRET: z.string().min(32).optional().describe('at least 32 characters'),
  SLUICE_FORMER_SECRET: secretList(32)
    .default([])
    .describe('at least 32 characters, or a comma-separated list of such secrets, newest first'),
  SLUICE_ADMIN_EMAIL: emailAddress().default('admin@example.com').describe('an email address'),
  SLUICE_ADMIN_PASSWORD: z.string().min(6).max(128).optional().describe('6 to 128 characters'),
  SLUICE_WORKERS: integer(1, 256)
    .default(() => defaultWorkers(readMachineLimits()))
    .describe('a number of processes from 1 to 256'),
  SLUICE_NODES: integer(1, 1_000).optional().describe('a number of nodes from 1 to 1000'),
  SLUICE_CONCURRENCY: integer(1, 100_000).default(100).describe('a number of requests from 1 to 100000'),
  SLUICE_ABANDONED_TIMEOUT: duration(0, 3_600_000)
    .default(120_000)
    .describe('a time from 0 to 1 h, such as "2 min"'),
  SLUICE_SANDBOX: flag().default(true).describe('1 or 0'),
  SLUICE_SHORT_PATHS: flag().default(true).describe('1 or 0'),
  SLUICE_CONFIG: z.string().max(4096).optional().describe('the path of a configuration file or folder'),
  SLUICE_SIGNUP: z.enum(['open', 'closed']).optional().describe('"open" or "closed"'),
  SLUICE_DEMO: flag().default(false).describe('1 or 0'),
  SLUICE_ALLOW_PRIVATE_ENDPOINTS: flag().default(false).describe('1 or 0'),
  SLUICE_BODY_LIMIT: byteSize(2 ** 10, 2 ** 30)
    .default(10 * 2 ** 20)
    .describe('a size from 1 KiB to 1 GiB, such as "10 MiB" or "10485760"'),
  SLUICE_BODY_BUDGET: byteSize(2 ** 12, 2 ** 40)
    .optional()
    .describe('a size of at least four times SLUICE_BODY_LIMIT, such as "256 MiB"'),
  SLUICE_RESPONSE_BUDGET: byteSize(2 ** 20, 2 ** 40)
    .default(256 * 2 ** 20)
    .describe('a size from 1 MiB to 1 TiB, such as "256 MiB"'),
  SLUICE_TRUSTED_PROXIES: networks()
    .default([])
    .describe('a comma-separated list of addresses or networks, such as "10.0.0.0/8,::1"'),
  SLUICE_JOURNAL_SYNC: flag().default(false).describe('1 or 0'),
  SLUICE_IDLE_TIMEOUT: duration(1_000, 3_600_000)
    .default(60_000)
    .describe('a time from 1 s to 1 h, such as "75 s"'),
  SLUICE_DRAIN_DELAY: duration(0, 600_000).default(0).describe('a time from 0 to 10 min, such as "5 s"'),
  SLUICE_DRAIN_TIMEOUT: duration(0, 3_600_000)
    .default(30_000)
    .describe('a time from 0 to 1 h, such as "30 s"'),
  // The token is sent in a header and therefore limited to printable ASCII.
  SLUICE_METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/)
    .optional()
    .describe('at least 16 characters of ASCII without spaces'),
  SMTP_URL: url('smtp', 'smtps').optional().describe('an smtp:// or smtps:// URL'),
  MAIL_FROM: sender().optional().describe('an email address, or "Name <address>"'),
  STRIPE_SECRET_KEY: secretKey('sk_', 'rk_').optional().describe('a key that begins with sk_ or rk_'),
  STRIPE_PUBLISHABLE_KEY: secretKey('pk_').optional().describe('a key that begins with pk_'),
  STRIPE_WEBHOOK_SECRET: secretKey('whsec_').optional().describe('a secret that begins with whsec_'),
  STRIPE_API_BASE: webAddress().optional().describe('an http:// or https:// URL without a query'),
  LOG_LEVEL: z
    .enum(logLevels)
    .default('info')
    .describe(`one of ${logLevels.join(', ')}`),
  SLUICE_ACCESS_LOG: flag().default(false).describe('1 or 0'),
  SLUICE_ALERT_WEBHOOK_URL: url('http', 'https').optional().describe('an http:// or https:// URL'),
  SLUICE_ALERT_WEBHOOK_SECRET: z.string().min(16).optional().describe('at least 16 characters'),
  SLUICE_OIDC_ISSUER: webAddress().optional().describe('an http:// or https:// URL without a query'),
  SLUICE_OIDC_CLIENT_ID: z.string().max(500).optional().describe('at most 500 characters'),
  SLUICE_OIDC_CLIENT_SECRET: z.string().max(2_000).optional().describe('at most 2,000 characters'),
  SLUICE_OIDC_DOMAIN: z
    .string()
    .transform((text) => parseDomain(text))
    .pipe(z.string())
    .optional()
    .describe('a domain such as example.com'),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress().optional().describe('an http:// or https:// URL'),
  OTEL_EXPORTER_OTLP_HEADERS: headerList()
    .default({})
    .describe('a comma-separated list such as "x-key=abc,x-team=llm"'),
  OTEL_SERVICE_NAME: z.string().max(255).default('sluice').describe('at most 255 characters'),
  OTEL_TRACES_SAMPLER: z
    .enum(traceSamplers)
    .default('parentbased_always_on')
    .describe(`one of ${traceSamplers.join(', ')}`),
  OTEL_TRACES_SAMPLER_ARG: ratio().default(1).describe('a number from 0 to 1'),
});

/** Variables that may also be read from a file named by `<NAME>_FILE`. Messages never contain their values. */
export const secretVariables = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_READ_URL',
  'SLUICE_LOG_STORE',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'SLUICE_SECRET',
  'SLUICE_FORMER_SECRET',
  'SLUICE_ADMIN_PASSWORD',
  'SLUICE_METRICS_TOKEN',
  'SMTP_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'SLUICE_ALERT_WEBHOOK_URL',
  'SLUICE_ALERT_WEBHOOK_SECRET',
  'SLUICE_OIDC_CLIENT_SECRET',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const satisfies (keyof typeof variables.shape)[];
