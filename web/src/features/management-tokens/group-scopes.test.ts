import { managementScopes } from '@sluice/contract';
import { expect, it } from 'vitest';
import { describeScopes, groupScopes } from './group-scopes.ts';

it('groupScopes puts each scope in one group and sorts groups by label, ignoring case', () => {
  const groups = groupScopes(managementScopes);
  const listed = groups.flatMap(({ actions }) => actions.map(({ scope }) => scope));
  expect(listed.toSorted()).toEqual([...managementScopes].toSorted());
  const labels = groups.map(({ label }) => label.toLowerCase());
  expect(labels).toEqual(labels.toSorted());
});

it('describeScopes names subjects and actions', () => {
  expect(describeScopes(['users:read', 'users:write', 'api-keys:write', 'scim'])).toBe(
    'API keys (write), SCIM (read and write), Users (read, write)',
  );
});
