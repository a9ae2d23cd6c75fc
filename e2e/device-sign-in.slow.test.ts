import { createClient, signedInToolsRoutes, tasksRoutes, usersRoutes } from '@sluice/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { page, sluice, startConsole, token, visitAs } from './console.ts';
import { everyLook, expectGoodLooks } from './looks.ts';

startConsole();

const person = { name: 'Lena Marsh', email: 'lena@tools.test', password: 'correct horse battery' };

const options = () => ({ baseUrl: sluice.url, headers: () => ({ authorization: `Bearer ${token}` }) });
const tool = () => createClient(signedInToolsRoutes, { baseUrl: sluice.url, headers: () => ({}) });

let personId: number;

beforeAll(async () => {
  const { id: userId } = await createClient(usersRoutes, options()).createUser({
    body: { ...person, role_id: 3 },
  });
  personId = userId;
  const tasks = createClient(tasksRoutes, options());
  for (const title of ['Review code', 'Write tests']) {
    const { id } = await tasks.createTask({
      body: {
        title,
        description: `${title} of the gateway`,
        category: 'coding',
        difficulty_level: 'beginner',
        estimated_hours: 8,
      },
    });
    await tasks.createTaskAssignment({ body: { task_id: id, user_id: userId } });
  }
});

const requestCode = (task?: string) =>
  tool().authorizeDevice({
    form: { client_id: 'sluice-cli', device_name: 'lena-laptop', ...(task !== undefined && { task }) },
  });

const pathOfPage = ({ verification_uri_complete: uri }: { verification_uri_complete: string }) => {
  const { pathname, search } = new URL(uri);
  return `${sluice.url}${pathname}${search}`;
};

async function enterPassword(): Promise<void> {
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const poll = async (device_code: string) =>
  tool()
    .issueToolToken({
      form: {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        client_id: 'sluice-cli',
        device_code,
      },
    })
    .catch((error: { body?: unknown }) => error.body);

describe('the sign-in of a tool', () => {
  it('a user signs in, compares the code, allows a tool for a task, and signs the tool out in the profile', async () => {
    await visitAs(null);
    const codes = await requestCode('write tests');
    await page.goto(pathOfPage(codes));
    await enterPassword();
    await page.getByRole('heading', { name: 'Sign in to a tool' }).waitFor();
    await expect.poll(() => page.getByLabel('Code').inputValue()).toBe(codes.user_code);
    await page.getByText('Continue if your command-line tool shows this code.').waitFor();
    await expectGoodLooks(page, 'device-code', everyLook);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Allow this tool?' }).waitFor();
    await page.getByText('Sluice command line on lena-laptop wants to send requests').waitFor();
    await page.getByText(codes.user_code, { exact: true }).waitFor();
    expect(await page.getByLabel('Task').inputValue()).toBe('Write tests');
    await expectGoodLooks(page, 'device-decision', everyLook);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Tool signed in' }).waitFor();
    await expectGoodLooks(page, 'device-allowed', everyLook);
    const answer = await poll(codes.device_code);
    expect(answer).toMatchObject({ task: { title: 'Write tests' }, user: { email: person.email } });
    await page.getByRole('link', { name: 'Open signed-in tools' }).click();
    const panel = page.getByRole('region', { name: 'Signed-in tools' });
    await panel.getByText('Sluice command line on lena-laptop').waitFor();
    await panel.scrollIntoViewIfNeeded();
    await expectGoodLooks(page, 'device-profile', everyLook);
    await panel.getByRole('button', { name: 'Sign out Sluice command line on lena-laptop' }).click();
    await panel.getByText('No command-line tool is signed in.').waitFor();
  });

  it('an administrator signs out a tool in the details of its user', async () => {
    await visitAs(null);
    const codes = await requestCode('write tests');
    await page.goto(pathOfPage(codes));
    await enterPassword();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Tool signed in' }).waitFor();
    const answer = await poll(codes.device_code);
    await visitAs(token);
    await page.goto(`/admin/users?open=${personId}`);
    const section = page.getByRole('region', { name: 'Signed-in tools' });
    await section.getByText('Sluice command line on lena-laptop').waitFor();
    await section.scrollIntoViewIfNeeded();
    await expectGoodLooks(page, 'user-signed-in-tools', everyLook);
    await section.getByRole('button', { name: 'Sign out Sluice command line on lena-laptop' }).click();
    await section.waitFor({ state: 'detached' });
    const { access_token: key } = answer as { access_token: string };
    const headers = { authorization: `Bearer ${key}` };
    expect((await fetch(`${sluice.url}/v1/models`, { headers })).status).toBe(401);
  });

  it('the device page explains a wrong code, and a denied tool gets no access', async () => {
    await visitAs(null);
    await page.goto(`${sluice.url}/device`);
    await enterPassword();
    await page.getByLabel('Code').fill('bbbb-bbbb');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('This code is incorrect, has expired, or was already used.').waitFor();
    await expectGoodLooks(page, 'device-wrong-code', everyLook);
    const codes = await requestCode();
    await page.getByLabel('Code').fill(codes.user_code.toLowerCase());
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Allow this tool?' }).waitFor();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('Select a task', { exact: true }).last().waitFor();
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByRole('heading', { name: 'Sign-in denied' }).waitFor();
    expect(await poll(codes.device_code)).toMatchObject({ error: 'access_denied' });
  });
});
