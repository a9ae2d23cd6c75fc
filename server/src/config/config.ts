import { hostname } from 'node:os';
import type { ObjectStoreConfig } from '#object-store/object-store.ts';
import type { LogLevel } from '#platform/logger.ts';

/** Samplers of traces; `parentbased` samplers follow the caller's span if there is one. */
export const traceSamplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Receiver of spans, and sampling. */
export interface TracingConfig {
  /** Base URL of an OTLP/HTTP receiver. */
  endpoint: string;
  /** May contain credentials. */
  headers: Record<string, string>;
  serviceName: string;
  sampler: (typeof traceSamplers)[number];
  /** Share of new traces that are sampled, from 0 to 1; only for ratio samplers. */
  sampledRatio: number;
}

/** All settings from the environment, as plain data that can be sent to workers. */
export interface Config {
  http: {
    /** Time after which an idle connection is closed. */
    idleTimeoutMs: number;
    host: string;
    /** 0 means any free port. */
    port: number;
    publicUrl: string;
    bodyLimitBytes: number;
    /** Limit of all request bodies that one worker holds at once; one user may use a quarter of it. */
    bodyBudgetBytes: number;
    /** Limit of all responses that one worker buffers at once; one tenant may use half of it. */
    responseBudgetBytes: number;
    /** Networks in CIDR form whose X-Forwarded-* headers are trusted. */
    trustedProxies: string[];
  };
  /** `null` uses the embedded PostgreSQL. */
  database: { url: string; directUrl: string } | null;
  /**
   * Standby from which lists and reports are read while its lag is at most `lagMaxMs`; `null` reads them from the
   * primary.
   */
  replica: { url: string; lagMaxMs: number } | null;
  /** URL of ClickHouse with the database for the request log; `null` stores the log in PostgreSQL. */
  logStoreUrl: string | null;
  /** Object storage for request and response bodies; `null` stores them in the request log. */
  bodyStore: ObjectStoreConfig | null;
  /** Characters of prompts and responses that remain searchable in the request log; `null` means all. */
  searchedLength: number | null;
  /** Object storage to which rows of the request log are exported; `null` exports none. */
  logExport: ObjectStoreConfig | null;
  /** An absolute path. */
  dataDir: string;
  /** Whether the database or the data folder is configured, instead of using the default folder. */
  isInstallationNamed: boolean;
  /** `null` uses the secret of the data folder. */
  secret: string | null;
  /** Previous secrets during a rotation, newest first. */
  formerSecrets: readonly string[];
  admin: { email: string; password: string | null };
  workers: number;
  /** Connections to the database that each worker may hold. */
  connectionsPerWorker: number;
  /** Whether the operator has capped the node's connections; if not, they are fitted to the server at startup. */
  isConnectionCapGiven: boolean;
  /** Number of nodes that share the database; `null` means the registered nodes, and at least 2. */
  nodes: number | null;
  /** Maximum number of concurrent requests of one user, and of one key, per worker. */
  concurrencyMax: number;
  /** How long the gateway reads a response for its usage after the caller has disconnected; 0 disables it. */
  abandonedTimeoutMs: number;
  /** Whether provider endpoints may be loopback or private addresses. */
  canReachPrivateEndpoints: boolean;
  isSandboxEnabled: boolean;
  /** Whether the public API also has the paths of other gateways, such as `/v1/chat/completions`. */
  allowsShortPaths: boolean;
  /** File or folder that each start applies; `null` applies none. */
  configurationFile: string | null;
  isSignupOpen: boolean;
  isDemo: boolean;
  isJournalSynced: boolean;
  /** How long a stopping node still accepts requests, and how long running requests may take after that. */
  drain: { delayMs: number; timeoutMs: number };
  /** `null` keeps mails in the outbox. */
  mail: { smtpUrl: string; from: string } | null;
  /** `null` disables payments. */
  stripe: { secretKey: string; publishableKey: string; webhookSecret: string; apiBase: string | null } | null;
  logLevel: LogLevel;
  /** Whether each request is logged. */
  hasAccessLog: boolean;
  /** `null` disables tracing. */
  tracing: TracingConfig | null;
  /** `null` disables the metrics endpoint. */
  metricsToken: string | null;
  /** `null` shows alerts as banners only. */
  alertWebhook: { url: string; secret: string } | null;
  /** Identity provider that each start adds or updates; `null` adds none. */
  identityProvider: IdentityProviderConfig | null;
  /** OpenTelemetry variables that are set but have no effect here. */
  unusedVariables: string[];
}

/** OpenID Connect provider for all organizations, and a domain that the first one owns. */
export interface IdentityProviderConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  domain: string | null;
}

/** Returns the name of a node for operators; `supervisorPid` distinguishes nodes whose port is 0. */
export function nameNode({ http }: Pick<Config, 'http'>, supervisorPid: number): string {
  return `${hostname()}:${http.port === 0 ? supervisorPid : http.port}`;
}
