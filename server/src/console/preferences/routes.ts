import { defaultPreferences, type preferencesRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { readPreferences, updatePreferences } from './preferences.ts';

export function createPreferencesHandlers(): Handlers<typeof preferencesRoutes> {
  return {
    getPreferences: ({ principal, inTenant }) =>
      inTenant(async (tx) => (await readPreferences(tx, principal)) ?? defaultPreferences),
    updatePreferences: (ctx, { body }) => updatePreferences(ctx, body),
  };
}
