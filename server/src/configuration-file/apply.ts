import { setTimeout as wait } from 'node:timers/promises';
import { describeIssuerProblem } from '#console/identity-providers/check-issuer.ts';
import type { Actor } from '#db/actor.ts';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import type { OpenIdClient } from '#openid/openid-client.ts';
import { changeTenant, RejectedChangeError, type TenantPlan } from './change-tenant.ts';
import { ConfigurationError, type Fault, sortFaults } from './faults.ts';
import type { ApplyDeps } from './kinds/kind.ts';
import { beginApply, selectIssuers, tryLockTenant } from './managed-store.ts';
import type { WantedTenant } from './validate.ts';

export interface ApplyOptions {
  /** Whether to roll back the changes after computing them. */
  readonly isPlan: boolean;
  /** Whether to delete managed objects that the file does not list. */
  readonly prunes: boolean;
  /** Whether to make managed objects that the file does not list editable in the console. */
  readonly releases: boolean;
  readonly source: string;
  readonly actor: Actor;
  readonly note: (text: string) => void;
}

export interface ConfigurationDeps extends ApplyDeps {
  readonly openid: Pick<OpenIdClient, 'findIssuer'>;
  readonly canReachPrivateEndpoints: boolean;
}

const lockWaitMs = 60_000;
const lockPollMs = 200;

class Undone extends Error {
  readonly plan: TenantPlan;

  constructor(plan: TenantPlan) {
    super('the transaction was a plan and was rolled back');
    this.plan = plan;
  }
}

/**
 * Changes the tenants to match their files, each in one transaction. Several tenants are checked before the first
 * change, and a fault that the check finds prevents all changes.
 * @throws ConfigurationError with every fault
 */
export async function applyConfiguration(
  deps: ConfigurationDeps,
  system: SystemDatabase,
  tenants: readonly WantedTenant[],
  options: ApplyOptions,
): Promise<readonly TenantPlan[]> {
  const faults = await findIssuerFaults(deps, system, tenants);
  const run = createRun(deps, system, options);
  if (options.isPlan || tenants.length > 1 || faults.length > 0) {
    const plans: TenantPlan[] = [];
    for (const tenant of tenants) plans.push(await run(tenant, false));
    faults.push(...plans.flatMap((plan) => plan.faults));
    if (faults.length > 0) throw new ConfigurationError(sortFaults(faults));
    if (options.isPlan) return plans;
  }
  const applied: TenantPlan[] = [];
  for (const tenant of tenants) {
    const plan = await run(tenant, true);
    if (plan.faults.length > 0) throw new ConfigurationError(sortFaults(plan.faults));
    applied.push(plan);
  }
  return applied;
}

function createRun(deps: ConfigurationDeps, system: SystemDatabase, options: ApplyOptions) {
  const attempt = (tenant: WantedTenant, commits: boolean, findsAllFaults: boolean) =>
    changeAs(system, options.actor, async (tx) => {
      await beginApply(tx, options.source);
      await lockTenant(tx, tenant.slug, options.note);
      const plan = await changeTenant(deps, tx, tenant, { ...options, findsAllFaults });
      if (!commits || plan.faults.length > 0) throw new Undone(plan);
      return plan;
    }).catch((error: unknown) => {
      if (error instanceof Undone) return error.plan;
      throw error;
    });
  return async (tenant: WantedTenant, commits: boolean): Promise<TenantPlan> => {
    try {
      return await attempt(tenant, commits, false);
    } catch (error) {
      if (!(error instanceof RejectedChangeError)) throw error;
    }
    return attempt(tenant, false, true);
  };
}

async function lockTenant(tx: SystemDatabase, slug: string, note: (text: string) => void): Promise<void> {
  const endsAtMs = Date.now() + lockWaitMs;
  let hasNoted = false;
  while (!(await tryLockTenant(tx, slug))) {
    if (Date.now() >= endsAtMs)
      throw new Error(
        `Another "sluice apply" has been changing the tenant "${slug}" for ${lockWaitMs / 1000} seconds. Wait until it has finished, then run this command again.`,
      );
    if (!hasNoted)
      note(`Another "sluice apply" is changing the tenant "${slug}". Waiting until it has finished.`);
    hasNoted = true;
    await wait(lockPollMs);
  }
}

/** Checks new issuers before any transaction starts, since the check sends requests to the issuers. */
async function findIssuerFaults(
  deps: ConfigurationDeps,
  system: SystemDatabase,
  tenants: readonly WantedTenant[],
): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const { slug, objects } of tenants) {
    const providers = objects.filter(({ kind }) => kind.name === 'identity_provider');
    if (providers.length === 0) continue;
    const known = await selectIssuers(system, slug);
    for (const { placeOf, spec } of providers) {
      const issuer = String(spec.issuer);
      if (known.includes(issuer)) continue;
      const problem = await describeIssuerProblem(deps, issuer);
      if (problem !== null) faults.push({ ...placeOf('issuer'), message: problem });
    }
  }
  return faults;
}
