import type { Pool } from 'pg';
import { nameNode } from '#config/config.ts';
import type { ChatRuns } from '#console/chats/runs.ts';
import { isPooled } from '#db/is-pooled.ts';
import type { RunInTenant } from '#db/tenant.ts';
import { openLimits } from '#gateway/allowance/open-limits.ts';
import { createScoreboard } from '#gateway/deviation/scoreboard.ts';
import { createGateway } from '#gateway/gateway.ts';
import { AbandonedCalls } from '#gateway/provider-call/abandoned-calls.ts';
import { createProviderReports, type ProviderReports } from '#gateway/provider-call/provider-reports.ts';
import type { ProviderTimeouts } from '#gateway/provider-call/provider-timeouts.ts';
import { createRefusalMemory } from '#gateway/provider-call/refusal-memory.ts';
import { openNodeJournal } from '#gateway/request-log/node-journal.ts';
import type { RequestQueue } from '#gateway/request-queue.ts';
import { followChanges } from '#gateway/snapshot/follow-changes.ts';
import { createKeyOpener } from '#gateway/snapshot/key-opener.ts';
import { createMissingKeys } from '#gateway/snapshot/missing-keys.ts';
import { createPrincipals } from '#gateway/snapshot/principals.ts';
import { createSnapshot, type Snapshot } from '#gateway/snapshot/snapshot.ts';
import { createRequestSource } from '#http/caller-address.ts';
import type { IntentModel } from '#intent/model.ts';
import { type Clock, monotonicClock } from '#platform/clock.ts';
import type { Keyring } from '#platform/keyring.ts';
import type { Logger } from '#platform/logger.ts';
import type { Turns } from '#platform/paced-work.ts';
import { RefusalPace } from '#platform/refusal-pace.ts';
import { version } from '#platform/version.ts';
import type { WorkerBoot } from '#supervisor/messages.ts';
import { createTelemetry } from '#telemetry/telemetry.ts';
import type { Tracing } from '#telemetry/tracing/tracing.ts';
import { type CircuitBreaker, readCircuitKey } from '#upstream/circuit-breaker.ts';
import { createUpstreamClient } from '#upstream/client.ts';
import type { Hops } from '#upstream/hops.ts';
import { createRetryBudget } from '#upstream/retries.ts';
import { createLeasePool, createSnapshotPool } from './pools.ts';
import type { StopSteps } from './stop-steps.ts';

/** Dependencies that the data plane gets from its worker. */
export interface GatewayParts {
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
  readonly steps: StopSteps;
  readonly timeouts: ProviderTimeouts;
  readonly chatRuns: ChatRuns;
  readonly queue: RequestQueue;
}

/** Opens the data plane of a worker; `parts.running` closes it in reverse order. */
export async function openGateway(parts: GatewayParts) {
  const { boot, log, running, steps } = parts;
  const { config, journalDir, sandboxOrigin } = boot;
  const { snapshotPool, snapshot, createPrincipalsBy } = await openSnapshot(parts);
  const scoreboard = createScoreboard(snapshot);
  const { tenants } = snapshot;
  const { isJournalSynced: isSynced } = config;
  const journal = openNodeJournal({ dir: journalDir, isSynced, scoreboard, tenants, log });
  // The journal closes after everything else; the shipper then returns the leases.
  running.defer(journal.close);
  const limits = await openLeasedLimits(parts);
  const principals = createPrincipalsBy(limits.node.nowMs);
  const changes = followAnnounced(parts, snapshot, snapshotPool, limits.leases);
  const upstream = openUpstream(parts);
  const reports = openProviderReports(parts, snapshotPool, limits.node);
  running.defer(journal.requests.close);
  const telemetry = await openTelemetry(parts, reports, snapshot);
  const gatewayHandler = createGateway({
    abandoned: openAbandonedCalls(parts),
    observer: telemetry.observer,
    snapshot,
    principals,
    isFresh: changes.isFresh,
    isDraining: () => steps.draining.aborted,
    cutOff: steps.cutOff,
    journal: journal.requests,
    ...parts,
    ...limits,
    upstream,
    reports,
    refusals: createRefusalMemory({ snapshot, reports, nowMs: Date.now }),
    retryBudget: createRetryBudget(monotonicClock),
    refusalPace: new RefusalPace(),
    findSource: createRequestSource(config.http.trustedProxies),
    scoreboard,
    sandboxOrigin,
    bodyLimitBytes: config.http.bodyLimitBytes,
  });
  return {
    gatewayHandler,
    principals,
    node: limits.node,
    tenants,
    changes,
    scoreboard,
    upstream,
    journal,
    telemetry,
  };
}

/** Follows announced changes, which also concern the leases and the chats of this worker. */
function followAnnounced(
  { boot, chatRuns, log, running }: GatewayParts,
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
      chatRuns.onAnnounced(change);
    },
    log,
  });
  running.defer(changes.stop);
  return changes;
}

function openUpstream({ boot, hops, log, running }: GatewayParts) {
  const policy = { allowPrivate: boot.config.canReachPrivateEndpoints };
  const upstream = createUpstreamClient({ policy, hops, log });
  running.defer(upstream.close);
  return upstream;
}

/** Abandoned calls write rows to the journal, so they end before it closes. */
function openAbandonedCalls({ boot, running, steps }: GatewayParts): AbandonedCalls {
  const abandoned = new AbandonedCalls({ timeoutMs: boot.config.abandonedTimeoutMs }, steps.runsEnd);
  running.defer(() => abandoned.whenEnded());
  return abandoned;
}

/** Reports this node's findings about providers to all nodes. */
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
  const { config, journalDir } = boot;
  const pool = createLeasePool(boot);
  running.defer(() => pool.end());
  const { concurrencyMax, http } = config;
  const bodyBudgetBytes = http.bodyBudgetBytes;
  const limits = await openLimits({ pool, journalDir, bodyBudgetBytes, concurrencyMax, log });
  running.defer(limits.close);
  return limits;
}

async function openSnapshot({ boot, keyring, log, running, onSessionUsed }: GatewayParts) {
  const snapshotPool = createSnapshotPool(boot);
  running.defer(() => snapshotPool.end());
  const snapshot = createSnapshot(snapshotPool, createKeyOpener(keyring, log));
  await snapshot.load();
  const missingKeys = createMissingKeys(snapshotPool, snapshot, monotonicClock);
  /** One clock for all nodes, so that sessions and keys expire everywhere at the same time. */
  const createPrincipalsBy = (clock: Clock) =>
    createPrincipals(snapshot, keyring, clock, missingKeys, onSessionUsed);
  return { snapshotPool, snapshot, createPrincipalsBy };
}

async function openTelemetry(parts: GatewayParts, reports: ProviderReports, snapshot: Snapshot) {
  const { config } = parts.boot;
  const tracing = await openWorkerTracing(parts);
  return createTelemetry({
    ...parts,
    tracing,
    reports,
    findProviderKey: (instanceId) => snapshot.instances.get(instanceId)?.providerKey,
    hasAccessLog: config.hasAccessLog,
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
