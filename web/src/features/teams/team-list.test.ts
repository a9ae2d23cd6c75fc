import type { Team } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { countTeams, findTeams } from './team-list.ts';

const team = (name: string, description: string | null, is_active = true): Team => ({
  id: 1,
  name,
  description,
  is_active,
  created_at: '2026-11-20T10:00:00Z',
  member_count: 0,
  admin_count: 0,
});

const teams = [
  team('Platform', 'Keeps the gate running'),
  team('Research', null),
  team('Old research', 'Ended in June', false),
];
const names = (filters: Parameters<typeof findTeams>[1]) => findTeams(teams, filters).map(({ name }) => name);

describe('the list of teams', () => {
  it('is searched by name and description, whatever the case', () => {
    expect(names({ text: ' RESEARCH ' })).toEqual(['Research', 'Old research']);
    expect(names({ text: 'gate' })).toEqual(['Platform']);
  });

  it('is narrowed to a status', () => {
    expect(names({ text: '', status: 'inactive' })).toEqual(['Old research']);
    expect(names({ text: 'research', status: 'active' })).toEqual(['Research']);
  });

  it('counts the active and the inactive ones', () => {
    expect(countTeams(teams)).toEqual({ total: 3, active: 2, inactive: 1 });
  });
});
