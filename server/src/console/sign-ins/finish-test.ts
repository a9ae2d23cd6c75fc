import type { IdentityProviderTest } from '@sluice/contract';
import type { SystemDatabase } from '#db/system.ts';
import { mapClaims, readMappedGroups } from '#domain/identity-mapping.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { isEmailVerified, readEmail } from './find-account.ts';
import { arrive, type FinishDeps, type RedeemBody, redeemAttempt } from './finish.ts';

export async function finishTest(
  deps: FinishDeps,
  { principal, actor }: SignedInContext,
  body: RedeemBody,
): Promise<IdentityProviderTest> {
  const { provider, redeemed } = await redeemAttempt(
    deps,
    body,
    (attempt, { tenantId }) => attempt.testedBy === principal.userId && tenantId === principal.tenantId,
  );
  const { claims } = redeemed;
  const groups = readMappedGroups(provider, claims);
  const { role, teamIds } = mapClaims(provider, claims);
  const outcome = await rehearse(deps.database, async (tx) => {
    const arrived = await arrive(tx, deps.mailbox, { provider, claims, actor });
    return 'refusal' in arrived
      ? { outcome: arrived.refusal, is_accepted: false }
      : { outcome: arrived.how, is_accepted: true };
  });
  return {
    claims,
    email: readEmail(claims),
    is_email_verified: isEmailVerified(provider, claims),
    groups,
    role,
    team_ids: [...teamIds],
    ...outcome,
  };
}

type Outcome = Pick<IdentityProviderTest, 'outcome' | 'is_accepted'>;

class Rehearsed extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super('the test sign-in is rolled back');
    this.outcome = outcome;
  }
}

/** Runs a sign-in in a transaction that is always rolled back. */
async function rehearse(
  database: SystemDatabase,
  work: (tx: SystemDatabase) => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await database.transaction(async (tx) => {
      throw new Rehearsed(await work(tx));
    });
  } catch (thrown) {
    if (thrown instanceof Rehearsed) return thrown.outcome;
    if (thrown instanceof ConsoleError) return { outcome: thrown.message, is_accepted: false };
    throw thrown;
  }
}
