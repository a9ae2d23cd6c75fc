import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';

export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => api.users.listUsers({ query: {} }, { signal }),
});
