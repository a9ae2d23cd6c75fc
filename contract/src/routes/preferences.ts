import { z } from 'zod';
import { defineRoutes } from '../route.ts';
import { isTimeZone } from '../time-zone.ts';

/** `system` is what the browser's own system has. */
export const themes = ['light', 'dark', 'system'] as const;

export type Theme = (typeof themes)[number];

/** How high the rows of tables and lists are: 36, 28 or 44 pixels. */
export const densities = ['regular', 'compact', 'comfortable'] as const;

export type Density = (typeof densities)[number];

/** How a person wants to see the console, in every browser. */
export const preferences = z.strictObject({
  theme: z.enum(themes),
  density: z.enum(densities),
  /** In which times are shown; `null` is the browser's. */
  time_zone: z.string().max(100).refine(isTimeZone, 'Must be a time zone such as Europe/Berlin').nullable(),
});

export type Preferences = z.infer<typeof preferences>;

/** What is shown to who has not chosen. */
export const defaultPreferences: Preferences = { theme: 'system', density: 'regular', time_zone: null };

const own = { surface: 'management', permission: 'account.read', path: '/user/preferences' } as const;

export const preferencesRoutes = defineRoutes({
  getPreferences: {
    ...own,
    method: 'GET',
    summary: 'How the caller wants to see the console, in every browser',
    response: preferences,
  },
  updatePreferences: {
    ...own,
    method: 'PUT',
    summary: 'Choose how the caller sees the console, in every browser',
    request: { body: preferences },
    response: preferences,
  },
});
