import type { settingsRoutes } from '@sluice/contract';
import type { SetMarkup } from '#console/credits/change-settings.ts';
import type { Handlers } from '#http/console-route.ts';
import { outside, read } from '#http/verbs.ts';
import type { Clock } from '#platform/clock.ts';
import { getSettings, previewRetention, updateSettings } from './settings.ts';

interface SettingsDeps {
  readonly setMarkup: SetMarkup;
  readonly clock: Clock;
}

export function createSettingsHandlers({ setMarkup, clock }: SettingsDeps): Handlers<typeof settingsRoutes> {
  return {
    getSettings: read(getSettings),
    previewRetention: read(previewRetention.bind(null, clock), ({ query }) => query),
    updateSettings: outside('spans two scopes', (ctx, { body }) => updateSettings(setMarkup, ctx, body)),
  };
}
