import type { settingsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { getSettings } from './get.ts';
import { updateSettings } from './update.ts';

export function createSettingsHandlers(): Handlers<typeof settingsRoutes> {
  return {
    getSettings: (ctx) => getSettings(ctx),
    updateSettings: (ctx, { body }) => updateSettings(ctx, body),
  };
}
