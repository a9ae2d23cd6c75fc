import type { settingsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { outside, read } from '#http/verbs.ts';
import type { Clock } from '#platform/clock.ts';
import { getSettings, type InstallationSettings, previewRetention, updateSettings } from './settings.ts';

interface SettingsDeps extends InstallationSettings {
  readonly clock: Clock;
}

export function createSettingsHandlers(deps: SettingsDeps): Handlers<typeof settingsRoutes> {
  return {
    getSettings: read(getSettings),
    previewRetention: read(previewRetention.bind(null, deps.clock), ({ query }) => query),
    updateSettings: outside('spans two scopes', (ctx, { body }) => updateSettings(deps, ctx, body)),
  };
}
