import { type Role, rolesRoutes, userRole } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { createApiClient } from '../../lib/api.ts';
import { logFailure } from '../../lib/log-failure.ts';

const calls = createApiClient(rolesRoutes);

/** Roles, refetched for each form; only `user` if that fails; `undefined` while loading. */
export function useRoles(): readonly Role[] | undefined {
  const { data, error } = useQuery({
    queryKey: ['roles'],
    queryFn: ({ signal }) => calls.listRoles(undefined, { signal }),
    gcTime: 0,
  });
  useEffect(() => {
    if (error) logFailure('The roles could not be loaded', error);
  }, [error]);
  return data ?? (error ? [userRole] : undefined);
}
