import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  apiKeysRoutes,
  blacklistRoutes,
  createClient,
  invitationsRoutes,
  llmProvidersRoutes,
  tasksRoutes,
  teamsRoutes,
  usersRoutes,
} from '@sluice/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { itSampled } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';

const providerKey = 'sk-canary-9c41d07be5f2';
const rotatedKey = 'sk-canary-rotated-2b7e';

startConsole();
visitConsole({ viewport: { width: 1440, height: 900 } });

/** Secrets that the console shows once or never. */
const secrets = [providerKey, rotatedKey];

beforeAll(async () => {
  const options = { baseUrl: sluice.url, headers: () => ({ authorization: `Bearer ${token}` }) };
  const providers = createClient(llmProvidersRoutes, options);
  const { id } = await providers.createLlmProvider({
    body: {
      provider_registry_id: 'openai',
      provider_instance_name: 'Guarded',
      api_key: providerKey,
      enabled_models: ['gpt-5'],
    },
  });
  await providers.updateLlmProvider({ params: { id }, body: { api_key: rotatedKey } });
  const password = 'canary-password-77';
  const user = await createClient(usersRoutes, options).createUser({
    body: { name: 'Kim Key', email: 'kim@northwind.dev', password, role_id: 2 },
  });
  const apiKeys = createClient(apiKeysRoutes, options);
  const { api_key } = await apiKeys.createUserApiKey({ params: { id: user.id } });
  secrets.push(password, api_key);
  await createClient(invitationsRoutes, options).createInvitation({
    body: { email: 'ivo@northwind.dev', role: 'user' },
  });
  await createClient(teamsRoutes, options).createTeam({ body: { name: 'Guards' } });
  await createClient(tasksRoutes, options).createTask({
    body: { title: 'Guard the gateway', description: 'Keep the gateway by night' },
  });
  await createClient(blacklistRoutes, options).addBlacklistEntry({
    body: { provider_key: 'mistral', reason: 'Not guarded' },
  });
  const answered = await fetch(`${sluice.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox-normal', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  expect(answered.status).toBe(200);
});

/** An expected text is required, because an empty file would otherwise pass the test. */
const lists = {
  users: ['/admin/users', 'Kim Key'],
  invitations: ['/admin/users?tab=invitations', 'ivo@northwind.dev'],
  teams: ['/admin/teams', 'Guards'],
  tasks: ['/admin/tasks', 'Guard the gateway'],
  blacklist: ['/admin/blacklist', 'Not guarded'],
  logs: ['/admin/logs', 'sandbox-normal'],
  models: ['/admin/llm-providers?tab=models', 'gpt-5'],
  'provider-registry': ['/admin/llm-providers?tab=registry', 'openai'],
  'audit-log': ['/admin/audit-log', 'Guarded'],
  outbox: ['/admin/outbox', 'ivo@northwind.dev'],
  'tenant-credits': ['/admin/tenant-credits', 'default'],
} as const;

/** The server writes these exports, after a dialog that shows the number of rows. */
const serverExports: ReadonlySet<string> = new Set(['logs', 'audit-log', 'outbox', 'blacklist']);

describe('a list in a CSV file', () => {
  itSampled(5).each(Object.entries(lists))(
    'a CSV export contains no secret: %s',
    async (noun, [path, expected]) => {
      await page.goto(path);
      await page
        .locator('tbody')
        .getByText(expected, { exact: false })
        .first()
        .waitFor({ state: 'attached' });
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export CSV' }).click();
      if (serverExports.has(noun)) await page.getByRole('button', { name: /^Export \d/ }).click();
      const download = await downloading;
      expect(download.suggestedFilename()).toMatch(new RegExp(`^sluice-${noun}-[\\d-]+\\.csv$`));
      const text = await readFile(await download.path(), 'utf8');
      expect(text).toContain(expected);
      const shown = text + (await page.content());
      // Neither half of a secret may appear.
      for (const secret of secrets) {
        expect(shown).not.toContain(secret.slice(0, Math.ceil(secret.length / 2)));
        expect(shown).not.toContain(secret.slice(Math.floor(secret.length / 2)));
      }
    },
  );

  it('every CSV export of the console is in the list of exports tested for secrets', async () => {
    const features = join(import.meta.dirname, '../web/src/features');
    const nouns: string[] = [];
    for await (const file of glob('**/*.tsx', { cwd: features })) {
      const source = await readFile(join(features, file), 'utf8');
      nouns.push(
        ...Array.from(source.matchAll(/<ExportButton[^>]*noun="([\w-]+)"/g), ([, noun]) => noun ?? ''),
      );
    }
    expect([...nouns, ...serverExports].toSorted()).toEqual(Object.keys(lists).toSorted());
  });
});
