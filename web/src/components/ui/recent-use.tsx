import { recentUseRoutes, type RecentUse as Use } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { createApiClient } from '#lib/api.ts';
import { formatQuantity } from '#lib/format-number.ts';
import { formatRelative } from '#lib/format-time.ts';
import { currentUserQuery } from '#lib/session.ts';
import styles from './recent-use.module.css';
import { StatusMark } from './status-mark.tsx';

const calls = createApiClient(recentUseRoutes);

export interface InUse {
  of: z.input<typeof recentUseRoutes.getRecentUse.request.query>;
  /** Name of the owner, for example `Ada Lovelace`. */
  owner?: string | undefined;
  /** Tenant of the requests, for super administrators. The default is the tenant for which they act. */
  tenantId?: number | undefined;
}

/** Shown before an object is removed. */
export function RecentUse({ of, owner, tenantId }: InUse) {
  const { data: user } = useQuery(currentUserQuery);
  const mayRead = user?.role.permissions.includes('logs.read') ?? false;
  const { data: use, isError } = useQuery({
    queryKey: ['recent-use', of, tenantId],
    queryFn: ({ signal }) =>
      calls.getRecentUse({ query: of }, { signal, ...(tenantId !== undefined && { tenantId }) }),
    enabled: mayRead,
    staleTime: 0,
  });
  return (
    <div
      className={styles.use}
      role="status"
      aria-label="Use in the last 24 hours"
      aria-busy={mayRead && !use && !isError}
    >
      {owner !== undefined && <p>Owner: {owner}</p>}
      {mayRead && (
        <p className="num">
          {use ? <Described use={use} isOfOneUser={typeof of.user_id === 'number'} /> : describeWait(isError)}
        </p>
      )}
    </div>
  );
}

function Described({ use, isOfOneUser }: { use: Use; isOfOneUser: boolean }) {
  if (use.requests === 0 && use.is_exact)
    return <StatusMark kind="ok">Not used in the last 24 hours.</StatusMark>;
  return <StatusMark kind="warn">{describeUse(use, Date.now(), isOfOneUser)}</StatusMark>;
}

/** Example: `471 requests in the last 24 hours by 12 users, the last one 3 minutes ago.` */
export function describeUse(
  { requests, is_exact, users, last_request_at: last }: Use,
  nowMs: number,
  isOfOneUser = false,
): string {
  const count = is_exact
    ? formatQuantity(requests, 'request')
    : `At least ${formatQuantity(requests, 'request')}`;
  const age = last === null ? '' : `, the last one ${formatRelative(last, nowMs)}`;
  const by = isOfOneUser ? '' : ` by ${formatQuantity(users, 'user')}`;
  return `${count} in the last 24 hours${by}${age}.`;
}

const describeWait = (isError: boolean) =>
  isError
    ? 'Its requests of the last 24 hours could not be counted.'
    : 'Counting the requests of the last 24 hours...';
