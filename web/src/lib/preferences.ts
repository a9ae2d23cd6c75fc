import { type CurrentUser, type Preferences, preferencesRoutes } from '@sluice/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { readActingTenant } from './acting-tenant.ts';
import { createApiClient } from './api.ts';
import { useDensity, useTheme } from './appearance.ts';
import { logFailure } from './describe-failure.ts';
import { currentUserQuery } from './session.ts';
import { setTimeZone, useTimeZone } from './time-zone.ts';

const calls = createApiClient(preferencesRoutes);

/**
 * Returns the preferences of the signed-in user and a setter. The setter applies a change in this browser immediately
 * and stores it on the server. It resolves to `false` if the server rejects the change, which remains applied in the
 * browser.
 */
export function usePreferences(): [Preferences, (change: Partial<Preferences>) => Promise<boolean>] {
  const queryClient = useQueryClient();
  const [theme, setTheme] = useTheme();
  const [density, setDensity] = useDensity();
  const preferences: Preferences = { theme, density, time_zone: useTimeZone() };
  const choose = async (change: Partial<Preferences>) => {
    const chosen = { ...preferences, ...change };
    setTheme(chosen.theme);
    setDensity(chosen.density);
    setTimeZone(chosen.time_zone);
    queryClient.setQueryData(currentUserQuery.queryKey, (user) => user && { ...user, preferences: chosen });
    // A super administrator who acts for a tenant is not a user of the tenant, so the preferences are not stored on
    // the server.
    if (readActingTenant() !== null) return true;
    const saved = calls.updatePreferences({ body: chosen });
    return saved.then(
      () => true,
      (error: unknown) => {
        logFailure('The server did not save the preference', error);
        return false;
      },
    );
  };
  return [preferences, choose];
}

/** Must run before rendering, so that no time is rendered in two time zones. */
export function applyTimeZone({ preferences }: CurrentUser): void {
  if (readActingTenant() === null) setTimeZone(preferences?.time_zone ?? null);
}

/** Applies preferences that the user has set in another browser. */
export function useKeptPreferences({ id, preferences }: CurrentUser): void {
  const [, setTheme] = useTheme();
  const [, setDensity] = useDensity();
  const apply = useEffectEvent(() => {
    if (preferences === null) return;
    setTheme(preferences.theme);
    setDensity(preferences.density);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per user; later changes are made in this browser
  useEffect(() => apply(), [id]);
}
