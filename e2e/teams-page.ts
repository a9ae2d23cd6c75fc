import type { PickedUser, Team, TeamMember } from '@sluice/contract';
import type { Locator, Page } from 'playwright-core';

export const teamsAddress = '**/api/v1/admin/teams?*';
export const teamUsageAddress = /\/api\/v1\/admin\/teams\/\d+\/usage$/;
export const teamAddress = /\/api\/v1\/admin\/teams\/\d+$/;
export const membersAddress = '**/api/v1/admin/teams/*/members*';
export const availableAddress = '**/api/v1/admin/teams/*/available-users';

export async function openTeams(page: Page, search = '', base = '/admin/teams'): Promise<void> {
  await page.goto(`${base}${search}`);
  await page.locator('table[aria-label="Teams"][aria-busy="false"]').waitFor();
}

export const drawer = (page: Page): Locator => page.getByRole('dialog', { name: 'Team Members' });

/** Returns a team for screenshots and for states that a new installation does not have. */
export function describeTeam(id: number, name: string, fields: Partial<Team> = {}): Team {
  return {
    id,
    name,
    description: null,
    is_active: true,
    created_at: '2026-11-03T09:00:00.000Z',
    member_count: 0,
    admin_count: 0,
    model_count: 0,
    members_monthly_quota: 0,
    top_user: null,
    spend_usd_today: 0,
    spend_usd_month: 0,
    spend_usd_last_month: 0,
    ...fields,
  };
}

export function describeMember(
  user_id: number,
  user_name: string | null,
  fields: Partial<TeamMember> = {},
): TeamMember {
  return {
    user_id,
    user_name,
    user_email: user_name && `${user_name.toLowerCase().replaceAll(' ', '.')}@northwind.dev`,
    role: 'member',
    is_active: true,
    joined_at: '2026-10-12T09:00:00.000Z',
    daily_quota: 1000,
    monthly_quota: 30_000,
    spend_usd_today: 0,
    spend_usd_month: 0,
    spend_usd_last_month: 0,
    ...fields,
  };
}

export const describePicked = (id: number, name: string, is_blocked = false): PickedUser => ({
  id,
  name,
  email: `${name.toLowerCase().replaceAll(' ', '.')}@northwind.dev`,
  is_blocked,
});
