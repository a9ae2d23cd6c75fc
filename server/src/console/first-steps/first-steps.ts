import type { FirstSteps } from '@sluice/contract';
import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { listActivePeople } from '#console/users/find-missing.ts';
import { apiKeys } from '#db/schema/api-keys.ts';
import { llmProviders, providerRegistry } from '#db/schema/llm-providers.ts';
import { firstSteps } from '#db/schema/platform.ts';
import { users } from '#db/schema/users.ts';
import type { LogTransaction, TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';

function selectInstances(tx: TenantTransaction, tenantId: number) {
  return tx
    .select({ name: llmProviders.providerInstanceName, providerKey: providerRegistry.providerKey })
    .from(llmProviders)
    .innerJoin(providerRegistry, eq(providerRegistry.id, llmProviders.providerRegistryId))
    .where(
      and(
        eq(llmProviders.tenantId, tenantId),
        llmProviders.isActive,
        providerRegistry.isActive,
        sql`cardinality(${llmProviders.enabledModels}) > 0`,
      ),
    )
    .orderBy(asc(llmProviders.id));
}

function selectKeyHolders(tx: TenantTransaction, tenantId: number) {
  return tx
    .selectDistinct({ id: users.id, name: users.name })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(
      and(
        eq(apiKeys.tenantId, tenantId),
        users.isActive,
        isNotNull(apiKeys.createdBy),
        isNull(apiKeys.revokedAt),
        isNull(apiKeys.supersededAt),
        sql`coalesce(${apiKeys.expiresAt} > now(), true)`,
      ),
    )
    .orderBy(asc(users.id));
}

async function findConnectionTest(tx: TenantTransaction, tenantId: number): Promise<Date | undefined> {
  const [row] = await tx
    .select({ testedAt: firstSteps.connectionTestedAt })
    .from(firstSteps)
    .where(eq(firstSteps.tenantId, tenantId));
  return row?.testedAt;
}

async function upsertConnectionTest(tx: TenantTransaction, tenantId: number): Promise<void> {
  const connectionTestedAt = sql`now()`;
  await tx
    .insert(firstSteps)
    .values({ tenantId, connectionTestedAt })
    .onConflictDoUpdate({ target: firstSteps.tenantId, set: { connectionTestedAt } });
}

/** Number of newest rows to search. A tenant whose last thousand requests all failed does not count as set up. */
const looked = 1_000;

/** One more than the console displays, so that the console can indicate that there are more. */
const namesMax = 4;

export async function getFirstSteps(tx: LogTransaction, author: Principal): Promise<FirstSteps> {
  const { tenantId, userId } = author;
  const instances = await selectInstances(tx, tenantId);
  const people = await listActivePeople(tx, tenantId);
  const members = people.filter(({ isUser }) => isUser);
  const answered = await tx.requestLog.findAnswered(looked);
  return {
    providers: namesOf(instances.filter(({ providerKey }) => providerKey !== 'sandbox')),
    has_sandbox: instances.some(({ providerKey }) => providerKey === 'sandbox'),
    connection_tested_at: (await findConnectionTest(tx, tenantId))?.toISOString() ?? null,
    users: namesOf(people.filter(({ id, isService }) => !isService && id !== userId)),
    granted_users: namesOf(members.filter(({ missing }) => !missing.includes('models'))),
    assigned_users: namesOf(members.filter(({ missing }) => !missing.includes('task'))),
    key_holders: namesOf(await selectKeyHolders(tx, tenantId)),
    answered_request: answered && { id: answered.id, created_at: answered.receivedAt.toISOString() },
  };
}

const namesOf = (rows: readonly { readonly name: string }[]) =>
  rows.slice(0, namesMax).map(({ name }) => name);

/** Records a successful connection test. Callers skip built-in providers. */
export function noteConnectionTest(tx: TenantTransaction, author: Principal): Promise<void> {
  return upsertConnectionTest(tx, author.tenantId);
}
