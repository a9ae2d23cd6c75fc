import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { createProxyWarning } from '#banners/warn-of-unnamed-proxy.ts';
import { createAnalyticsHandlers } from '#console/analytics/routes.ts';
import { createApiKeysHandlers } from '#console/api-keys/routes.ts';
import { createAuditLogHandlers } from '#console/audit-log/routes.ts';
import { createAuthHandlers } from '#console/auth/routes.ts';
import { createSessionUse } from '#console/auth/session-use.ts';
import { createBillingHandlers } from '#console/billing/routes.ts';
import { createBlacklistHandlers } from '#console/blacklist/routes.ts';
import { createChatsHandlers } from '#console/chats/routes.ts';
import { type ChatRuns, createChatRuns } from '#console/chats/runs.ts';
import { createSetMarkup } from '#console/credits/markup.ts';
import { createCreditsHandlers } from '#console/credits/routes.ts';
import { createFirstStepsHandlers } from '#console/first-steps/routes.ts';
import { createGovernanceHandlers } from '#console/governance/routes.ts';
import { createInvitationsHandlers, type InvitationsDeps } from '#console/invitations/routes.ts';
import { createLlmComparisonHandlers } from '#console/llm-comparison/routes.ts';
import { createComparisonRuns } from '#console/llm-comparison/runs.ts';
import { createLlmProvidersHandlers } from '#console/llm-providers/routes.ts';
import { createLogsHandlers } from '#console/logs/routes.ts';
import { createOutboxHandlers } from '#console/outbox/routes.ts';
import { createPasswordResetsHandlers } from '#console/password-resets/routes.ts';
import { createPaymentMethodsHandlers } from '#console/payment-methods/routes.ts';
import { createPaymentsHandlers } from '#console/payments/routes.ts';
import { createPortalHandlers } from '#console/portal/routes.ts';
import { createPreferencesHandlers } from '#console/preferences/routes.ts';
import { createPromptReadsHandlers } from '#console/prompt-reads/routes.ts';
import { createProviderAccessHandlers } from '#console/provider-access/routes.ts';
import { createProviderRegistryHandlers } from '#console/provider-registry/routes.ts';
import { createQuotaStatusHandlers } from '#console/quota-status/routes.ts';
import { createRolesHandlers } from '#console/roles/routes.ts';
import { createSettingsHandlers } from '#console/settings/routes.ts';
import { createSignupHandlers } from '#console/signup/routes.ts';
import { createSubscriptionsHandlers } from '#console/subscriptions/routes.ts';
import { createSystemHandlers } from '#console/system/routes.ts';
import { createTasksHandlers } from '#console/tasks/routes.ts';
import { createTeamsHandlers } from '#console/teams/routes.ts';
import { createTenantsHandlers } from '#console/tenants/routes.ts';
import { createUsersHandlers } from '#console/users/routes.ts';
import { createWebhooksHandlers } from '#console/webhooks/routes.ts';
import { createPool } from '#db/pool.ts';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { createRunInTenant, type RunInTenant } from '#db/tenant.ts';
import { openLimits } from '#gateway/allowance/open-limits.ts';
import { createScoreboard } from '#gateway/deviation/scoreboard.ts';
import { createGate } from '#gateway/gate.ts';
import { createProviderReports } from '#gateway/provider-call/provider-reports.ts';
import { defaultTimeouts, type ProviderTimeouts } from '#gateway/provider-call/provider-timeouts.ts';
import { openNodeJournal } from '#gateway/request-log/node-journal.ts';
import { followChanges } from '#gateway/snapshot/follow-changes.ts';
import { createKeyOpener } from '#gateway/snapshot/key-opener.ts';
import { createMissingKeys } from '#gateway/snapshot/missing-keys.ts';
import { createPrincipals } from '#gateway/snapshot/principals.ts';
import { createSnapshot } from '#gateway/snapshot/snapshot.ts';
import { findTenantByName } from '#gateway/snapshot/tables/tenants.ts';
import type { ConsoleHandlers } from '#http/register-console-routes.ts';
import { createHttpServer, type HttpServer } from '#http/server.ts';
import { type IntentModel, loadModel } from '#intent/model.ts';
import { clockJobs } from '#jobs/clock-jobs.ts';
import { createFollowPayments } from '#jobs/follow-payments.ts';
import { startJobs } from '#jobs/start-jobs.ts';
import { createWarnOfExpiringKeys } from '#jobs/warn-of-expiring-keys.ts';
import { createWarnOfLowCredits } from '#jobs/warn-of-low-credits.ts';
import { createWarnOfSubscriptions } from '#jobs/warn-of-subscriptions.ts';
import { createMailbox } from '#mail/mailbox.ts';
import { createSmtpTransport } from '#mail/smtp-transport.ts';
import { startSending } from '#mail/start-sending.ts';
import { findPaymentProvider, type Payments } from '#payments/find-provider.ts';
import { monotonicClock, systemClock } from '#platform/clock.ts';
import { createKeyring, type Keyring } from '#platform/keyring.ts';
import type { Logger } from '#platform/logger.ts';
import { Turns } from '#platform/paced-work.ts';
import { createPasswordHasher } from '#platform/password.ts';
import { waitAtMost } from '#platform/wait-at-most.ts';
import type { WorkerBoot, WorkerConfig } from '#supervisor/worker-messages.ts';
import { type CircuitBreaker, createCircuitBreaker, readCircuitKey } from '#upstream/circuit-breaker.ts';
import { createUpstreamClient, type UpstreamClient } from '#upstream/client.ts';
import { createHops, type Hops } from '#upstream/hops.ts';
import { checkEndpointUrl, type GuardPolicy } from '#upstream/outbound-guard.ts';
import { createRetryBudget } from '#upstream/retry-budget.ts';
import { version } from './version.ts';

/** A worker's whole program. */
export interface App {
  /** Answers the requests of a connection. */
  accept(connection: Socket): void;
  /** Resolves when this worker has read every change committed before the call; rejects when it cannot tell. */
  catchUp(): Promise<void>;
  /** Lets requests in flight finish, writes their rows, closes everything. */
  drain(): Promise<void>;
}

export interface AppOptions {
  readonly timeouts?: ProviderTimeouts;
  /** Resolves when all other workers of the node have caught up; without it there are none. */
  readonly catchUpPeers?: () => Promise<void>;
}

/** By when a call that wrote is answered, though some worker may not have read what it wrote. */
const changesHoldMs = 500;
const drainMs = 30_000;
const leaseTimeouts = { connectMs: 2_000, statementMs: 2_000 };
const webFolder = join(import.meta.dirname, '../../web/dist');

/** The one place where the parts meet. What is opened is closed in reverse order when the node drains. */
export async function createApp(
  boot: WorkerBoot,
  log: Logger,
  { timeouts = defaultTimeouts, catchUpPeers = async () => {} }: AppOptions = {},
): Promise<App> {
  const running = new AsyncDisposableStack();
  const keyring = createKeyring(boot.secret);
  const intentModel = loadModel(await readFile(new URL('./intent/model.bin', import.meta.url)));
  const { system, runInTenant, onSessionUsed } = openConsoleDatabase(boot, log, running);
  const payments = findPaymentProvider(system, boot.config);
  startClockWork({ config: boot.config, system, keyring, payments, log, running });
  const draining = new AbortController();
  const circuits = createCircuitBreaker({ clock: monotonicClock, log });
  const turns = new Turns();
  const chatRuns = createChatRuns(draining.signal, log);
  const parts = { boot, keyring, intentModel, circuits, log, running, draining: draining.signal, chatRuns };
  const { gate, principals, tenants, changes, upstream } = await openGateway({
    ...parts,
    turns,
    hops: createHops(keyring.installationId),
    runInTenant,
    onSessionUsed,
    timeouts,
  });
  const unreadiness = () => (draining.signal.aborted ? 'This node is shutting down.' : changes.unreadiness());
  const server = await createHttpServer({
    gate,
    webFolder,
    canLoadStripe: payments.provider?.name === 'stripe',
    isHttps: boot.config.http.publicUrl.startsWith('https:'),
    trustedProxies: boot.config.http.trustedProxies,
    log,
    runInTenant,
    keyring: parts.keyring,
    turns,
    authenticateSession: principals.ofSession,
    findTenantId: (idOrSlug) => findTenantByName(tenants, idOrSlug)?.id ?? null,
    whenChangesHold: () => waitAtMost(changesHoldMs, Promise.all([changes.catchUp(), catchUpPeers()])),
    isDatabaseReachable: () => changes.unreadiness() === null,
    onUnnamedProxy: createProxyWarning({ database: system, log, clock: systemClock }),
    handlers: createHandlers({ ...parts, system, payments, upstream, unreadiness }),
  });
  running.defer(() => closeWithin(server, drainMs));
  const drain = () => {
    draining.abort();
    return running.disposeAsync();
  };
  return { accept: server.accept, catchUp: changes.catchUp, drain };
}

/** What the console reads and writes, and where a session's last use is noted. */
function openConsoleDatabase(boot: WorkerBoot, log: Logger, running: AsyncDisposableStack) {
  const pool = createPool(boot.connectionString, 3, 'sluice-console', { statementMs: 10_000 });
  running.defer(() => pool.end());
  const system = createSystemDatabase(pool);
  const sessionUse = createSessionUse({ database: system, log, clock: systemClock });
  running.defer(sessionUse.stop);
  return { system, runInTenant: createRunInTenant(pool), onSessionUsed: sessionUse.note };
}

interface GatewayParts {
  readonly boot: WorkerBoot;
  readonly keyring: Keyring;
  readonly intentModel: IntentModel;
  readonly circuits: CircuitBreaker;
  readonly turns: Turns;
  readonly hops: Hops;
  readonly runInTenant: RunInTenant;
  readonly onSessionUsed: (sessionId: string) => void;
  readonly log: Logger;
  readonly running: AsyncDisposableStack;
  readonly draining: AbortSignal;
  readonly timeouts: ProviderTimeouts;
  readonly chatRuns: ChatRuns;
}

async function openGateway(parts: GatewayParts) {
  const { boot, log, running, draining } = parts;
  const { config, slotDir, connectionString, directConnectionString, sandboxOrigin } = boot;
  const shippingPool = createPool(connectionString, 1, 'sluice-shipping', { silentTransactionMs: 5_000 });
  running.defer(() => shippingPool.end());
  const { snapshotPool, snapshot, principals } = await openSnapshot(parts);
  const limits = await openLeasedLimits(parts);
  const changes = followChanges({
    snapshot,
    pool: snapshotPool,
    directConnectionString,
    onAnnounced(change) {
      limits.leases.onNotification(change);
      parts.chatRuns.onAnnounced(change);
    },
    log,
  });
  running.defer(changes.stop);
  const upstream = createUpstreamClient({ policy: guardPolicyOf(config), hops: parts.hops, log });
  running.defer(upstream.close);
  const reports = openProviderReports(parts, snapshotPool, limits.node);
  const scoreboard = createScoreboard(snapshot);
  const journal = openNodeJournal({
    dir: slotDir,
    nodeSlot: boot.slot,
    isSynced: config.isJournalSynced,
    pool: shippingPool,
    scoreboard,
    tenants: snapshot.tenants,
    log,
  });
  running.defer(async () => limits.close(await journal.close()));
  const gate = createGate({
    snapshot,
    principals,
    isFresh: changes.isFresh,
    isDraining: () => draining.aborted,
    journal: journal.requests,
    ...parts,
    ...limits,
    upstream,
    reports,
    retryBudget: createRetryBudget(monotonicClock),
    scoreboard,
    sandboxOrigin,
    bodyLimitBytes: config.http.bodyLimitBytes,
  });
  return { gate, principals, tenants: snapshot.tenants, changes, upstream };
}

/** What this node finds out about providers, which the cards of all nodes tell. */
function openProviderReports({ circuits, log, running }: GatewayParts, pool: Pool, node: { id: string }) {
  const reports = createProviderReports({ pool, node, log });
  circuits.onTurn((key, reading) => {
    const { instanceId, model } = readCircuitKey(key);
    reports.noteCircuit(instanceId, model, reading);
  });
  running.defer(reports.close);
  return reports;
}

async function openLeasedLimits({ boot, log, running }: GatewayParts) {
  const { config, slotDir, connectionString } = boot;
  const pool = createPool(connectionString, 1, 'sluice-leases', leaseTimeouts);
  running.defer(() => pool.end());
  const { concurrencyMax, http } = config;
  return openLimits({ pool, slotDir, bodyBudgetBytes: http.bodyBudgetBytes, concurrencyMax, log });
}

async function openSnapshot({ boot, keyring, log, running, onSessionUsed }: GatewayParts) {
  // Of its own: behind the console's slow statements, the node would soon count as unready.
  const snapshotPool = createPool(boot.connectionString, 2, 'sluice-snapshot', { connectMs: 2_000 });
  running.defer(() => snapshotPool.end());
  const snapshot = createSnapshot(snapshotPool, createKeyOpener(keyring, log));
  await snapshot.load();
  const missingKeys = createMissingKeys(snapshotPool, snapshot, monotonicClock);
  const principals = createPrincipals(snapshot, keyring, systemClock, missingKeys, onSessionUsed);
  return { snapshotPool, snapshot, principals };
}

interface ClockWorkDeps {
  readonly config: WorkerConfig;
  readonly system: SystemDatabase;
  readonly keyring: Keyring;
  readonly payments: Payments;
  readonly log: Logger;
  readonly running: AsyncDisposableStack;
}

/** What no request asks for: the jobs, and sending mails. */
function startClockWork({ config, system, keyring, payments, log, running }: ClockWorkDeps): void {
  const mailbox = createMailbox({ keyring, hasServer: config.mail !== null });
  const mailing = { mailbox, publicUrl: config.http.publicUrl };
  const notices = [createWarnOfExpiringKeys(mailing), createWarnOfLowCredits(mailing)];
  const ofPayments = payments.provider
    ? [createFollowPayments(payments.provider), createWarnOfSubscriptions(mailing)]
    : [];
  const jobs = startJobs(system, [...clockJobs, ...notices, ...ofPayments], log);
  running.defer(jobs.stop);
  const transport = config.mail && createSmtpTransport(config.mail);
  const sending = startSending({ database: system, keyring, transport, log });
  running.defer(sending.stop);
}

async function closeWithin(server: HttpServer, deadlineMs: number): Promise<void> {
  const deadline = setTimeout(server.closeAllConnections, deadlineMs);
  await server.close();
  clearTimeout(deadline);
}

interface HandlersDeps {
  readonly boot: WorkerBoot;
  readonly intentModel: IntentModel;
  readonly keyring: Keyring;
  readonly system: SystemDatabase;
  readonly payments: Payments;
  readonly upstream: UpstreamClient;
  readonly circuits: CircuitBreaker;
  readonly log: Logger;
  readonly running: AsyncDisposableStack;
  readonly draining: AbortSignal;
  readonly unreadiness: () => string | null;
  readonly chatRuns: ChatRuns;
}

function createHandlers(deps: HandlersDeps): ConsoleHandlers {
  const { boot, intentModel, keyring, system, upstream, circuits, log, running, unreadiness } = deps;
  const comparisons = createComparisonRuns(deps.draining, log);
  running.defer(comparisons.whenEnded);
  running.defer(deps.chatRuns.whenEnded);
  const passwords = createPasswordHasher();
  const accounts = { database: system, keyring, passwords, clock: systemClock };
  const checkUrl = (url: string) => checkEndpointUrl(url, guardPolicyOf(boot.config));
  const hasServer = boot.config.mail !== null;
  const mailbox = createMailbox({ keyring, hasServer });
  const byMail = { ...accounts, mailbox, publicUrl: boot.config.http.publicUrl };
  return {
    auth: createAuthHandlers(accounts),
    passwordResets: createPasswordResetsHandlers({ ...byMail, hasMailServer: hasServer }),
    users: createUsersHandlers({ passwords }),
    roles: createRolesHandlers(),
    apiKeys: createApiKeysHandlers({ keyring }),
    providerRegistry: createProviderRegistryHandlers({ system, checkEndpointUrl: checkUrl }),
    llmProviders: createLlmProvidersHandlers({
      keyring,
      checkEndpointUrl: checkUrl,
      upstream,
      sandboxOrigin: boot.sandboxOrigin,
    }),
    providerAccess: createProviderAccessHandlers({ keyring, circuits }),
    blacklist: createBlacklistHandlers(),
    chats: createChatsHandlers({ runs: deps.chatRuns }),
    llmComparison: createLlmComparisonHandlers({ runs: comparisons }),
    teams: createTeamsHandlers(),
    invitations: createInvitationsHandlers(byMail),
    outbox: createOutboxHandlers({ keyring, hasServer }),
    tasks: createTasksHandlers(),
    governance: createGovernanceHandlers({ intentModel }),
    quotaStatus: createQuotaStatusHandlers(),
    portal: createPortalHandlers(),
    preferences: createPreferencesHandlers(),
    logs: createLogsHandlers(),
    analytics: createAnalyticsHandlers(),
    auditLog: createAuditLogHandlers(),
    promptReads: createPromptReadsHandlers(),
    settings: createSettingsHandlers({ setMarkup: createSetMarkup(system), clock: systemClock }),
    ...createMoneyHandlers(deps),
    ...createTenantHandlers(deps, byMail),
    firstSteps: createFirstStepsHandlers(),
    system: createSystemHandlers({ version, unreadiness }),
  };
}

/** The nouns of what tenants pay, and what they pay for. */
function createMoneyHandlers({ boot, system, payments }: HandlersDeps) {
  const { isSignupOpen } = boot.config;
  return {
    credits: createCreditsHandlers({ system }),
    billing: createBillingHandlers({ system }),
    payments: createPaymentsHandlers({ system, payments, isSignupOpen, clock: systemClock }),
    paymentMethods: createPaymentMethodsHandlers({ system, provider: payments.provider }),
    subscriptions: createSubscriptionsHandlers({ system, provider: payments.provider }),
    webhooks: createWebhooksHandlers({ system, provider: payments.provider }),
  };
}

/** Tenants, and the ways to get one. */
function createTenantHandlers({ boot, system, payments, log }: HandlersDeps, byMail: InvitationsDeps) {
  const { isSignupOpen, isSandboxEnabled: hasSandbox } = boot.config;
  const { provider } = payments;
  return {
    tenants: createTenantsHandlers({ ...byMail, system, hasSandbox }),
    signup: createSignupHandlers({ ...byMail, system, provider, isSignupOpen, hasSandbox, log }),
  };
}

function guardPolicyOf(config: WorkerConfig): GuardPolicy {
  return { allowPrivate: config.canReachPrivateEndpoints };
}
