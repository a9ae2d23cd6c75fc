import type { FirstSteps } from '@sluice/contract';
import { listActivePeople } from '#console/users/find-missing.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { findAnsweredRequest, findConnectionTest, selectInstances, selectKeyHolders } from './store.ts';

const namesMax = 3;

export function getFirstSteps({ inTenant, principal }: SignedInContext): Promise<FirstSteps> {
  const { tenantId, userId } = principal;
  return inTenant(async (tx) => {
    const instances = await selectInstances(tx, tenantId);
    const people = await listActivePeople(tx, tenantId);
    const members = people.filter(({ isUser }) => isUser);
    const answered = await findAnsweredRequest(tx, tenantId);
    return {
      providers: namesOf(instances.filter(({ providerKey }) => providerKey !== 'sandbox')),
      has_sandbox: instances.some(({ providerKey }) => providerKey === 'sandbox'),
      connection_tested_at: (await findConnectionTest(tx, tenantId))?.toISOString() ?? null,
      users: namesOf(people.filter(({ id }) => id !== userId)),
      granted_users: namesOf(members.filter(({ missing }) => !missing.includes('models'))),
      assigned_users: namesOf(members.filter(({ missing }) => !missing.includes('task'))),
      key_holders: namesOf(await selectKeyHolders(tx, tenantId)),
      answered_request: answered && { id: answered.id, created_at: answered.receivedAt.toISOString() },
    };
  });
}

const namesOf = (rows: readonly { readonly name: string }[]) =>
  rows.slice(0, namesMax).map(({ name }) => name);
