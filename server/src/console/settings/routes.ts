import type { settingsRoutes } from '@sluice/contract';
import type { SetMarkup } from '#console/credits/markup.ts';
import type { Handlers } from '#http/console-route.ts';
import { getSettings } from './get.ts';
import { updateSettings } from './update.ts';

export function createSettingsHandlers({
  setMarkup,
}: {
  readonly setMarkup: SetMarkup;
}): Handlers<typeof settingsRoutes> {
  return {
    getSettings: (ctx) => getSettings(ctx),
    updateSettings: (ctx, { body }) => updateSettings(setMarkup, ctx, body),
  };
}
