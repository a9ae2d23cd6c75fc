import { type Role, userRole } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../lib/api.ts';
import { logFailure } from '../../lib/log-failure.ts';

/** The roles, loaded anew for each form; the role user alone when that fails; `undefined` while they load. */
export function useRoles(): readonly Role[] | undefined {
  const { data, error } = useQuery({
    queryKey: ['roles'],
    queryFn: ({ signal }) => api.roles.listRoles(undefined, { signal }),
    gcTime: 0,
  });
  useEffect(() => {
    if (error) logFailure('The roles could not be loaded', error);
  }, [error]);
  return data ?? (error ? [userRole] : undefined);
}
