import type { LogLevel } from '#platform/logger.ts';

/** How it is decided which traces are told of; `parentbased` ones do as the caller's span does where there is one. */
export const traceSamplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Where spans go, and of which requests. */
export interface TracingConfig {
  /** The root of an OTLP/HTTP receiver. */
  endpoint: string;
  /** They may hold credentials. */
  headers: Record<string, string>;
  serviceName: string;
  sampler: (typeof traceSamplers)[number];
  /** Of the traces that begin here, from 0 to 1; for the samplers by ratio. */
  sampledRatio: number;
}

/** Everything that the environment decides. Plain data, so that workers get it by message. */
export interface Config {
  http: {
    /** After which a connection that nobody uses ends. */
    idleTimeoutMs: number;
    host: string;
    /** 0 = any free port. */
    port: number;
    publicUrl: string;
    bodyLimitBytes: number;
    /** Of all request bodies that one worker holds at once; one person may take a quarter. */
    bodyBudgetBytes: number;
    /** Networks in CIDR form whose X-Forwarded-* headers count. */
    trustedProxies: string[];
  };
  /** null = the embedded PostgreSQL. */
  database: { url: string; directUrl: string } | null;
  /** Absolute. */
  dataDir: string;
  /** Whether a variable names the database or the data folder, so that the default folder is not meant. */
  isInstallationNamed: boolean;
  /** null = the secret of the data folder. */
  secret: string | null;
  /** Those before, the newest first, while they are being replaced. */
  formerSecrets: readonly string[];
  admin: { email: string; password: string | null };
  workers: number;
  /** Connections to the database that each worker may hold. */
  connectionsPerWorker: number;
  /** Whether the operator has capped the node's connections; otherwise a start fits them to the server. */
  isConnectionCapGiven: boolean;
  /** How many nodes share the database; null = those that it knows, and at least 2. */
  nodes: number | null;
  /** Requests in flight on one worker of one person, and of one key. */
  concurrencyMax: number;
  /** How long an answer is read whose caller has left, for its usage; 0 = not at all. */
  abandonedTimeoutMs: number;
  /** Provider endpoints may be loopback or private. */
  canReachPrivateEndpoints: boolean;
  isSandboxEnabled: boolean;
  isSignupOpen: boolean;
  isDemo: boolean;
  isJournalSynced: boolean;
  /** How a node stops: for how long it still takes requests, and how long those in flight may then take. */
  drain: { delayMs: number; timeoutMs: number };
  /** null = mails go to the outbox. */
  mail: { smtpUrl: string; from: string } | null;
  /** null = payments are not set up. */
  stripe: { secretKey: string; publishableKey: string; webhookSecret: string; apiBase: string | null } | null;
  logLevel: LogLevel;
  /** Whether each request gets a line in the log. */
  hasAccessLog: boolean;
  /** null = no spans are made. */
  tracing: TracingConfig | null;
  /** null = nobody may read the metrics. */
  metricsToken: string | null;
  /** null = what happens is told by banners alone. */
  alertWebhook: { url: string; secret: string } | null;
  /** Variables of OpenTelemetry that are set and have no effect here. */
  unusedVariables: string[];
}
