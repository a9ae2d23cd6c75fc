import type { TenantSettings, updateSettingsBody } from '@sluice/contract';
import type { z } from 'zod';
import type { TenantTransaction } from '#db/tenant.ts';
import { invalidField } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { readSettings } from './get.ts';
import { changeSettings, findTimeZone } from './store.ts';

/** Changes only the fields that are given. */
export async function updateSettings(
  { principal, inTenant }: SignedInContext,
  body: z.output<typeof updateSettingsBody>,
): Promise<TenantSettings> {
  const { tenantId } = principal;
  return inTenant(async (tx) => {
    if (Object.keys(body).length > 0) {
      const timeZone = body.time_zone === undefined ? undefined : await requireTimeZone(tx, body.time_zone);
      await changeSettings(tx, tenantId, { name: body.name, timeZone });
    }
    return readSettings(tx, tenantId);
  });
}

/** Days are cut by the database, so a zone that only JavaScript knows would break every report. */
async function requireTimeZone(tx: TenantTransaction, name: string): Promise<string> {
  const known = await findTimeZone(tx, name);
  if (known === undefined) throw invalidField('time_zone', 'The database does not know this time zone');
  return known;
}
