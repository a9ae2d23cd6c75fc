import { defaultPreferences, type Preferences, preferencesRoutes } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '../../../test/console.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
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

it('are the defaults until they are chosen, and then those chosen last', async () => {
  expect(await as(mara).getPreferences()).toEqual(defaultPreferences);
  expect(await as(mara).updatePreferences({ body: dark })).toEqual(dark);
  const light: Preferences = { theme: 'light', density: 'comfortable', time_zone: null };
  await as(mara).updatePreferences({ body: light });
  expect(await as(mara).getPreferences()).toEqual(light);
  expect(await as(tom).getPreferences()).toEqual(defaultPreferences);
});

it('are refused where there is no such theme, density or zone', async () => {
  for (const wrong of [{ theme: 'pink' }, { density: 'huge' }, { time_zone: 'Europe/Atlantis' }]) {
    const body = { ...dark, ...wrong } as Preferences;
    await expect(as(mara).updatePreferences({ body })).rejects.toThrow();
  }
});

it('are not those of a person of the tenant that an operator acts for', async () => {
  await as(mara).updatePreferences({ body: dark });
  const acting = { ...stranger, tenantId: mara.tenantId };
  expect(await as(acting).getPreferences()).toEqual(defaultPreferences);
  await expect(as(acting).updatePreferences({ body: dark })).rejects.toMatchObject({ status: 404 });
  expect(await as({ ...mara, tenantId: stranger.tenantId }).getPreferences()).toEqual(defaultPreferences);
});
