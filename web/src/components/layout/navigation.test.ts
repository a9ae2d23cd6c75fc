import { type CurrentUser, permissionsOfRole, type RoleName, roleNames } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { findScreen, listScreens } from './navigation.ts';

const person = (role: RoleName): CurrentUser => ({
  id: 1,
  name: 'Noor',
  email: 'noor@example.com',
  role: { name: role, permissions: [...permissionsOfRole(role)] },
  tenant: { id: 1, name: 'One', slug: 'one', time_zone: 'UTC' },
  second_factor: { is_on: false, is_required: false },
  preferences: null,
});

const sidebarOf = (role: RoleName) => listScreens('admin', person(role)).sidebar;
const labelsFor = (role: RoleName) => sidebarOf(role).map(({ label }) => label);

describe('the sidebar of the console', () => {
  it('the sidebar lists the screens in their fixed order, with webhook monitoring before system logs and analytics, then the system screens', () => {
    expect(labelsFor('super_admin')).toEqual([
      'Overview',
      'Users',
      'Teams',
      'Provider Access',
      'Blacklist',
      'Budgets',
      'Service accounts',
      'Management tokens',
      'LLM Comparison',
      'Tasks',
      'LLM Providers',
      'Tenant Credits',
      'Statements',
      'Webhook Monitoring',
      'System Logs',
      'Analytics',
      'Shadow runs',
      'Settings',
      'Identity providers',
      'Audit log',
      'Outbox',
      'Status',
    ]);
  });

  it('the sidebar has each group once, with its screens next to each other', () => {
    const headings = sidebarOf('super_admin').map(({ group }) => group ?? 'none');
    const starts = headings.filter((heading, place) => heading !== headings[place - 1]);
    expect(starts).toEqual([
      'none',
      'People and access',
      'Models and tasks',
      'Billing',
      'Monitoring',
      'System',
    ]);
  });

  it('the sidebar shows webhook monitoring and the status to super administrators only', () => {
    expect(labelsFor('admin')).toEqual(
      labelsFor('super_admin').filter((label) => !['Webhook Monitoring', 'Status'].includes(label)),
    );
  });

  it('the sidebar shows no administration screens to users', () => {
    expect(labelsFor('user')).toEqual([]);
    expect(listScreens('portal', person('user')).menu.map(({ label }) => label)).not.toContain('Settings');
  });
});

describe('the current screen', () => {
  it.each([
    ['/admin', 'Overview'],
    ['/admin/users', 'Users'],
    ['/admin/users/12', 'Users'],
    ['/admin/usersettings', undefined],
    ['/admin/nowhere', undefined],
  ])('findScreen(%s) returns the screen %s', (pathname, label) => {
    expect(findScreen(sidebarOf('super_admin'), pathname)?.label).toBe(label);
  });
});

it.each(roleNames.flatMap((role) => (['admin', 'portal'] as const).map((area) => ({ role, area }))))(
  'listScreens returns different shortcuts for the role $role in the area $area',
  ({ role, area }) => {
    const { sidebar, menu } = listScreens(area, person(role));
    const letters = [...sidebar, ...menu].map(({ letter }) => letter);
    expect(new Set(letters).size).toBe(letters.length);
  },
);
