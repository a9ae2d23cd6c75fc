import { isDeepStrictEqual } from 'node:util';
import type { DeviationPolicy, RetentionPreview, TenantSettings, updateSettingsBody } from '@sluice/contract';
import type { z } from 'zod';
import { readMarkup, type SetMarkup } from '#console/credits/change-settings.ts';
import { findSuperAdminFactor, type SetSuperAdminFactor } from '#console/second-factor/super-admin-rule.ts';
import type { Actor } from '#db/actor.ts';
import type { LogTransaction, TenantTransaction } from '#db/tenant.ts';
import { findTrustedModelProblem } from '#domain/access/blacklist.ts';
import { readPolicy } from '#domain/deviation/policy.ts';
import type { Principal } from '#domain/principal.ts';
import { findNextRetentionRun, retentionCutoff } from '#domain/retention.ts';
import { ConsoleError, invalidField, notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import type { Clock } from '#platform/clock.ts';
import { changeSettings, findTimeZone, selectSettings } from './store.ts';

export async function updateSettings(
  installation: InstallationSettings,
  { principal, actor, inTenant }: SignedInContext,
  {
    markup_percentage: markup,
    requires_super_admin_second_factor: requiresFactor,
    ...body
  }: z.output<typeof updateSettingsBody>,
): Promise<TenantSettings> {
  const { role } = principal;
  const saved = await inTenant(async (tx) => {
    const changesMarkup = markup !== undefined && markup !== (await readMarkup(tx));
    if (changesMarkup && role !== 'super_admin') {
      throw new ConsoleError(403, 'Only a super administrator may change the markup');
    }
    if (role !== 'super_admin' && requiresFactor !== undefined) {
      await requireSameFactorRule(tx, requiresFactor);
    }
    return updateSettingsInTenant(tx, principal, body);
  });
  return saveInstallation(installation, actor, saved, { markup, requiresFactor });
}

/** Ignores settings of the whole installation. */
export async function updateSettingsInTenant(
  tx: TenantTransaction,
  { tenantId }: Pick<Principal, 'tenantId'>,
  body: TenantBody,
): Promise<TenantSettings> {
  if (Object.keys(body).length > 0) {
    const timeZone = body.time_zone === undefined ? undefined : await requireTimeZone(tx, body.time_zone);
    await checkRetention(tx, tenantId, body);
    checkTrustedModels(body.trusted_models);
    await checkFallbackPrice(tx, tenantId, body);
    await changeSettings(tx, tenantId, {
      name: body.name,
      timeZone,
      deviationPolicy: await pickChanged(tx, tenantId, body.deviation_policy),
      promptPrivacy: body.prompt_privacy,
      retentionDays: body.retention_days,
      bodyRetentionDays: body.body_retention_days,
      usageRetentionDays: body.usage_retention_days,
      maxOutputTokens: body.max_output_tokens,
      trustedModels: body.trusted_models,
      defaultDailyQuota: body.default_daily_quota,
      defaultMonthlyQuota: body.default_monthly_quota,
      defaultRequestsPerHour: body.default_requests_per_hour,
      usersRegenerateKeys: body.users_regenerate_keys,
      apiKeysPerUser: body.api_keys_per_user,
      usersCreateKeys: body.users_create_keys,
      unpricedModels: body.unpriced_models,
      fallbackPrice: body.fallback_price,
      secondFactorRoles: body.second_factor_roles,
      acceptsRequestLabels: body.accepts_request_labels,
    });
  }
  return getSettings(tx, { tenantId });
}

type TenantBody = Omit<
  z.output<typeof updateSettingsBody>,
  'markup_percentage' | 'requires_super_admin_second_factor'
>;

export interface InstallationSettings {
  readonly setMarkup: SetMarkup;
  readonly setSuperAdminFactor: SetSuperAdminFactor;
}

async function saveInstallation(
  { setMarkup, setSuperAdminFactor }: InstallationSettings,
  actor: Actor,
  saved: TenantSettings,
  { markup, requiresFactor }: { markup: number | undefined; requiresFactor: boolean | undefined },
): Promise<TenantSettings> {
  const changed = {
    markup_percentage: markup ?? saved.markup_percentage,
    requires_super_admin_second_factor: requiresFactor ?? saved.requires_super_admin_second_factor,
  };
  if (changed.markup_percentage !== saved.markup_percentage)
    await setMarkup(actor, changed.markup_percentage);
  if (changed.requires_super_admin_second_factor !== saved.requires_super_admin_second_factor)
    await setSuperAdminFactor(actor, changed.requires_super_admin_second_factor);
  return { ...saved, ...changed };
}

async function requireSameFactorRule(tx: TenantTransaction, isRequired: boolean): Promise<void> {
  if (isRequired === (await findSuperAdminFactor(tx))) return;
  throw new ConsoleError(
    403,
    'Only a super administrator may change whether super administrators must have a second factor',
  );
}

/** Omits an unchanged policy, so that a tenant without a custom policy keeps using the default of each version. */
async function pickChanged(tx: TenantTransaction, tenantId: number, policy: DeviationPolicy | undefined) {
  if (policy === undefined) return undefined;
  const { deviation_policy: current } = await getSettings(tx, { tenantId });
  return isDeepStrictEqual(policy, current) ? undefined : policy;
}

type SettingsBody = z.output<typeof updateSettingsBody>;

/** Checks that texts are not kept longer than log rows. Texts belong to a log row and are deleted with it. */
async function checkRetention(tx: TenantTransaction, tenantId: number, body: SettingsBody): Promise<void> {
  if (body.retention_days === undefined && body.body_retention_days === undefined) return;
  const { retention_days, body_retention_days } = { ...(await getSettings(tx, { tenantId })), ...body };
  if (Number(body_retention_days) <= Number(retention_days)) return;
  const field = body.body_retention_days === undefined ? 'retention_days' : 'body_retention_days';
  throw invalidField(field, 'Prompts and answers cannot be kept longer than their log rows');
}

async function checkFallbackPrice(
  tx: TenantTransaction,
  tenantId: number,
  body: SettingsBody,
): Promise<void> {
  if (body.unpriced_models === undefined && body.fallback_price === undefined) return;
  const { unpriced_models, fallback_price } = { ...(await getSettings(tx, { tenantId })), ...body };
  if (unpriced_models === 'fallback' && fallback_price === null)
    throw invalidField('fallback_price', 'Enter the fallback price for models without a known price');
}

function checkTrustedModels(names: readonly string[] = []): void {
  const problem = findTrustedModelProblem(names);
  if (problem !== undefined) throw invalidField('trusted_models', problem);
}

/**
 * Checks that PostgreSQL supports a time zone. PostgreSQL computes the days of reports, so a zone supported only by
 * JavaScript would break every report.
 */
async function requireTimeZone(tx: TenantTransaction, name: string): Promise<string> {
  const known = await findTimeZone(tx, name);
  if (known === undefined)
    throw invalidField('time_zone', 'The database does not support this time zone. Choose another one.');
  return known;
}

export async function getSettings(
  tx: TenantTransaction,
  { tenantId }: Pick<Principal, 'tenantId'>,
): Promise<TenantSettings> {
  const row = await selectSettings(tx, tenantId);
  if (!row) throw notFound('Tenant');
  return {
    name: row.name,
    time_zone: row.timeZone,
    markup_percentage: await readMarkup(tx),
    deviation_policy: readPolicy(row.deviationPolicy),
    prompt_privacy: row.promptPrivacy,
    retention_days: row.retentionDays,
    body_retention_days: row.bodyRetentionDays,
    usage_retention_days: row.usageRetentionDays,
    max_output_tokens: row.maxOutputTokens,
    trusted_models: row.trustedModels,
    default_daily_quota: row.defaultDailyQuota,
    default_monthly_quota: row.defaultMonthlyQuota,
    default_requests_per_hour: row.defaultRequestsPerHour,
    users_regenerate_keys: row.usersRegenerateKeys,
    api_keys_per_user: row.apiKeysPerUser,
    users_create_keys: row.usersCreateKeys,
    unpriced_models: row.unpricedModels,
    fallback_price: row.fallbackPrice,
    second_factor_roles: row.secondFactorRoles,
    accepts_request_labels: row.acceptsRequestLabels,
    requires_super_admin_second_factor: await findSuperAdminFactor(tx),
  };
}

/** Counting stops at this number, because higher counts do not need to be exact. */
const countMax = 1_000_000;

interface RetentionDays {
  readonly retention_days: number;
  readonly body_retention_days: number;
}

/** Counts the rows that the next retention run would delete with the given retention days. */
export async function previewRetention(
  clock: Clock,
  tx: LogTransaction,
  _author: Principal,
  { retention_days: rowDays, body_retention_days: bodyDays }: RetentionDays,
): Promise<RetentionPreview> {
  if (bodyDays > rowDays) {
    throw invalidField(
      'body_retention_days',
      'Prompts and answers cannot be kept longer than their log rows',
    );
  }
  const runsAt = findNextRetentionRun(clock());
  const rowsFrom = retentionCutoff(runsAt.getTime(), rowDays);
  const bodiesFrom = retentionCutoff(runsAt.getTime(), bodyDays);
  const rows = await tx.requestLog.countOldRows(rowsFrom, countMax + 1);
  const bodies = await tx.requestLog.countOldBodies([rowsFrom, bodiesFrom], countMax + 1);
  return {
    rows: Math.min(rows, countMax),
    bodies: Math.min(bodies, countMax),
    is_exact: rows <= countMax && bodies <= countMax,
    runs_at: runsAt.toISOString(),
  };
}
