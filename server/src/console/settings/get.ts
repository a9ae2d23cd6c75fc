import type { TenantSettings } from '@sluice/contract';
import { readMarkup } from '#console/credits/markup.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { readPolicy } from '#domain/deviation/read-policy.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { selectSettings } from './store.ts';

export function getSettings({ principal, inTenant }: SignedInContext): Promise<TenantSettings> {
  return inTenant((tx) => readSettings(tx, principal.tenantId));
}

/** Returns the settings as all settings routes do. */
export async function readSettings(tx: TenantTransaction, tenantId: number): Promise<TenantSettings> {
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
  };
}
