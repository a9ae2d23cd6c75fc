import type { Team, TeamMember } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { filterMembers, filterTeams, nameOf } from './filter-teams.ts';

const team = (name: string, description: string | null, is_active = true): Team => ({
  id: 1,
  name,
  description,
  is_active,
  created_at: '2026-11-20T10:00:00Z',
  member_count: 0,
  admin_count: 0,
  model_count: 0,
  members_monthly_quota: 0,
  top_user: null,
  spend_usd_today: 0,
  spend_usd_month: 0,
  spend_usd_last_month: 0,
});

const teams = [
  team('Platform', 'Keeps the gateway running'),
  team('Research', null),
  team('Old research', 'Ended in June', false),
];
const names = (filters: Parameters<typeof filterTeams>[1]) =>
  filterTeams(teams, filters).map(({ name }) => name);

describe('filterTeams', () => {
  it('filterTeams searches name and description, ignoring case', () => {
    expect(names({ text: ' RESEARCH ' })).toEqual(['Research', 'Old research']);
    expect(names({ text: 'gate' })).toEqual(['Platform']);
  });

  it('filterTeams filters by status', () => {
    expect(names({ text: '', status: 'inactive' })).toEqual(['Old research']);
    expect(names({ text: 'research', status: 'active' })).toEqual(['Research']);
  });
});

describe('filterMembers', () => {
  const member = (user_name: string | null, user_email: string | null): TeamMember => ({
    user_id: 1,
    user_name,
    user_email,
    role: 'member',
    is_active: true,
    joined_at: '2026-11-20T10:00:00Z',
    daily_quota: 1000,
    monthly_quota: null,
    spend_usd_today: 0,
    spend_usd_month: 0,
    spend_usd_last_month: 0,
  });

  it('filterMembers searches name and email, including members without a name', () => {
    const members = [member('Maya Ortiz', 'maya@northwind.dev'), member(null, null)];
    const names = (text: string) => filterMembers(members, text).map(nameOf);
    expect(names('NORTHWIND')).toEqual(['Maya Ortiz']);
    expect(names('unknown')).toEqual(['Unknown User']);
    expect(names(' ')).toEqual(['Maya Ortiz', 'Unknown User']);
  });
});
