import {
  contract,
  describeOpenapi,
  type systemRoutes,
  type UnreadyReason,
  unreadyReasons,
} from '@sluice/contract';
import { findSuspensionBanner, listBanners } from '#banners/banners.ts';
import { ownShare, withShare } from '#db/fair-pool.ts';
import type { SystemDatabase } from '#db/system.ts';
import { UnreadyError } from '#errors/console-error.ts';
import type { Handlers } from '#http/console-route.ts';
import { FixedAnswer } from '#http/fixed-answer.ts';
import { outside } from '#http/verbs.ts';
import type { Metrics } from '#telemetry/metrics/catalogue.ts';
import { getMetrics } from './metrics.ts';
import { readInstallationMetrics, readOperation } from './operation.ts';

export interface SystemDeps {
  /** Reason why the node currently accepts no requests; `null` if the node accepts requests. */
  readonly unreadiness: () => UnreadyReason | null;
  /** Reason why a ready node is degraded; `null` if it is not degraded. */
  readonly degradation?: () => UnreadyReason | null;
  readonly databaseFailure?: () => string | null;
  readonly version: string;
  /** Commit of the build; `null` if unknown. */
  readonly build?: string | null;
  readonly system: SystemDatabase;
  readonly node: string;
  readonly metricsToken: string | null;
  readonly dataDir: string;
  readonly readNodeMetrics: () => Promise<readonly Metrics[]>;
}

const documents = new Map<string, FixedAnswer>();

/** Generated once per process, because this takes 100 ms. */
const openapiOf = (version: string) =>
  documents.getOrInsertComputed(version, () => new FixedAnswer(describeOpenapi(contract, version)));

export function createSystemHandlers(deps: SystemDeps): Handlers<typeof systemRoutes> {
  const {
    databaseFailure = () => null,
    degradation = () => null,
    unreadiness,
    version,
    build = null,
    system,
    node,
  } = deps;
  const openapi = openapiOf(version);
  const metrics = {
    ...deps,
    readInstallationMetrics: () => withShare(ownShare('metrics'), () => readInstallationMetrics(system)),
  };
  return {
    getHealth: outside('needs no transaction', async () => ({ status: 'ok' })),
    getReadiness: outside('needs no transaction', async () => {
      const reason = unreadiness();
      const failureOf = (found: UnreadyReason | null) =>
        found === 'database_unreachable' ? databaseFailure() : null;
      if (reason !== null) throw new UnreadyError(reason, failureOf(reason));
      const lack = degradation();
      const degraded = lack && { reason: lack, detail: unreadyReasons[lack], failure: failureOf(lack) };
      return { status: 'ready', degraded };
    }),
    getMetrics: outside('needs no transaction', (ctx) => getMetrics(ctx, metrics)),
    getStatus: outside('spans two scopes', async ({ principal, inTenant }) => ({
      version,
      build,
      banners: await inTenant(async (tx) => [
        ...(await findSuspensionBanner(tx, principal.tenantId)),
        ...(await listBanners(tx, principal.role, principal.tenantId)),
      ]),
      operation: principal.role === 'super_admin' ? await readOperation(system, node) : null,
    })),
    getOpenapi: outside('needs no transaction', async () => openapi),
  };
}
