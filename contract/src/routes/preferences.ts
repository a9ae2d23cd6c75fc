import { z } from 'zod';
import { isTimeZone } from '../fields.ts';
import { defineRoutes } from '../route.ts';

/** `system` follows the operating system. */
export const themes = ['light', 'dark', 'system'] as const;

export type Theme = (typeof themes)[number];

/** Row height: 36, 28 or 44 pixels. */
export const densities = ['regular', 'compact', 'comfortable'] as const;

export type Density = (typeof densities)[number];

/** Preferences apply in every browser. */
export const preferences = z.strictObject({
  theme: z.enum(themes),
  density: z.enum(densities),
  /** `null` means the browser's time zone. */
  time_zone: z.string().max(100).refine(isTimeZone, 'Must be a time zone such as Europe/Berlin').nullable(),
});

export type Preferences = z.infer<typeof preferences>;

/** Preferences of users who have not set any. */
export const defaultPreferences: Preferences = { theme: 'system', density: 'regular', time_zone: null };

const own = { surface: 'management', permission: 'account.read', path: '/user/preferences' } as const;

export const preferencesRoutes = defineRoutes({
  getPreferences: {
    ...own,
    method: 'GET',
    summary: "Get the caller's console preferences, which apply in every browser",
    response: preferences,
  },
  updatePreferences: {
    ...own,
    method: 'PUT',
    summary: "Set the caller's console preferences, which apply in every browser",
    request: { body: preferences },
    response: preferences,
  },
});
