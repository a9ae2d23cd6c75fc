import { type CurrentUser, usersRoutes } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { TextAlignStart, User } from 'lucide-react';
import type { BuiltScreen, Screens } from '../../components/layout/use-screens.ts';
import { createApiClient } from '../../lib/api.ts';
import { findCommands, type Place, readRequestId } from './commands.ts';

const calls = createApiClient(usersRoutes);

const typedMin = 2;
const usersShown = 6;
const staleMs = 60_000;

interface FoundUsers {
  places: readonly Place[];
  isSearching: boolean;
  error: Error | null;
}

/** Users whose name or e-mail matches the typed text. */
export function useUserPlaces(user: CurrentUser, typed: string): FoundUsers {
  const isAsked = typed.trim().length >= typedMin && user.role.permissions.includes('users.read');
  const {
    data = [],
    isLoading,
    error,
  } = useQuery({
    queryKey: ['palette', 'users'],
    queryFn: ({ signal }) => calls.listUsers({ query: {} }, { signal }),
    staleTime: staleMs,
    enabled: isAsked,
  });
  const places = data.map(
    ({ id, name, email }): Place => ({
      id: `user-${id}`,
      group: 'Users',
      label: name,
      detail: email,
      icon: User,
      href: `/admin/users?open=${id}`,
    }),
  );
  const found = isAsked ? findCommands(places, typed) : [];
  return { places: found.slice(0, usersShown), isSearching: isLoading, error };
}

/** Screens that the user may open, those of the current area first. */
export function listScreenPlaces({ sidebar, menu, elsewhere, area }: Screens): Place[] {
  const toPlace = (screen: BuiltScreen, keys?: string): Place => ({
    id: `screen-${screen.path}`,
    group: 'Go to',
    label: screen.label,
    icon: screen.icon,
    href: screen.path,
    ...(keys === undefined ? { detail: area === 'admin' ? 'Portal' : 'Admin console' } : { keys }),
  });
  return [
    ...[...sidebar, ...menu].map((screen) => toPlace(screen, `g ${screen.letter}`)),
    ...elsewhere.map((screen) => toPlace(screen)),
  ];
}

/** Link to the request whose id was typed, for users who may read the log. */
export function findRequestPlace(user: CurrentUser, typed: string): Place[] {
  const id = user.role.permissions.includes('logs.read') ? readRequestId(typed) : undefined;
  if (id === undefined) return [];
  return [
    {
      id: `request-${id}`,
      group: 'Requests',
      label: 'Open the request in System Logs',
      detail: id,
      icon: TextAlignStart,
      href: `/admin/logs?open=${id}`,
    },
  ];
}
