import { createClient, usersRoutes } from '@sluice/contract';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import { findSeriousFaults } from './looks.ts';
import { chooseOption } from './select-field.ts';

startConsole();
beforeAll(async () => {
  const headers = () => ({ authorization: `Bearer ${token}` });
  const users = createClient(usersRoutes, { baseUrl: sluice.url, headers });
  const body = { email: 'mara@example.com', name: 'Mara Lind', password: 'mara-password', role_id: 3 };
  const { id } = await users.createUser({ body });
  await users.blockUser({ params: { id }, query: { reason: 'left the company' } });
  await users.changeUserPassword({ params: { id }, body: { password: 'another-password' } });
});

visitConsole();
beforeEach(async () => {
  await page.goto('/admin/audit-log');
  await row(/Block user/).waitFor();
});

const row = (name: RegExp) => page.getByRole('row', { name });
const details = () => page.getByRole('dialog', { name: 'Change details' });

describe('the audit log', () => {
  it('the audit log shows who changed what, with the old and the new value', async () => {
    await row(/Block user User Mara Lind Administrator/).click();
    await details().getByRole('heading', { name: 'Block user' }).waitFor();
    await details().getByText('Administrator · admin@example.com').waitFor();
    await details().getByRole('row', { name: 'Blocked No Yes' }).waitFor();
    await details().getByRole('row', { name: 'Blocked reason — left the company' }).waitFor();
    expect(await findSeriousFaults(page)).toEqual([]);
  });

  itAtFullSize('the audit log shows a changed password as [redacted]', async () => {
    await row(/Change user password/).click();
    await details().getByRole('row', { name: 'Password [redacted] [redacted]' }).waitFor();
  });

  it('the audit log is filtered by kind of object and by text, and the URL keeps the text', async () => {
    await chooseOption(page, 'Object', 'LLM provider');
    await row(/LLM provider sandbox/).waitFor();
    await row(/Block user/).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await page.getByRole('searchbox').fill('left the company');
    await row(/Block user/).waitFor();
    await row(/Create user/)
      .first()
      .waitFor({ state: 'detached' });
    await page.reload();
    await row(/Block user/).waitFor();
    await page.getByRole('searchbox').fill('nothing is called this');
    await page.getByText('No changes match your filters').waitFor();
  });
});
