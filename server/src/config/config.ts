import { hostname } from 'node:os';
import type { ObjectStoreConfig } from '#object-store/object-store.ts';
import type { LogLevel } from '#platform/logger.ts';

/** Sampling of traces; `parentbased` samplers follow the caller's span if there is one. */
export const traceSamplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Receiver of spans and sampling of requests. */
export interface TracingConfig {
  /** Base URL of an OTLP/HTTP receiver. */
  endpoint: string;
  /** May hold credentials. */
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
  /** `null` means the embedded PostgreSQL. */
  database: { url: string; directUrl: string } | null;
  /** Standby that lists and reports are read from, up to the maximum lag; `null` reads them from the primary. */
  replica: { url: string; lagMaxMs: number } | null;
  /** URL of ClickHouse with the database for the request log; `null` means that PostgreSQL keeps it. */
  logStoreUrl: string | null;
  /** Object storage for bodies of requests; `null` means that they stay in the request log. */
  bodyStore: ObjectStoreConfig | null;
  /** Characters of prompts and responses that stay in the request log, where search finds them; all if `null`. */
  searchedLength: number | null;
  /** Object storage to which rows of the request log are exported; `null` exports none. */
  logExport: ObjectStoreConfig | null;
  /** An absolute path. */
  dataDir: string;
  /** Whether the database or the data folder is configured, as opposed to the default folder. */
  isInstallationNamed: boolean;
  /** `null` means the secret of the data folder. */
  secret: string | null;
  /** Previous secrets during a rotation, newest first. */
  formerSecrets: readonly string[];
  admin: { email: string; password: string | null };
  workers: number;
  /** Connections to the database that each worker may hold. */
  connectionsPerWorker: number;
  /** Whether the operator has capped the node's connections; otherwise a start fits them to the server. */
  isConnectionCapGiven: boolean;
  /** Number of nodes that share the database; `null` means those known to it, and at least 2. */
  nodes: number | null;
  /** Maximum number of requests in flight per worker of one user, and of one key. */
  concurrencyMax: number;
  /** How long a response is read for its usage after its caller has disconnected; 0 means not at all. */
  abandonedTimeoutMs: number;
  /** Whether provider endpoints may be loopback or private addresses. */
  canReachPrivateEndpoints: boolean;
  isSandboxEnabled: boolean;
  /** Whether the public API has the paths of other gateways as well, such as `/v1/chat/completions`. */
  allowsShortPaths: boolean;
  /** File or folder that each start applies; `null` applies none. */
  configurationFile: string | null;
  isSignupOpen: boolean;
  isDemo: boolean;
  isJournalSynced: boolean;
  /** How long a stopping node still accepts requests, and how long requests in flight may take after that. */
  drain: { delayMs: number; timeoutMs: number };
  /** `null` means that mails stay in the outbox. */
  mail: { smtpUrl: string; from: string } | null;
  /** `null` means that payments are not set up. */
  stripe: { secretKey: string; publishableKey: string; webhookSecret: string; apiBase: string | null } | null;
  logLevel: LogLevel;
  /** Whether each request is logged. */
  hasAccessLog: boolean;
  /** `null` means that no spans are recorded. */
  tracing: TracingConfig | null;
  /** `null` means that metrics cannot be read. */
  metricsToken: string | null;
  /** `null` means that alerts are shown as banners only. */
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

/** Returns the name of a node for operators; `supervisorPid` distinguishes nodes on any free port. */
export function nameNode({ http }: Pick<Config, 'http'>, supervisorPid: number): string {
  return `${hostname()}:${http.port === 0 ? supervisorPid : http.port}`;
}
