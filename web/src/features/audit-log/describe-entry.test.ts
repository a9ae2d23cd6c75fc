import type { AuditEntryDetails } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { describeAction, describeActor, describeObject, listChanges } from './drawer.tsx';
import { fieldLabel } from './field-label.ts';

const entry: AuditEntryDetails = {
  id: 1,
  created_at: '2026-01-01T00:00:00Z',
  actor_id: 2,
  actor_name: 'Ann Roth',
  actor_email: 'ann@example.com',
  action: 'blockUser',
  object_type: 'user',
  object_id: '12',
  object_name: 'Mara Lind',
  before: { is_blocked: false, blocked_reason: null },
  after: { is_blocked: true, blocked_reason: 'a test' },
  measure: null,
  request_id: null,
  address: null,
  link_names: {},
};

describe('describing an audit entry', () => {
  it('describeAction and describeObject name the action and the changed object', () => {
    expect(describeActor(entry)).toBe('Ann Roth');
    expect(describeAction(entry)).toBe('Block user');
    expect(describeAction({ ...entry, action: 'updateLlmProvider' })).toBe('Update LLM provider');
    expect(describeObject(entry)).toBe('User Mara Lind');
  });

  it('describeAction and describeActor describe changes without an action or actor', () => {
    const bare = { ...entry, actor_id: null, actor_name: null, action: null, object_name: null };
    expect(describeActor(bare)).toBe('The system');
    expect(describeActor({ ...bare, address: '192.0.2.7' })).toBe('Not signed in');
    expect(describeAction(bare)).toBe('Update user');
    expect(describeAction({ ...bare, before: null })).toBe('Create user');
    expect(describeAction({ ...bare, after: null })).toBe('Delete user');
    expect(describeObject(bare)).toBe('User 12');
  });

  it('describeAction names a read operation', () => {
    const read = { ...entry, action: 'listLogs', object_type: 'prompt_list', before: null };
    expect(describeAction(read)).toBe('Read list of requests');
    expect(describeObject(read)).toBe('Prompts of Mara Lind');
    expect(describeObject({ ...read, object_type: 'prompt' })).toBe('Prompt of Mara Lind');
  });

  it('listChanges returns the changed columns before and after', () => {
    expect(listChanges(entry)).toEqual([
      { name: 'is_blocked', before: 'No', after: 'Yes' },
      { name: 'blocked_reason', before: '—', after: 'a test' },
    ]);
  });

  it('listChanges formats lists as text and omits the missing side', () => {
    const created = { ...entry, before: null, after: { models: ['a', 'b'], limits: { day: 1 } } };
    expect(listChanges(created)).toEqual([
      { name: 'models', before: null, after: 'a, b' },
      { name: 'limits', before: null, after: 'day: 1' },
    ]);
  });

  it.each([
    ['usd', 'limit_amount', 50.38, '$50.38'],
    ['usd', 'raised_limit', 1.92, '$1.92'],
    ['tokens', 'limit_amount', 500_000, '500,000 tokens'],
    ['parallel_requests', 'limit_amount', 1, '1 parallel request'],
    ['usd', 'measure', 'usd', 'US dollars'],
    [null, 'amount', 12.5, '$12.50'],
    [null, 'balance_before', 0, '$0.00'],
    [null, 'balance_after', 1250, '$1,250.00'],
    [null, 'low_balance_threshold', 5, '$5.00'],
    [null, 'daily_quota', 370_000, '370,000'],
    [null, 'role_id', 12_345, '#12345'],
    [null, 'blocked_by', 2, 'Ann Roth'],
    [null, 'blocked_by', 3, '#3'],
    [null, 'sums', { cost_nano_usd: '1920000000', requests: 1200 }, 'Requests: 1,200, Cost here: $1.92'],
    [null, 'sums', { new_kind: 1, none: 3 }, 'Same: 3, New kind: 1'],
    [null, 'labels', { cost_center: '4711' }, 'cost_center: 4711'],
    [null, 'labels', {}, '—'],
    [null, 'status', 'open', 'Open'],
    [null, 'kind', 'low_balance', 'Low balance'],
    [null, 'provisioned_by', 'scim', 'SCIM'],
    [null, 'scopes', ['completions', 'users.read'], 'Completions, users.read'],
    [null, 'reason', 'open', 'open'],
  ] as const)('listChanges with the measure %s formats %s %j as %s', (measure, name, value, text) => {
    expect(listChanges({ ...entry, measure, before: null, after: { [name]: value } })).toEqual([
      { name, before: null, after: text },
    ]);
  });
});

it('listChanges names the objects to which columns refer, and shows ids of unknown objects', () => {
  const link_names = {
    user_id: { 7: 'Ben Abel' },
    role_id: { 3: 'super_admin' },
    user_ids: { 7: 'Ben Abel' },
  };
  const after = { user_id: 7, role_id: 3, task_id: 113, user_ids: [7, 8] };
  const changes = listChanges({ ...entry, before: null, after, link_names });
  expect(changes.map((change) => change.after)).toEqual(['Ben Abel', 'Super admin', '#113', 'Ben Abel, #8']);
});

it.each([
  ['is_blocked', 'Blocked'],
  ['is_retired', 'No longer applies'],
  ['has_api_key', 'API key'],
  ['password_hash', 'Password'],
  ['token_hash', 'Token'],
  ['mail_id', 'Outbox email'],
  ['sums', 'Results'],
  ['llm_provider_id', 'LLM provider'],
  ['daily_quota', 'Daily quota'],
  ['user_ids', 'User IDs'],
  ['request_ids', 'Request IDs'],
  ['idle_timeout_ms', 'Idle timeout (ms)'],
])('fieldLabel(%s) returns %s', (name, label) => {
  expect(fieldLabel(name)).toBe(label);
});
