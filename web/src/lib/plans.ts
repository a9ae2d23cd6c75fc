import { billingRoutes, type Plan } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from './api.ts';

const calls = createApiClient(billingRoutes);

/** The smallest plan comes first. */
export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: ({ signal }) => calls.listPlans(undefined, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Formats the seats of a plan, for example `5 users and 1 admin`. */
export const formatPlanSeats = ({ user_limit, admin_limit }: Pick<Plan, 'user_limit' | 'admin_limit'>) =>
  `${countOf(user_limit, 'user')} and ${countOf(admin_limit, 'admin')}`;

const countOf = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
