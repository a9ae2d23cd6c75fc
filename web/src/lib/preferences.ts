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
 * How the person who is signed in sees the console, and a function that changes it: at once in this browser, and on the
 * server for all others. It answers whether the server has taken it; the browser keeps the choice in any case.
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
    // A super administrator acting for a tenant is not one of its users.
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

/** Before anything is shown, so that no time is shown twice. */
export function applyTimeZone({ preferences }: CurrentUser): void {
  if (readActingTenant() === null) setTimeZone(preferences?.time_zone ?? null);
}

/** Takes over what a person has chosen in another browser. */
export function useKeptPreferences({ id, preferences }: CurrentUser): void {
  const [, setTheme] = useTheme();
  const [, setDensity] = useDensity();
  const apply = useEffectEvent(() => {
    if (preferences === null) return;
    setTheme(preferences.theme);
    setDensity(preferences.density);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each person; later choices are made here
  useEffect(() => apply(), [id]);
}
