import type { settingsRoutes } from '@sluice/contract';
import type { SetMarkup } from '#console/credits/markup.ts';
import type { Handlers } from '#http/console-route.ts';
import type { Clock } from '#platform/clock.ts';
import { getSettings } from './get.ts';
import { previewRetention } from './preview-retention.ts';
import { updateSettings } from './update.ts';

interface SettingsDeps {
  readonly setMarkup: SetMarkup;
  readonly clock: Clock;
}

export function createSettingsHandlers({ setMarkup, clock }: SettingsDeps): Handlers<typeof settingsRoutes> {
  return {
    getSettings: (ctx) => getSettings(ctx),
    previewRetention: (ctx, { query }) => previewRetention(clock, ctx, query),
    updateSettings: (ctx, { body }) => updateSettings(setMarkup, ctx, body),
  };
}
