import { ApiError, grantUserAccessBody } from '@sluice/contract';
import { z } from 'zod';
import { formatQuantity } from '../../lib/format-number.ts';
import { describeModels } from './columns.tsx';
import { providerAccess, useAccessChange } from './queries.ts';

export type GrantHolder = 'user' | 'team';

const { llm_provider_id, allowed_models } = grantUserAccessBody.shape;
const holderIds = (problem: string) => z.array(z.string()).min(1, problem);

/** Request body for one or several selected holders. */
export const grant = z.discriminatedUnion('holder', [
  z.object({
    holder: z.literal('user'),
    holder_ids: holderIds('Please select a user'),
    llm_provider_id,
    allowed_models,
  }),
  z.object({
    holder: z.literal('team'),
    holder_ids: holderIds('Please select a team'),
    llm_provider_id,
    allowed_models,
  }),
]);

export interface Grant extends Record<string, unknown> {
  holder: GrantHolder;
  holder_ids: string[];
  llm_provider_id: string;
  allowed_models: string[];
}

export const noGrant: Grant = { holder: 'user', holder_ids: [], llm_provider_id: '', allowed_models: [] };

export interface GrantOutcome {
  grantedCount: number;
  failures: readonly { holderId: string; error: Error }[];
}

type Wanted = z.output<typeof grant>;

/** Returns a function that grants: one holder by the single call, several by the bulk call. */
export function useGrant(): (wanted: Wanted) => Promise<GrantOutcome> {
  return useAccessChange((wanted: Wanted) => send(wanted)).mutateAsync;
}

async function send({ holder, holder_ids, ...what }: Wanted): Promise<GrantOutcome> {
  const [first, ...others] = holder_ids;
  if (first !== undefined && others.length === 0) {
    if (holder === 'user') await providerAccess.grantUserAccess({ body: { user_id: first, ...what } });
    else await providerAccess.grantTeamAccess({ body: { team_id: first, ...what } });
    return { grantedCount: 1, failures: [] };
  }
  const outcomes =
    holder === 'user'
      ? await providerAccess.grantUserAccesses({
          body: { accesses: holder_ids.map((user_id) => ({ user_id, ...what })) },
        })
      : await providerAccess.grantTeamAccesses({
          body: { accesses: holder_ids.map((team_id) => ({ team_id, ...what })) },
        });
  const failures = outcomes.flatMap(({ index, error }) =>
    error === null ? [] : [{ holderId: holder_ids[index] ?? '', error: new ApiError(409, error, [], null) }],
  );
  return { grantedCount: holder_ids.length - failures.length, failures };
}

export function describeGrant({ grantedCount }: GrantOutcome, { holder, allowed_models }: Wanted): string {
  const holders = formatQuantity(grantedCount, holder);
  return `Access to ${describeModels(allowed_models.length)} granted to ${holders}`;
}
