import { hostname } from 'node:os';
import type { ObjectStoreConfig } from '#object-store/object-store.ts';
import type { LogLevel } from '#platform/logger.ts';

/** Trace samplers. The `parentbased` samplers follow the caller's span if there is one. */
export const traceSamplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export interface TracingConfig {
  endpoint: string;
  /** Headers for the receiver. May contain credentials. */
  headers: Record<string, string>;
  serviceName: string;
  sampler: (typeof traceSamplers)[number];
  /** Share of new traces that are sampled, from 0 to 1. Used only by ratio samplers. */
  sampledRatio: number;
}

/** Settings from the environment, as plain data that can be sent to workers. */
export interface Config {
  http: {
    idleTimeoutMs: number;
    host: string;
    /** 0 means any free port. */
    port: number;
    publicUrl: string;
    bodyLimitBytes: number;
    /** Limit in bytes of all request bodies held by one worker. One user may use a quarter. */
    bodyBudgetBytes: number;
    /** Limit in bytes of all responses buffered by one worker. One tenant may use half. */
    responseBudgetBytes: number;
    /** Networks in CIDR form whose X-Forwarded-* headers are trusted. */
    trustedProxies: string[];
  };
  /** External PostgreSQL; `null` uses the embedded one. */
  database: { url: string; directUrl: string } | null;
  /** Standby for lists and reports while its lag is at most `lagMaxMs`; `null` reads from the primary. */
  replica: { url: string; lagMaxMs: number } | null;
  /** ClickHouse URL with the database of the request log; `null` stores the log in PostgreSQL. */
  logStoreUrl: string | null;
  /** Object storage for request and response bodies; `null` stores them in the request log. */
  bodyStore: ObjectStoreConfig | null;
  /** Number of characters of prompts and responses that remain searchable in the request log; `null` means all. */
  searchedLength: number | null;
  /** Object storage for exported request log rows; `null` exports none. */
  logExport: ObjectStoreConfig | null;
  /** Absolute path of the data folder. */
  dataDir: string;
  /** Whether the database or the data folder is configured. Otherwise, the default folder is used. */
  isInstallationNamed: boolean;
  /** Master key; `null` uses the one in the data folder. */
  secret: string | null;
  /** Previous secrets during a rotation, newest first. */
  formerSecrets: readonly string[];
  admin: { email: string; password: string | null };
  workers: number;
  /** Maximum number of database connections per worker. */
  connectionsPerWorker: number;
  /**
   * Whether the operator has set the maximum number of the node's connections. If not, the connections are fitted to
   * the server at startup.
   */
  isConnectionCapGiven: boolean;
  /** Number of nodes that share the database; `null` means the registered nodes, at least 2. */
  nodes: number | null;
  /** Maximum number of concurrent requests per worker, for one user and for one key. */
  concurrencyMax: number;
  /** Time for which the gateway reads a response for its usage after the caller has disconnected; 0 disables this. */
  abandonedTimeoutMs: number;
  /** Whether provider endpoints may be loopback or private addresses. */
  canReachPrivateEndpoints: boolean;
  isSandboxEnabled: boolean;
  /** Whether the public API is also served under the paths of other gateways, such as `/v1/chat/completions`. */
  allowsShortPaths: boolean;
  /** Configuration file or folder that each start applies; `null` applies none. */
  configurationFile: string | null;
  isSignupOpen: boolean;
  isDemo: boolean;
  isJournalSynced: boolean;
  /** Time for which a stopping node still accepts requests, and time for running requests to finish after that. */
  drain: { delayMs: number; timeoutMs: number };
  /** Mail server; `null` keeps mails in the outbox. */
  mail: { smtpUrl: string; from: string } | null;
  /** Stripe configuration; `null` disables payments. */
  stripe: { secretKey: string; publishableKey: string; webhookSecret: string; apiBase: string | null } | null;
  logLevel: LogLevel;
  hasAccessLog: boolean;
  /** Tracing configuration; `null` disables tracing. */
  tracing: TracingConfig | null;
  /** Token for the metrics endpoint; `null` disables the endpoint. */
  metricsToken: string | null;
  /** Webhook for alerts; `null` shows alerts only as banners. */
  alertWebhook: { url: string; secret: string } | null;
  /** Identity provider that each start adds or updates; `null` adds none. */
  identityProvider: IdentityProviderConfig | null;
  /** OpenTelemetry variables that are set but have no effect in Sluice. */
  unusedVariables: string[];
}

/** OpenID Connect provider for all organizations, and an email domain that belongs to the first one. */
export interface IdentityProviderConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  domain: string | null;
}

/** Returns the name of a node for operators. `supervisorPid` distinguishes nodes whose port is 0. */
export function nameNode({ http }: Pick<Config, 'http'>, supervisorPid: number): string {
  return `${hostname()}:${http.port === 0 ? supervisorPid : http.port}`;
}
