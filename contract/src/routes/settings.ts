import { z } from 'zod';
import { whenAbsent } from '../describe-field-problem.ts';
import { defineRoutes } from '../route.ts';
import { deviationPolicy } from './governance.ts';

/** Whether a name is one of the IANA database, such as `Europe/Berlin`; offsets such as `+01:00` are not. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

export const tenantSettings = z.object({
  name: z.string(),
  /** Where the tenant's days and months begin: for quotas, reports and the logs' dates. */
  time_zone: z.string(),
  /** Added to what service-managed instances cost; the same for all tenants. */
  markup_percentage: z.number(),
  deviation_policy: deviationPolicy,
});

export type TenantSettings = z.infer<typeof tenantSettings>;

/** Only the changed fields. */
export const updateSettingsBody = z
  .strictObject({
    name: z
      .string(whenAbsent('Name is required'))
      .trim()
      .min(1, 'Name is required')
      .max(200, 'Name must be at most 200 characters'),
    time_zone: z.string().refine(isTimeZone, 'Please choose a time zone'),
    /** Only a super administrator may change it. */
    markup_percentage: z
      .number('Markup must be a number')
      .min(0, 'Markup must be non-negative')
      .max(1000, 'Markup cannot exceed 1,000 %')
      .refine((percent) => Number(percent.toFixed(2)) === percent, 'Markup has at most 2 decimals'),
    /** As a whole. */
    deviation_policy: deviationPolicy,
  })
  .partial();

const path = '/admin/settings';

export const settingsRoutes = defineRoutes({
  getSettings: {
    method: 'GET',
    path,
    surface: 'management',
    permission: 'settings.read',
    summary: "The tenant's settings",
    response: tenantSettings,
  },
  updateSettings: {
    method: 'PUT',
    path,
    surface: 'management',
    permission: 'settings.write',
    summary: "Change some of the tenant's settings",
    request: { body: updateSettingsBody },
    response: tenantSettings,
  },
});
