import { grantTeamAccessBody, grantUserAccessBody } from '@sluice/contract';
import type { z } from 'zod';
import { ConsoleError } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { grantTeamAccess, grantUserAccess } from './grant.ts';

/** Result of one grant in a batch; an `error` of `null` means success. */
export interface GrantOutcome {
  index: number;
  error: string | null;
}

export function grantUserAccesses(ctx: SignedInContext, accesses: readonly object[]) {
  return grantEach(accesses, grantUserAccessBody, (body) => grantUserAccess(ctx, body));
}

export function grantTeamAccesses(ctx: SignedInContext, accesses: readonly object[]) {
  return grantEach(accesses, grantTeamAccessBody, (body) => grantTeamAccess(ctx, body));
}

/** Runs each grant in its own transaction, so that a failure does not affect the others. */
async function grantEach<Body extends z.ZodType>(
  accesses: readonly object[],
  schema: Body,
  grant: (body: z.output<Body>) => Promise<unknown>,
): Promise<GrantOutcome[]> {
  const outcomes: GrantOutcome[] = [];
  for (const [index, access] of accesses.entries()) {
    const parsed = schema.safeParse(access);
    const error = parsed.success
      ? await grant(parsed.data).then(() => null, formatRefusal)
      : (parsed.error.issues[0]?.message ?? 'Invalid');
    outcomes.push({ index, error });
  }
  return outcomes;
}

function formatRefusal(error: unknown): string {
  if (error instanceof ConsoleError) return error.message;
  throw error;
}
