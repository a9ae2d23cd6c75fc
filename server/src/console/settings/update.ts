import { isDeepStrictEqual } from 'node:util';
import type { DeviationPolicy, TenantSettings, updateSettingsBody } from '@sluice/contract';
import type { z } from 'zod';
import { readMarkup, type SetMarkup } from '#console/credits/markup.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { findTrustedModelProblem } from '#domain/access/trusted-models.ts';
import { ConsoleError, invalidField } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { readSettings } from './get.ts';
import { changeSettings, findTimeZone } from './store.ts';

/** Changes only the given fields. */
export async function updateSettings(
  setMarkup: SetMarkup,
  { principal, actor, inTenant }: SignedInContext,
  { markup_percentage: markup, ...body }: z.output<typeof updateSettingsBody>,
): Promise<TenantSettings> {
  const { tenantId, role } = principal;
  const saved = await inTenant(async (tx) => {
    const changesMarkup = markup !== undefined && markup !== (await readMarkup(tx));
    if (changesMarkup && role !== 'super_admin') {
      throw new ConsoleError(403, 'Only a super administrator may change the markup');
    }
    if (Object.keys(body).length > 0) {
      const timeZone = body.time_zone === undefined ? undefined : await requireTimeZone(tx, body.time_zone);
      await checkRetention(tx, tenantId, body);
      checkTrustedModels(body.trusted_models);
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
      });
    }
    return readSettings(tx, tenantId);
  });
  if (markup === undefined || markup === saved.markup_percentage) return saved;
  await setMarkup(actor, markup);
  return { ...saved, markup_percentage: markup };
}

/** Ignores a policy that is sent back unchanged, so that it stays the default of the version. */
async function pickChanged(tx: TenantTransaction, tenantId: number, policy: DeviationPolicy | undefined) {
  if (policy === undefined) return undefined;
  const { deviation_policy: current } = await readSettings(tx, tenantId);
  return isDeepStrictEqual(policy, current) ? undefined : policy;
}

type SettingsBody = z.output<typeof updateSettingsBody>;

/** Texts belong to a row and are deleted with it, so they cannot be kept longer. */
async function checkRetention(tx: TenantTransaction, tenantId: number, body: SettingsBody): Promise<void> {
  if (body.retention_days === undefined && body.body_retention_days === undefined) return;
  const { retention_days, body_retention_days } = { ...(await readSettings(tx, tenantId)), ...body };
  if (Number(body_retention_days) <= Number(retention_days)) return;
  const field = body.body_retention_days === undefined ? 'retention_days' : 'body_retention_days';
  throw invalidField(field, 'Prompts and answers cannot be kept longer than their log rows');
}

function checkTrustedModels(names: readonly string[] = []): void {
  const problem = findTrustedModelProblem(names);
  if (problem !== undefined) throw invalidField('trusted_models', problem);
}

/** The database computes days, so a zone that only JavaScript knows would break every report. */
async function requireTimeZone(tx: TenantTransaction, name: string): Promise<string> {
  const known = await findTimeZone(tx, name);
  if (known === undefined) throw invalidField('time_zone', 'The database does not know this time zone');
  return known;
}
