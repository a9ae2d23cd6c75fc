import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import { isApiKey } from '#domain/api-key.ts';
import { WrongSecretError } from '#master-key/wrong-secret-error.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createPasswordHasher } from '#platform/password.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { sandboxModels } from '../tenants/add-tenant.ts';
import { isDatabaseInUse } from './prepare-database.ts';
import { CommonPasswordError, type FirstSetupOptions, runFirstSetup } from './run-first-setup.ts';

const keyring = createKeyring('first secret');
const passwords = createPasswordHasher();
let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.close());

const setUp = (more: Partial<FirstSetupOptions> = {}) =>
  runFirstSetup({
    database: createSystemDatabase(database.pool),
    keyring,
    passwords,
    adminEmail: 'admin@example.com',
    hasSandbox: true,
    ...more,
  });
const read = async (statement: string) => (await database.pool.query(statement)).rows;

describe('runFirstSetup', () => {
  it('runFirstSetup creates the tenant Default with a super administrator without limits', async () => {
    const made = await setUp();
    expect(await read('SELECT name, slug, status FROM tenants')).toEqual([
      { name: 'Default', slug: 'default', status: 'active' },
    ]);
    const [admin] = await read(
      'SELECT users.*, roles.name AS role FROM users JOIN roles ON roles.id = role_id',
    );
    expect(admin).toMatchObject({
      email: 'admin@example.com',
      role: 'super_admin',
      daily_quota: null,
      monthly_quota: null,
      requests_per_hour: null,
      is_active: true,
    });
    expect(made).toMatchObject({
      email: 'admin@example.com',
      password: expect.stringMatching(/^(\w{4}-){3}\w{4}$/),
    });
    expect(await passwords.verify(made!.password, admin.password_hash)).toBe(true);
  });

  it('runFirstSetup rejects a common password and leaves the database unchanged', async () => {
    await expect(setUp({ adminPassword: 'Password1' })).rejects.toThrow(CommonPasswordError);
    expect(await read('SELECT id FROM users UNION ALL SELECT id FROM tenants')).toEqual([]);
    expect(await setUp()).not.toBeNull();
  });

  it('runFirstSetup accepts a given password', async () => {
    const made = await setUp({ adminPassword: 'chosen by hand' });
    expect(made?.password).toBe('chosen by hand');
    const [admin] = await read('SELECT password_hash FROM users');
    expect(await passwords.verify('chosen by hand', admin.password_hash)).toBe(true);
  });

  it('runFirstSetup returns a working API key of the administrator and stores only its hash', async () => {
    const made = await setUp();
    expect(isApiKey(made!.apiKey)).toBe(true);
    expect(await read('SELECT key_hash, user_id FROM api_keys')).toEqual([
      { key_hash: keyring.hashApiKey(made!.apiKey), user_id: (await read('SELECT id FROM users'))[0].id },
    ]);
  });

  it('runFirstSetup creates a key that expires after a day', async () => {
    await setUp();
    const [key] = await read(
      'SELECT extract(epoch FROM expires_at - created_at)::int AS seconds, id = (SELECT first_key_id FROM installation) AS "isFirst" FROM api_keys',
    );
    expect(key.seconds).toBeGreaterThan(86_390);
    expect(key.seconds).toBeLessThan(86_410);
    expect(key.isFirst).toBe(true);
  });

  it('runFirstSetup creates a key that expires at the first use of any other key, but not when it is used itself', async () => {
    await setUp();
    const use = (ids: string) =>
      database.pool.query(`UPDATE api_keys SET last_used_at = now() WHERE id ${ids}`);
    const hasEnded = async () =>
      (await read('SELECT expires_at <= now() AS ended FROM api_keys ORDER BY id LIMIT 1'))[0].ended;
    const firstKey = '(SELECT first_key_id FROM installation)';
    await use(`= ${firstKey}`);
    expect(await hasEnded()).toBe(false);
    const elsewhere = await addTenant(database.pool, 'Elsewhere');
    const person = await addPerson(database.pool, elsewhere, 'user', 'someone@else.test');
    await database.pool.query(
      "INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes) VALUES ($1, $2, 'k', 'h', 'abcd', '{}')",
      [elsewhere, person.userId],
    );
    expect(await hasEnded()).toBe(false);
    await use(`<> ${firstKey}`);
    expect(await hasEnded()).toBe(true);
  });

  it('runFirstSetup makes the sandbox the default instance of its provider with all its behaviors', async () => {
    await setUp();
    const [sandbox] = await read(
      'SELECT p.*, r.provider_key FROM llm_providers p JOIN provider_registry r ON r.id = p.provider_registry_id',
    );
    expect(sandbox).toMatchObject({
      provider_instance_name: 'sandbox',
      provider_key: 'sandbox',
      default_model: 'sandbox-normal',
      is_default: true,
      is_active: true,
      sealed_api_key: null,
      api_endpoint: null,
    });
    expect(sandbox.enabled_models).toEqual(sandboxModels);
  });

  it('runFirstSetup omits the sandbox if it is disabled', async () => {
    await setUp({ hasSandbox: false });
    expect(await read('SELECT * FROM llm_providers')).toEqual([]);
  });

  it('runFirstSetup runs once and returns null the second time', async () => {
    await setUp();
    expect(await setUp({ adminEmail: 'other@example.com' })).toBeNull();
    expect(await read('SELECT email FROM users')).toEqual([{ email: 'admin@example.com' }]);
  });

  it('runFirstSetup returns its result to exactly one of ten concurrent callers', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => setUp()));
    expect(answers.filter((answer) => answer !== null)).toHaveLength(1);
    expect(await read('SELECT count(*)::int AS people FROM users')).toEqual([{ people: 1 }]);
  });

  it('runFirstSetup leaves nothing behind after a failure and can run again', async () => {
    const broken = { hash: () => Promise.reject(new Error('out of memory')) };
    await expect(setUp({ passwords: broken })).rejects.toThrow('out of memory');
    expect(await read('SELECT * FROM tenants')).toEqual([]);
    expect(await setUp()).not.toBeNull();
  });
});

describe('an existing database', () => {
  it('runFirstSetup rejects another secret and names the variable to set', async () => {
    await setUp();
    const other = setUp({ keyring: createKeyring('second secret') });
    await expect(other).rejects.toThrow(WrongSecretError);
    await expect(other).rejects.toThrow(/SLUICE_SECRET/);
  });

  it('isDatabaseInUse returns true after the first setup, and false before it or before the migrations', async () => {
    const system = createSystemDatabase(database.pool);
    expect(await isDatabaseInUse(system)).toBe(false);
    await setUp();
    expect(await isDatabaseInUse(system)).toBe(true);
    const empty = new pg.Pool({ connectionString: inject('clusterUrl'), max: 1 });
    expect(await isDatabaseInUse(createSystemDatabase(empty))).toBe(false);
    await empty.end();
  });
});
