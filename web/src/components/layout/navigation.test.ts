import { type CurrentUser, permissionsOfRole, type RoleName } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { adminMenu, adminSidebar, findScreen, maySee, portalSidebar } from './navigation.ts';

const person = (role: RoleName): CurrentUser => ({
  id: 1,
  name: 'Noor',
  email: 'noor@example.com',
  role: { name: role, permissions: [...permissionsOfRole(role)] },
  tenant: { id: 1, name: 'One', slug: 'one', time_zone: 'UTC' },
  preferences: null,
});

const labelsFor = (role: RoleName) =>
  adminSidebar.filter((screen) => maySee(screen, person(role))).map(({ label }) => label);

describe('the sidebar of the console', () => {
  it('the sidebar lists the screens in their fixed order, webhook monitoring before the last two', () => {
    expect(labelsFor('super_admin')).toEqual([
      'Overview',
      'Users',
      'Teams',
      'Provider Access',
      'Blacklist',
      'LLM Comparison',
      'Tasks',
      'LLM Providers',
      'Tenant Credits',
      'Webhook Monitoring',
      'System Logs',
      'Analytics',
    ]);
  });

  it('the sidebar shows webhook monitoring to super administrators only', () => {
    expect(labelsFor('admin')).toEqual(
      labelsFor('super_admin').filter((label) => label !== 'Webhook Monitoring'),
    );
  });

  it('the sidebar shows no administration screens to users', () => {
    expect(labelsFor('user')).toEqual([]);
    expect(adminMenu.some((screen) => maySee(screen, person('user')))).toBe(false);
  });
});

describe('the current screen', () => {
  it.each([
    ['/admin', 'Overview'],
    ['/admin/users', 'Users'],
    ['/admin/users/12', 'Users'],
    ['/admin/usersettings', undefined],
    ['/admin/nowhere', undefined],
  ])('findScreen returns for %s the screen %s', (pathname, label) => {
    expect(findScreen(adminSidebar, pathname)?.label).toBe(label);
  });
});

it.each([
  ['console', [...adminSidebar, ...adminMenu]],
  ['portal', portalSidebar],
])('shortcut letters are unique in the %s', (_, screens) => {
  const letters = screens.map(({ letter }) => letter);
  expect(new Set(letters).size).toBe(letters.length);
});
