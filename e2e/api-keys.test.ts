import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import { chooseOption } from './select-field.ts';
import { actFromMenu, callsAs, openUsers } from './users-page.ts';

let calls: ReturnType<typeof callsAs>;
let person: { id: number; name: string };

startConsole();
beforeAll(() => {
  calls = callsAs(token, sluice);
});

let people = 0;

visitConsole();
beforeEach(async () => {
  people++;
  const email = `key.${people}@northwind.dev`;
  person = await calls.users.createUser({
    body: { name: `Holder ${people}`, email, password: 'secret1', role_id: 3 },
  });
});

const params = () => ({ params: { id: person.id } });
const panel = () => page.getByRole('dialog', { name: `API key of ${person.name}`, exact: true });
const form = (title: string) => page.getByRole('dialog', { name: title, exact: true });

async function openPanel() {
  await openUsers(page);
  await actFromMenu(page, 'API key', person.name);
  await panel().waitFor();
}

const fact = (name: string) =>
  panel()
    .locator('dl > div')
    .filter({ has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
    .locator('dd')
    .innerText();

async function readSecret() {
  const secret = await panel().getByRole('region', { name: 'New API key' }).locator('code').innerText();
  expect(secret).toMatch(/^slc_\w{36}$/);
  return secret;
}

async function ask(key: string, path: string, body?: object) {
  const response = await fetch(`${sluice.url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  });
  // safe because the gateway returns a list or an error in OpenAI's format
  const { error } = (await response.json()) as { error?: { code: string } };
  return `${response.status} ${error?.code ?? ''}`.trim();
}

describe('a new key', () => {
  it('a new key can be restricted to scopes and has an optional expiration date', async () => {
    await openPanel();
    await panel().getByRole('button', { name: 'Create API key' }).click();
    const create = form('Create API key');
    await create.getByRole('checkbox', { name: 'Completions' }).uncheck();
    await create.getByRole('checkbox', { name: 'Embeddings' }).uncheck();
    await chooseOption(create, 'Expires', 'In 30 days');
    await create.getByRole('button', { name: 'Create API key' }).click();
    const secret = await readSecret();
    expect(await page.evaluate('document.activeElement?.closest("[role=dialog]") !== null')).toBe(true);
    await expect.poll(() => ask(secret, '/models')).toBe('200');
    const chat = { model: 'any', messages: [{ role: 'user', content: 'Hello' }] };
    expect(await ask(secret, '/chat/completions', chat)).toBe('403 scope_missing');

    await panel().getByRole('button', { name: 'I stored it' }).click();
    await panel().getByText('Active', { exact: true }).waitFor();
    expect(await fact('Scopes')).toBe('Models');
    const { api_key_status } = await calls.apiKeys.getUserApiKey(params());
    const days = (Date.parse(api_key_status?.expires_at ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThanOrEqual(30);
  });

  itAtFullSize('the form of a new key shows an error if no scope is selected', async () => {
    await openPanel();
    await panel().getByRole('button', { name: 'Create API key' }).click();
    const create = form('Create API key');
    for (const scope of ['Completions', 'Embeddings', 'Models']) {
      await create.getByRole('checkbox', { name: scope }).uncheck();
    }
    await create.getByRole('button', { name: 'Create API key' }).click();
    await create.getByText('Choose at least one scope').waitFor();
    expect(await calls.apiKeys.getUserApiKey(params())).toMatchObject({ has_api_key: false });
  });
});

describe('a regenerated key', () => {
  it('regenerating a key with an overlap keeps the previous key valid until the previous key is revoked', async () => {
    const { api_key: former } = await calls.apiKeys.createUserApiKey(params());
    await openPanel();
    await panel().getByRole('button', { name: 'Regenerate' }).click();
    const regenerate = form('Regenerate API key');
    await chooseOption(regenerate, 'Previous key stays valid for', '24 hours');
    await regenerate.getByRole('button', { name: 'Regenerate' }).click();
    const secret = await readSecret();
    await expect.poll(() => ask(secret, '/models')).toBe('200');
    expect(await ask(former, '/models')).toBe('200');

    await panel().getByRole('button', { name: 'I stored it' }).click();
    await panel().getByText('Previous key', { exact: true }).waitFor();
    expect(await fact('Previous key')).toContain(`slc_…${former.slice(-4)} is valid until`);
    await panel().getByRole('button', { name: 'Revoke the previous key now' }).click();
    await form('Revoke the previous API key').getByRole('button', { name: 'Revoke it now' }).click();
    await expect.poll(() => ask(former, '/models')).toBe('401 invalid_api_key');
    await panel().getByText('Previous key', { exact: true }).waitFor({ state: 'detached' });
    expect(await ask(secret, '/models')).toBe('200');
  });
});

describe('an expired key', () => {
  itAtFullSize('an expired key is shown as Expired, is rejected, and can be regenerated', async () => {
    const expires_at = new Date(Date.now() + 1500).toISOString();
    const { api_key } = await calls.apiKeys.createUserApiKey({ ...params(), body: { expires_at } });
    await expect.poll(() => ask(api_key, '/models'), { timeout: 20_000 }).toBe('401 invalid_api_key');
    await openPanel();
    await panel().getByText('Expired', { exact: true }).waitFor();
    await panel().getByRole('button', { name: 'Regenerate' }).click();
    await chooseOption(form('Regenerate API key'), 'New key expires', 'Never');
    await form('Regenerate API key').getByRole('button', { name: 'Regenerate' }).click();
    const secret = await readSecret();
    await expect.poll(() => ask(secret, '/models')).toBe('200');
    expect(await ask(api_key, '/models')).toBe('401 invalid_api_key');
  });
});
