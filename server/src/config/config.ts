import type { LogLevel } from '#platform/logger.ts';

/** Everything that the environment decides. Plain data, so that workers get it by message. */
export interface Config {
  http: {
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
  /** null = the secret of the data folder. */
  secret: string | null;
  admin: { email: string; password: string | null };
  workers: number;
  /** Requests in flight on one worker of one person, and of one key. */
  concurrencyMax: number;
  /** Provider endpoints may be loopback or private. */
  canReachPrivateEndpoints: boolean;
  isSandboxEnabled: boolean;
  isSignupOpen: boolean;
  isDemo: boolean;
  isJournalSynced: boolean;
  /** null = mails go to the outbox. */
  mail: { smtpUrl: string; from: string } | null;
  /** null = payments are not set up. */
  stripe: { secretKey: string; publishableKey: string; webhookSecret: string; apiBase: string | null } | null;
  logLevel: LogLevel;
  otlpEndpoint: string | null;
  metricsToken: string | null;
}
