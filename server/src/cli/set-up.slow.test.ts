import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { databaseUrl, dropDatabase, onCluster } from '#test/database/database-cluster.ts';
import { callCommand, runCommand } from '#test/processes/run-command.ts';
import { createSluice } from '#test/processes/sluice-process.ts';
import { startScriptedProvider } from '#test/providers/scripted-provider.ts';

const providerKey = 'sk-key-of-the-provider';

it('commands set up an empty database so that a request with the printed key succeeds', async () => {
  const name = `sluice_set_up_${process.pid}`;
  await onCluster(inject('clusterUrl'), `CREATE DATABASE ${name}`);
  onTestFinished(() => dropDatabase(inject('clusterUrl'), name));
  const provider = await startScriptedProvider();
  onTestFinished(() => provider.close());
  const folder = mkdtempSync(join(tmpdir(), 'set-up-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const installation = {
    DATABASE_URL: databaseUrl(inject('clusterUrl'), name),
    SLUICE_SECRET: 's'.repeat(32),
    SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1',
  };
  const run = async (args: readonly string[], { input = '', env = {}, runIn = callCommand } = {}) => {
    const answer = await runIn(
      [...args, '--json'],
      { ...installation, ...env, SLUICE_DATA_DIR: join(folder, 'cli') },
      input,
    );
    expect({ args, code: answer.code, stderr: answer.code === 0 ? '' : answer.stderr }).toEqual({
      args,
      code: 0,
      stderr: '',
    });
    return JSON.parse(answer.stdout);
  };
  expect(await run(['setup'], { runIn: runCommand })).toMatchObject({
    email: 'admin@example.com',
    password: expect.any(String),
  });
  await run(['users', 'create', 'ada@one.test', '--role', 'user'], { input: 'a first horse\n' });

  const endpoint = ['--endpoint', `${provider.origin}/v1`];
  const keyFile = join(folder, 'key');
  writeFileSync(keyFile, `${providerKey}\n`);
  await run([
    'providers',
    'create',
    'custom',
    'from a file',
    '--models',
    'fine',
    ...endpoint,
    '--api-key-file',
    keyFile,
  ]);
  await run(
    [
      'providers',
      'create',
      'custom',
      'from a variable',
      '--models',
      'fine',
      ...endpoint,
      '--api-key-env',
      'PROVIDER_KEY',
    ],
    { env: { PROVIDER_KEY: providerKey } },
  );
  const instance = await run(
    ['providers', 'create', 'custom', 'own', '--models', 'fine,other', ...endpoint],
    { input: `${providerKey}\n` },
  );
  const task = await run(['tasks', 'create', 'Write tests']);
  await run(['tasks', 'assign', String(task.id), 'ada@one.test']);
  await run(['providers', 'grant', String(instance.id), 'ada@one.test', '--models', 'fine']);
  const { api_key: apiKey } = await run(['keys', 'create', 'ada@one.test']);

  const sluice = await createSluice({ ...installation, SLUICE_WORKERS: '1', SLUICE_SANDBOX: '0' });
  onTestFinished(() => sluice.remove());
  await sluice.start();
  const ask = (model: string) =>
    fetch(`${sluice.origin}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Write a test' }] }),
    });
  const answer = await ask('fine');
  expect({ status: answer.status, body: await answer.text() }).toMatchObject({ status: 200 });
  expect([403, 404]).toContain((await ask('other')).status);

  const again = await callCommand(['setup'], { ...installation, SLUICE_DATA_DIR: join(folder, 'cli') });
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already set up') });
});

it('providers create rejects a provider key that is missing or would be visible', async () => {
  const env = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' };
  const call = ['providers', 'create', 'openai', 'own', '--models', 'm'];
  for (const [args, words, code] of [
    [['--api-key', 'sk-1'], "Unknown option '--api-key'", 2],
    [['--api-key-env', 'NOT_SET'], 'No key was found in the variable NOT_SET', 1],
    [['--api-key-env', 'A', '--no-key'], 'Use only one of --api-key-env', 2],
    [[], 'No key was found in standard input', 1],
  ] as const)
    expect(await callCommand([...call, ...args], env)).toMatchObject({
      code,
      stderr: expect.stringContaining(words),
    });
});
