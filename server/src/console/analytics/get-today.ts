import { type Today, toUsd } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { readRange } from './range.ts';
import { selectRefusals } from './refusals-store.ts';
import { countOpenAppeals, countUsersNearLimit, selectProviderUse } from './today-store.ts';

/** Returns the figures of the current day in the tenant's time zone, by the database clock. */
export function getToday({ principal, inTenant }: SignedInContext): Promise<Today> {
  return inTenant(async (tx) => {
    const range = await readRange(tx, principal.tenantId, { days: 1 });
    const used = await selectProviderUse(tx, range);
    const sum = (read: (row: (typeof used)[number]) => number) =>
      used.reduce((total, row) => total + read(row), 0);
    return {
      date: range.firstDay,
      total_requests: sum(({ requests }) => requests),
      failed_requests: sum(({ errors }) => errors),
      refused_requests: (await selectRefusals(tx, range)).map(({ reason, count }) => ({ reason, count })),
      users_near_limit: await countUsersNearLimit(tx, range),
      open_appeals: await countOpenAppeals(tx, principal.tenantId),
      failing_providers: used.flatMap(({ id, name, requests, errors }) =>
        id === null || errors === 0
          ? []
          : [{ llm_provider_id: id, provider_instance_name: name ?? `Provider #${id}`, requests, errors }],
      ),
      total_spend: toUsd(used.reduce((total, { cost }) => total + BigInt(cost), 0n)),
    };
  });
}
