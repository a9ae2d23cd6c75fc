import { defaultPreferences, type preferencesRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { read, write } from '#http/verbs.ts';
import { readPreferences, updatePreferences } from './preferences.ts';

export function createPreferencesHandlers(): Handlers<typeof preferencesRoutes> {
  return {
    getPreferences: read(async (tx, author) => (await readPreferences(tx, author)) ?? defaultPreferences),
    updatePreferences: write(updatePreferences, ({ body }) => body),
  };
}
