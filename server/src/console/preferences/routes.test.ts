import { defaultPreferences, type Preferences, preferencesRoutes } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createPreferencesHandlers } from './routes.ts';

let database: TestDatabase;
let mara: Principal;
let tom: Principal;
let stranger: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  const tenantId = await addTenant(database.pool, 'One');
  mara = await addPerson(database.pool, tenantId, 'user', 'mara@one.test');
  tom = await addPerson(database.pool, tenantId, 'user', 'tom@one.test');
  stranger = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'user', 'eve@two.test');
});
afterAll(() => database.close());

const as = (principal: Principal) =>
  createTestConsole(database.pool, preferencesRoutes, createPreferencesHandlers())({ principal });

const dark: Preferences = { theme: 'dark', density: 'compact', time_zone: 'Europe/Berlin' };

it('getPreferences returns the defaults, and after a change the latest values', async () => {
  expect(await as(mara).getPreferences()).toEqual(defaultPreferences);
  expect(await as(mara).updatePreferences({ body: dark })).toEqual(dark);
  const light: Preferences = { theme: 'light', density: 'comfortable', time_zone: null };
  await as(mara).updatePreferences({ body: light });
  expect(await as(mara).getPreferences()).toEqual(light);
  expect(await as(tom).getPreferences()).toEqual(defaultPreferences);
});

it('updatePreferences rejects an unknown theme, density or time zone', async () => {
  for (const wrong of [{ theme: 'pink' }, { density: 'huge' }, { time_zone: 'Europe/Atlantis' }]) {
    const body = { ...dark, ...wrong } as Preferences;
    await expect(as(mara).updatePreferences({ body })).rejects.toThrow(`"${Object.keys(wrong)[0]}"`);
  }
});

it('getPreferences returns the defaults to an operator who acts for another tenant', async () => {
  await as(mara).updatePreferences({ body: dark });
  const acting = { ...stranger, tenantId: mara.tenantId };
  expect(await as(acting).getPreferences()).toEqual(defaultPreferences);
  await expect(as(acting).updatePreferences({ body: dark })).rejects.toMatchObject({ status: 404 });
  expect(await as({ ...mara, tenantId: stranger.tenantId }).getPreferences()).toEqual(defaultPreferences);
});
