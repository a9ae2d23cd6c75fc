import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { UnreadyReason } from '@sluice/contract';
import { createProxyWarning } from '#banners/proxy-warning.ts';
import { nameNode } from '#config/config.ts';
import { createAddressThrottle } from '#console/auth/attempt-throttle.ts';
import { createAuthenticateToken, createRecordTokenCall } from '#console/auth/management-token.ts';
import { createSessionUse } from '#console/auth/session-use.ts';
import { type ChatRuns, createChatRuns } from '#console/chats/runs.ts';
import { createScimHandlers } from '#console/scim/routes.ts';
import { createAuthenticateScim } from '#console/scim-tokens/authenticate.ts';
import { startReporting } from '#console/system/node-report.ts';
import type { SystemDeps } from '#console/system/routes.ts';
import type { Replica } from '#db/replica/replica.ts';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { createRunInTenant, type RunInTenant } from '#db/tenant.ts';
import { defaultTimeouts, type ProviderTimeouts } from '#gateway/provider-call/provider-timeouts.ts';
import type { RequestQueue } from '#gateway/request-queue.ts';
import { findTenantByName } from '#gateway/snapshot/tables/tenants.ts';
import { defaultTimeouts as serverTimeouts } from '#http/node-server.ts';
import { createHttpServer, type HttpServer } from '#http/server.ts';
import { type IntentModel, loadModel } from '#intent/model.ts';
import { createClockJobs } from '#jobs/clock-jobs.ts';
import { createExportLogs } from '#jobs/export-logs.ts';
import { createFollowPayments } from '#jobs/follow-payments.ts';
import { createIndexLogTexts } from '#jobs/index-log-texts.ts';
import { createNotifyBudgets } from '#jobs/notify-budgets.ts';
import { createNotifyExpiringKeys } from '#jobs/notify-expiring-keys.ts';
import { createNotifyLowCredits } from '#jobs/notify-low-credits.ts';
import { createNotifySubscriptions } from '#jobs/notify-subscriptions.ts';
import { createRemoveLogBodies } from '#jobs/remove-log-bodies.ts';
import { createPostAlert, createSendAlerts } from '#jobs/send-alerts.ts';
import { startJobs } from '#jobs/start-jobs.ts';
import { createMailbox } from '#mail/mailbox.ts';
import { createSmtpTransport } from '#mail/smtp-transport.ts';
import { startSending } from '#mail/start-sending.ts';
import { followRotation } from '#master-key/follow-rotation.ts';
import { findInstalledSecret } from '#master-key/store.ts';
import { openObjectStore } from '#object-store/object-store.ts';
import { findPaymentProvider, type Payments } from '#payments/find-provider.ts';
import { systemClock } from '#platform/clock.ts';
import { createKeyring, type Keyring } from '#platform/keyring.ts';
import type { Logger } from '#platform/logger.ts';
import { build, version } from '#platform/version.ts';
import { waitAtMost } from '#platform/wait.ts';
import { openRequestLog } from '#request-log/open-request-log.ts';
import type { RequestLog } from '#request-log/request-log.ts';
import type { Shipped, WorkerBoot } from '#supervisor/messages.ts';
import type { Metrics } from '#telemetry/metrics/catalogue.ts';
import { readReplicaMetrics } from '#telemetry/metrics/replica-metrics.ts';
import type { Telemetry } from '#telemetry/telemetry.ts';
import type { UpstreamClient } from '#upstream/client.ts';
import { createHandlers, type HandlersDeps } from './console-handlers.ts';
import { type Gateway, type GatewayParts, openGateway } from './open-gateway.ts';
import { createConsolePool, openReplica } from './pools.ts';
import { createReadiness, type Readiness } from './readiness.ts';
import { createStopSteps, type StopSteps } from './stop-steps.ts';

export interface App {
  /** `hasMore` is true while other connections are waiting. */
  accept(connection: Socket, hasMore?: boolean): void;
  /**
   * Resolves when this worker has read every change committed before the call. Rejects if that cannot be determined.
   */
  catchUp(): Promise<void>;
  readMetrics(): Metrics;
  applyShipped(shipped: Shipped): void;
  /**
   * Sets the reason why the node is not ready; `null` means ready. A `draining` node still accepts requests, and each
   * response closes its connection.
   */
  noteUnready(reason: UnreadyReason | null): void;
  /** Completes requests in flight, journals their results and closes all parts. */
  drain(): Promise<void>;
}

export interface AppOptions {
  readonly timeouts?: ProviderTimeouts;
  /** Resolves when all other workers of the node have caught up. By default, the node has no other workers. */
  readonly catchUpPeers?: () => Promise<void>;
  /** Returns the metrics of each process of the node. By default, returns only those of this worker. */
  readonly readNodeMetrics?: () => Promise<readonly Metrics[]>;
}

/** Maximum time that a write call waits until all workers have read the change. */
const changesHoldMs = 500;
/** Time for clients to receive the errors of aborted requests. */
const lastWordsMs = 1_000;
const webFolder = join(import.meta.dirname, '../../../web/dist');

/** When the node drains, the parts close in reverse order. */
export async function createApp(
  boot: WorkerBoot,
  log: Logger,
  { timeouts = defaultTimeouts, catchUpPeers = async () => {}, readNodeMetrics }: AppOptions = {},
): Promise<App> {
  const running = new AsyncDisposableStack();
  const intentModel = loadModel(await readFile(new URL('../intent/model.bin', import.meta.url)));
  const { pool, system, replica, onSessionUsed } = openConsoleDatabase(boot, log, running);
  const keyring = await openKeyring(boot, system, log, running);
  const requestLog = openRequestLog(boot.config, keyring.sealingKey);
  running.defer(requestLog.close);
  const runInTenant = createRunInTenant(pool, requestLog.openTenant, replica);
  const payments = findPaymentProvider(system, boot.config);
  startClockWork({ boot, system, requestLog, runInTenant, keyring, payments, log, running });
  const steps = createStopSteps(boot.config.drain.timeoutMs);
  const chatRuns = createChatRuns(steps.runsEnd, log);
  const gateway = await openGateway({
    boot,
    keyring,
    intentModel,
    runInTenant,
    onSessionUsed,
    onAnnounced: chatRuns.onAnnounced,
    log,
    running,
    steps,
    timeouts,
  });
  const { changes, journal, node, telemetry, upstream } = gateway;
  const readiness = createReadiness({ steps, changes, journal, node });
  const observed = { system, replica, readiness, telemetry, upstream, readNodeMetrics };
  const { operation, readMetrics } = startOperation({ boot, log, running }, observed);
  const ofConsole = { system, replica, runInTenant, keyring, payments, intentModel, chatRuns, operation };
  const server = await openServer({ boot, log, running, steps, catchUpPeers }, ofConsole, gateway);
  return {
    accept: createAccept(server, gateway.queue),
    catchUp: changes.catchUp,
    readMetrics,
    applyShipped: ({ requests, scores }) => gateway.scoreboard.applyShipped(requests, scores),
    noteUnready: readiness.noteUnready,
    drain: createDrain({ boot, running, steps }, server),
  };
}

interface ServerParts {
  readonly boot: WorkerBoot;
  readonly log: Logger;
  readonly running: AsyncDisposableStack;
  readonly steps: StopSteps;
  readonly catchUpPeers: () => Promise<void>;
}

interface ConsoleParts {
  readonly system: SystemDatabase;
  readonly replica: Replica | null;
  readonly runInTenant: RunInTenant;
  readonly keyring: Keyring;
  readonly payments: Payments;
  readonly intentModel: IntentModel;
  readonly chatRuns: ChatRuns;
  readonly operation: HandlersDeps['operation'];
}

function openServer(
  { boot, log, running, steps, catchUpPeers }: ServerParts,
  { system, replica, runInTenant, keyring, payments, intentModel, chatRuns, operation }: ConsoleParts,
  gateway: Gateway,
): Promise<HttpServer> {
  const { principals, tenants, changes } = gateway;
  const { http } = boot.config;
  return createHttpServer({
    gatewayHandler: gateway.gatewayHandler,
    webFolder,
    allowsShortPaths: boot.config.allowsShortPaths,
    canLoadStripe: payments.provider?.name === 'stripe',
    isHttps: http.publicUrl.startsWith('https:'),
    timeouts: { ...serverTimeouts, keepAliveTimeout: http.idleTimeoutMs },
    trustedProxies: http.trustedProxies,
    log,
    runInTenant,
    keyring,
    turns: gateway.turns,
    authenticateSession: principals.ofSession,
    authenticateApiKey: principals.ofApiKey,
    authenticateToken: createTokenAuthentication(system, keyring, gateway),
    recordTokenCall: createRecordTokenCall(system),
    findTenantId: (idOrSlug) => findTenantByName(tenants, idOrSlug)?.id ?? null,
    whenChangesHold: () => waitAtMost(changesHoldMs, Promise.all([changes.catchUp(), catchUpPeers()])),
    readWritePosition: replica ? () => replica.readWritePosition() : undefined,
    isDatabaseReachable: () => changes.unreadiness() !== 'database_unreachable',
    scim: createScimParts(system, keyring, gateway, http.publicUrl),
    onSignedInRequest: createProxyWarning({ database: system, log, clock: systemClock }),
    handlers: createHandlers({
      boot,
      system,
      keyring,
      payments,
      intentModel,
      chatRuns,
      operation,
      runsEnd: steps.runsEnd,
      upstream: gateway.upstream,
      circuits: gateway.circuits,
      databaseClock: gateway.node.nowMs,
      log,
      running,
    }),
  });
}

function createScimParts(system: SystemDatabase, keyring: Keyring, gateway: Gateway, publicUrl: string) {
  const noun = 'requests with an invalid SCIM token';
  const throttle = createAddressThrottle(system, gateway.node.nowMs, { subject: 'scim', noun });
  const authenticateToken = createTokenAuthentication(system, keyring, gateway);
  const authenticate = createAuthenticateScim({ database: system, keyring, throttle, authenticateToken });
  return { handlers: createScimHandlers(), authenticate, publicUrl };
}

function createTokenAuthentication(database: SystemDatabase, keyring: Keyring, { node }: Gateway) {
  const noun = 'requests with an invalid management token';
  const throttle = createAddressThrottle(database, node.nowMs, { subject: 'management token', noun });
  return createAuthenticateToken({ database, keyring, throttle });
}

function createAccept(server: HttpServer, queue: RequestQueue): App['accept'] {
  return (connection, hasMore) => {
    if (hasMore) queue.noteConnectionsWaiting();
    server.accept(connection);
  };
}

function createDrain(
  { boot, running, steps }: Pick<GatewayParts, 'boot' | 'running' | 'steps'>,
  server: HttpServer,
): App['drain'] {
  steps.announced.addEventListener('abort', server.closeAfterAnswers);
  running.defer(() => closeWithin(server, boot.config.drain.timeoutMs + lastWordsMs));
  return () => {
    steps.drain();
    return running.disposeAsync();
  };
}

function openConsoleDatabase(boot: WorkerBoot, log: Logger, running: AsyncDisposableStack) {
  const pool = createConsolePool(boot);
  running.defer(() => pool.end());
  const system = createSystemDatabase(pool);
  const sessionUse = createSessionUse({ database: system, log, clock: systemClock });
  running.defer(sessionUse.stop);
  const replica = openReplica(boot, pool, log);
  running.defer(() => replica?.close());
  return { pool, system, replica, onSessionUsed: sessionUse.note };
}

interface OperationParts extends Pick<SystemDeps, 'system'> {
  readonly replica: Replica | null;
  readonly readiness: Readiness;
  readonly telemetry: Telemetry;
  readonly upstream: UpstreamClient;
  readonly readNodeMetrics: AppOptions['readNodeMetrics'];
}

/** One worker per node also reports its state to the other nodes. */
function startOperation(
  { boot, log, running }: Pick<GatewayParts, 'boot' | 'log' | 'running'>,
  { system, replica, readiness, telemetry, upstream, readNodeMetrics }: OperationParts,
) {
  const node = nameNode(boot.config, process.ppid);
  const { databaseFailure, degradation, unreadiness } = readiness;
  const readMetrics = (): Metrics => ({
    ...telemetry.readMetrics(),
    ...(replica && readReplicaMetrics(replica)),
    sluice_workers: [{ labels: { state: unreadiness() === null ? 'ready' : 'not_ready' }, value: 1 }],
    sluice_degraded_workers: [{ labels: {}, value: degradation() === null ? 0 : 1 }],
    sluice_build_info: [{ labels: { version, node }, value: 1 }],
  });
  const askNode = readNodeMetrics ?? (async () => [readMetrics()]);
  const operation = {
    system,
    databaseFailure,
    degradation,
    unreadiness,
    node,
    version,
    build,
    readNodeMetrics: askNode,
  };
  const { workers } = boot.config;
  const reported = { system, replica, node, version, workers, unreadiness, readNodeMetrics: askNode, log };
  if (boot.slot === 0) running.defer(startReporting(reported).stop);
  const { alertWebhook } = boot.config;
  if (alertWebhook) {
    const { url, secret } = alertWebhook;
    const sendAlerts = createSendAlerts({ secret, post: createPostAlert(new URL(url), upstream) });
    running.defer(startJobs(system, [sendAlerts], log).stop);
  }
  return { operation, readMetrics };
}

async function openKeyring(
  { secret, config }: WorkerBoot,
  database: SystemDatabase,
  log: Logger,
  running: AsyncDisposableStack,
): Promise<Keyring> {
  const installed = await findInstalledSecret(database);
  const keyring = createKeyring(secret, { formerSecrets: config.formerSecrets, installed });
  running.defer(followRotation({ database, keyring, log }).stop);
  return keyring;
}

interface ClockWorkDeps {
  readonly boot: WorkerBoot;
  readonly system: SystemDatabase;
  readonly requestLog: RequestLog;
  readonly runInTenant: RunInTenant;
  readonly keyring: Keyring;
  readonly payments: Payments;
  readonly log: Logger;
  readonly running: AsyncDisposableStack;
}

function startClockWork(deps: ClockWorkDeps): void {
  const { boot, system, requestLog, runInTenant, keyring, payments, log, running } = deps;
  const { config, directConnectionString } = boot;
  const mailbox = createMailbox({ keyring, hasServer: config.mail !== null });
  const { publicUrl } = config.http;
  const mailing = { mailbox, publicUrl };
  const notices = [
    createNotifyExpiringKeys(mailing),
    createNotifyLowCredits(mailing),
    createNotifyBudgets({ ...mailing, sendsAlerts: config.alertWebhook !== null }),
  ];
  const ofPayments = payments.provider
    ? [createFollowPayments(payments.provider), createNotifySubscriptions(mailing)]
    : [];
  const indexLogTexts = createIndexLogTexts(systemClock, directConnectionString);
  const { bodyStore, logExport } = config;
  const ofObjects = [
    ...(bodyStore ? [createRemoveLogBodies(openObjectStore(bodyStore), requestLog)] : []),
    ...(logExport
      ? [createExportLogs(systemClock, { store: openObjectStore(logExport), requestLog, runInTenant })]
      : []),
  ];
  const jobs = startJobs(
    system,
    [...createClockJobs(requestLog), indexLogTexts, ...notices, ...ofPayments, ...ofObjects],
    log,
  );
  running.defer(jobs.stop);
  const transport = config.mail && createSmtpTransport(config.mail);
  const sending = startSending({ database: system, keyring, transport, publicUrl, log });
  running.defer(sending.stop);
}

async function closeWithin(server: HttpServer, deadlineMs: number): Promise<void> {
  const deadline = setTimeout(server.closeAllConnections, deadlineMs);
  await server.close();
  clearTimeout(deadline);
}
