import type { AuditEntry } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { describeAction, describeActor, describeObject, listChanges } from './describe-entry.ts';

const entry: AuditEntry = {
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
  request_id: null,
  address: null,
};

describe('a change reads', () => {
  it('as who did what to what', () => {
    expect(describeActor(entry)).toBe('Ann Roth');
    expect(describeAction(entry)).toBe('Block user');
    expect(describeObject(entry)).toBe('User Mara Lind');
  });

  it('as the system where nobody acted, and by what became of the row', () => {
    const bare = { ...entry, actor_id: null, actor_name: null, action: null, object_name: null };
    expect(describeActor(bare)).toBe('The system');
    expect(describeAction(bare)).toBe('Changed');
    expect(describeAction({ ...bare, before: null })).toBe('Created');
    expect(describeAction({ ...bare, after: null })).toBe('Deleted');
    expect(describeObject(bare)).toBe('User 12');
  });

  it('as what somebody read, where nothing was changed', () => {
    const read = { ...entry, action: 'listLogs', object_type: 'prompt_list', before: null };
    expect(describeAction(read)).toBe('Read list of requests');
    expect(describeObject(read)).toBe('Prompt list Mara Lind');
  });

  it('as its columns before and after', () => {
    expect(listChanges(entry)).toEqual([
      { name: 'is_blocked', before: 'false', after: 'true' },
      { name: 'blocked_reason', before: '—', after: 'a test' },
    ]);
  });

  it('with lists spelt out, and no side that does not exist', () => {
    const created = { ...entry, before: null, after: { models: ['a', 'b'], limits: { day: 1 } } };
    expect(listChanges(created)).toEqual([
      { name: 'models', before: null, after: 'a, b' },
      { name: 'limits', before: null, after: '{"day":1}' },
    ]);
  });
});
