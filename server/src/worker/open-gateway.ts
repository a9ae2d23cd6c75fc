import type { Pool } from 'pg';
import { nameNode } from '#config/config.ts';
import type { ChatRuns } from '#console/chats/runs.ts';
import { isPooled } from '#db/is-pooled.ts';
import type { RunInTenant } from '#db/tenant.ts';
import { type NodeLimits, openLimits } from '#gateway/allowance/open-limits.ts';
import { createScoreboard, type Scoreboard } from '#gateway/deviation/scoreboard.ts';
import { createGateway, type GatewayHandler } from '#gateway/gateway.ts';
import { AbandonedCalls } from '#gateway/provider-call/abandoned-calls.ts';
import { createProviderReports, type ProviderReports } from '#gateway/provider-call/provider-reports.ts';
import type { ProviderTimeouts } from '#gateway/provider-call/provider-timeouts.ts';
import { createRefusalMemory } from '#gateway/provider-call/refusal-memory.ts';
import { type NodeJournal, openNodeJournal } from '#gateway/request-log/node-journal.ts';
import { RequestQueue } from '#gateway/request-queue.ts';
import { createResponseBudget } from '#gateway/response/response-hold.ts';
import { type ChangeFeed, followChanges } from '#gateway/snapshot/follow-changes.ts';
import { createKeyOpener } from '#gateway/snapshot/key-opener.ts';
import { createMissingKeys } from '#gateway/snapshot/missing-keys.ts';
import { createPrincipals, type Principals } from '#gateway/snapshot/principals.ts';
import { createSnapshot, type Snapshot } from '#gateway/snapshot/snapshot.ts';
import { createFindAddress } from '#http/caller-address.ts';
import type { IntentModel } from '#intent/model.ts';
import { monotonicClock } from '#platform/clock.ts';
import type { Keyring } from '#platform/keyring.ts';
import type { Logger } from '#platform/logger.ts';
import { Turns } from '#platform/paced-work.ts';
import { RefusalPace } from '#platform/refusal-pace.ts';
import { version } from '#platform/version.ts';
import type { WorkerBoot } from '#supervisor/messages.ts';
import { createTelemetry, type Telemetry } from '#telemetry/telemetry.ts';
import type { Tracing } from '#telemetry/tracing/tracing.ts';
import { type CircuitBreaker, createCircuitBreaker, readCircuitKey } from '#upstream/circuit-breaker.ts';
import { createUpstreamClient, type UpstreamClient } from '#upstream/client.ts';
import { createHops, type Hops } from '#upstream/hops.ts';
import { createRetryBudget } from '#upstream/retries.ts';
import { createLeasePool, createSnapshotPool } from './pools.ts';
import type { StopSteps } from './stop-steps.ts';

export interface GatewayParts {
  readonly boot: WorkerBoot;
  readonly keyring: Keyring;
  readonly intentModel: IntentModel;
  readonly runInTenant: RunInTenant;
  readonly onSessionUsed: (sessionId: string) => void;
  /** Called with each change that a transaction has announced. */
  readonly onAnnounced: ChatRuns['onAnnounced'];
  readonly log: Logger;
  readonly running: AsyncDisposableStack;
  readonly steps: StopSteps;
  readonly timeouts: ProviderTimeouts;
}

export type Gateway = Awaited<ReturnType<typeof openGateway>>;

/** `parts.running` closes the parts in reverse order. */
export async function openGateway(parts: GatewayParts) {
  const { boot, log, running } = parts;
  const { snapshotPool, snapshot } = await openSnapshot(parts);
  const scoreboard = createScoreboard(snapshot);
  const { journalDir: dir, config } = boot;
  const { tenants } = snapshot;
  const journal = openNodeJournal({ dir, isSynced: config.isJournalSynced, scoreboard, tenants, log });
  // The journal is closed last. The shipper then returns the leases.
  running.defer(journal.close);
  const limits = await openLeasedLimits(parts);
  const { node } = limits;
  const changes = followAnnounced(parts, snapshot, snapshotPool, limits.leases);
  const principals = openPrincipals(parts, snapshot, snapshotPool, changes, node);
  const { hops, upstream, circuits } = openUpstream(parts);
  const reports = openProviderReports(parts, circuits, snapshotPool, node);
  running.defer(journal.requests.close);
  const queue = new RequestQueue();
  const telemetry = await openTelemetry(parts, { reports, snapshot, circuits, queue });
  const turns = new Turns();
  const gatewayHandler = openHandler(parts, {
    snapshot,
    scoreboard,
    journal,
    limits,
    principals,
    changes,
    hops,
    upstream,
    circuits,
    reports,
    queue,
    telemetry,
    turns,
  });
  return {
    changes,
    circuits,
    gatewayHandler,
    journal,
    node,
    principals,
    queue,
    scoreboard,
    telemetry,
    tenants,
    turns,
    upstream,
  };
}

interface Opened {
  readonly snapshot: Snapshot;
  readonly scoreboard: Scoreboard;
  readonly journal: NodeJournal;
  readonly limits: NodeLimits;
  readonly principals: Principals;
  readonly changes: ChangeFeed;
  readonly hops: Hops;
  readonly upstream: UpstreamClient;
  readonly circuits: CircuitBreaker;
  readonly reports: ProviderReports;
  readonly queue: RequestQueue;
  readonly telemetry: Telemetry;
  readonly turns: Turns;
}

function openHandler(parts: GatewayParts, opened: Opened): GatewayHandler {
  const { bodyLimitBytes, responseBudgetBytes, trustedProxies } = parts.boot.config.http;
  const { snapshot, limits, reports } = opened;
  return createGateway({
    allowsShortPaths: parts.boot.config.allowsShortPaths,
    abandoned: openAbandonedCalls(parts),
    bodyBudget: limits.bodyBudget,
    bodyLimitBytes,
    circuits: opened.circuits,
    concurrency: limits.concurrency,
    cutOff: parts.steps.cutOff,
    findAddress: createFindAddress(trustedProxies),
    hops: opened.hops,
    intentModel: parts.intentModel,
    isDraining: () => parts.steps.draining.aborted,
    isFresh: opened.changes.isFresh,
    journal: opened.journal.requests,
    leases: limits.leases,
    log: parts.log,
    node: limits.node,
    observer: opened.telemetry.observer,
    principals: opened.principals,
    queue: opened.queue,
    refusalPace: new RefusalPace(),
    responseBudget: createResponseBudget(responseBudgetBytes),
    refusals: createRefusalMemory({ snapshot, reports, nowMs: Date.now }),
    reports,
    retryBudget: createRetryBudget(monotonicClock),
    runInTenant: parts.runInTenant,
    sandboxOrigin: parts.boot.sandboxOrigin,
    scoreboard: opened.scoreboard,
    snapshot,
    timeouts: parts.timeouts,
    tokenCounter: limits.tokenCounter,
    turns: opened.turns,
    upstream: opened.upstream,
  });
}

function followAnnounced(
  { boot, onAnnounced, log, running }: GatewayParts,
  snapshot: Snapshot,
  pool: Pool,
  leases: Awaited<ReturnType<typeof openLimits>>['leases'],
) {
  const changes = followChanges({
    snapshot,
    pool,
    directConnectionString: boot.directConnectionString,
    isPooled: isPooled(boot),
    logsOutages: boot.slot === 0,
    onAnnounced(change) {
      leases.onNotification(change);
      onAnnounced(change);
    },
    log,
  });
  running.defer(changes.stop);
  return changes;
}

function openUpstream({ boot, keyring, log, running }: GatewayParts) {
  const policy = { allowPrivate: boot.config.canReachPrivateEndpoints };
  const hops = createHops(keyring.installationId);
  const upstream = createUpstreamClient({ policy, hops, log });
  running.defer(upstream.close);
  return { hops, upstream, circuits: createCircuitBreaker({ clock: monotonicClock, log }) };
}

/**
 * Opens the handling of abandoned calls. These calls write rows to the journal, so they must finish before the
 * journal closes.
 */
function openAbandonedCalls({ boot, running, steps }: GatewayParts): AbandonedCalls {
  const abandoned = new AbandonedCalls({ timeoutMs: boot.config.abandonedTimeoutMs }, steps.runsEnd);
  running.defer(() => abandoned.whenEnded());
  return abandoned;
}

function openProviderReports(
  { log, running }: GatewayParts,
  circuits: CircuitBreaker,
  pool: Pool,
  node: { id: string },
) {
  const reports = createProviderReports({ pool, node, log });
  circuits.onTurn((key, reading) => {
    const { instanceId, model } = readCircuitKey(key);
    reports.noteCircuit(instanceId, model, reading);
  });
  running.defer(reports.close);
  return reports;
}

async function openLeasedLimits({ boot, log, running }: GatewayParts) {
  const { config, journalDir } = boot;
  const pool = createLeasePool(boot);
  running.defer(() => pool.end());
  const { concurrencyMax, http } = config;
  const bodyBudgetBytes = http.bodyBudgetBytes;
  const limits = await openLimits({ pool, journalDir, bodyBudgetBytes, concurrencyMax, log });
  running.defer(limits.close);
  return limits;
}

async function openSnapshot({ boot, keyring, log, running }: GatewayParts) {
  const snapshotPool = createSnapshotPool(boot);
  running.defer(() => snapshotPool.end());
  const snapshot = createSnapshot(snapshotPool, createKeyOpener(keyring, log));
  await snapshot.load();
  return { snapshotPool, snapshot };
}

function openPrincipals(
  { keyring, onSessionUsed }: GatewayParts,
  snapshot: Snapshot,
  pool: Pool,
  changes: ChangeFeed,
  node: Pick<NodeLimits['node'], 'nowMs'>,
): Principals {
  const missingKeys = createMissingKeys({ pool, snapshot, changes, clock: monotonicClock });
  // All nodes use one clock, so that sessions and keys expire everywhere at the same time.
  return createPrincipals(snapshot, keyring, node.nowMs, missingKeys, onSessionUsed);
}

async function openTelemetry(
  parts: GatewayParts,
  { reports, snapshot, circuits, queue }: Pick<Opened, 'reports' | 'snapshot' | 'circuits' | 'queue'>,
): Promise<Telemetry> {
  return createTelemetry({
    tracing: await openWorkerTracing(parts),
    reports,
    circuits,
    queue,
    findProviderKey: (instanceId) => snapshot.instances.get(instanceId)?.providerKey,
    hasAccessLog: parts.boot.config.hasAccessLog,
    log: parts.log,
  });
}

/** Loads the tracing libraries only if tracing is configured. */
async function openWorkerTracing({ boot, log, running }: GatewayParts): Promise<Tracing | null> {
  const { config } = boot;
  if (config.tracing === null) return null;
  const { openTracing } = await import('#telemetry/tracing/open-tracing.ts');
  const tracing = openTracing({ config: config.tracing, version, node: nameNode(config, process.ppid), log });
  running.defer(tracing.close);
  return tracing;
}
