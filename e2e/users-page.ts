import { apiKeysRoutes, createClient, rolesRoutes, type User, usersRoutes } from '@sluice/contract';
import type { Locator, Page, Route } from 'playwright-core';
import type { RunningSluice } from './running-sluice.ts';

export function callsAs(token: string, { url }: RunningSluice) {
  const options = { baseUrl: url, headers: () => ({ authorization: `Bearer ${token}` }) };
  return {
    users: createClient(usersRoutes, options),
    roles: createClient(rolesRoutes, options),
    apiKeys: createClient(apiKeysRoutes, options),
  };
}

export const listAddress = '**/api/v1/admin/users';
export const rolesAddress = '**/api/v1/admin/roles';

export async function openUsers(page: Page, search = ''): Promise<void> {
  await page.goto(`/admin/users${search}`);
  await page.locator('table[aria-label="Users"][aria-busy="false"]').waitFor();
}

export const rowOf = (page: Page, name: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });

export const act = (page: Page, action: string, name: string): Promise<void> =>
  page.getByRole('button', { name: `${action}: ${name}`, exact: true }).click();

export async function actFromMenu(page: Page, action: string, name: string): Promise<void> {
  await page.getByRole('button', { name: `More actions: ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

/** Waits for the option, because options are loaded after the field appears. */
export async function pick(field: Locator, name: string): Promise<void> {
  await field.fill(name);
  await field.page().getByRole('option').filter({ hasText: name }).first().waitFor();
  await field.press('Enter');
}

/** Returns a function that releases the requests. */
export async function hold(page: Page, address: string, method = 'GET'): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    if (route.request().method() === method) await gate.promise;
    await route.fallback();
  });
  return () => gate.resolve();
}

export const answer = (status: number, body: unknown) => (route: Route) =>
  route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) });

/** Returns a user for states that a new installation does not have. */
export function describePerson(id: number, name: string, fields: Partial<User> = {}): User {
  return {
    id,
    name,
    email: `${name.toLowerCase().replaceAll(' ', '.')}@northwind.dev`,
    role_id: 3,
    role_name: 'user',
    daily_quota: 50_000,
    monthly_quota: 1_000_000,
    requests_per_hour: 100,
    current_daily_usage: 0,
    current_monthly_usage: 0,
    held_daily_usage: 0,
    held_monthly_usage: 0,
    near_limits: [],
    is_active: true,
    is_blocked: false,
    blocked_reason: null,
    deviation_score: 0,
    missing: [],
    has_second_factor: false,
    last_login: null,
    provisioned_by: null,
    kind: 'person',
    created_at: '2026-11-03T09:00:00.000Z',
    spend_usd_today: 0,
    spend_usd_month: 0,
    spend_usd_last_month: 0,
    ...fields,
  };
}
