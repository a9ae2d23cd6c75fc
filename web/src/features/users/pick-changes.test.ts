import { expect, it } from 'vitest';
import { pickChanges } from './edit-dialog.tsx';
import { person } from './person.fixture.ts';

const maya = person({ daily_quota: null });
const unchanged = {
  email: maya.email,
  name: maya.name,
  role_id: maya.role_id,
  daily_quota: null,
  monthly_quota: 30_000,
  requests_per_hour: 100,
  is_active: true,
};

it.each([
  [{}, {}],
  [{ name: 'Maya O.' }, { name: 'Maya O.' }],
  [
    { monthly_quota: null, daily_quota: 0 },
    { monthly_quota: null, daily_quota: 0 },
  ],
  [
    { is_active: false, role_id: 2 },
    { is_active: false, role_id: 2 },
  ],
])('pickChanges returns only the changed field: %j', (edits, sent) => {
  expect(pickChanges(maya, { ...unchanged, ...edits })).toEqual(sent);
});
