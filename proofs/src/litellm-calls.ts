import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient, managementTokensRoutes } from '@sluice/contract';
import { createSluice } from '#test/processes/sluice-process.ts';
import { signIn } from '#test/providers/outside-provider.ts';
import type { ProofResult, SkippedProof } from './proof.ts';

const run = promisify(execFile);

/** Versions on PyPI. They are never dependencies. */
const packages = ['litellm==1.110.2', 'requests==2.34.2'];

const program = `
import json, sys
from litellm.proxy.client.client import Client
from litellm.proxy.client.users import UsersManagementClient

base, token = sys.argv[1:]
client = Client(base_url=base, api_key=token)
users = UsersManagementClient(base_url=base, api_key=token)

def call(name, work, *fields):
    try:
        result = work()
        print(json.dumps({'call': name, 'missing': [f for f in fields if f not in result]}), flush=True)
        return result
    except Exception as error:
        print(json.dumps({'call': name, 'error': str(error)}), flush=True)
        return {}

user = call('users.create_user', lambda: users.create_user({'user_email': 'mara@client.test', 'max_budget': 50, 'budget_duration': '30d'}), 'user_id', 'key')
team = call('http.request POST /team/new', lambda: client.http.request('POST', '/team/new', json={'team_alias': 'Client team', 'max_budget': 20}), 'team_id', 'team_alias')
call('http.request GET /team/info', lambda: client.http.request('GET', '/team/info', params={'team_id': team.get('team_id')}), 'team_info', 'keys')
call('users.get_user', lambda: users.get_user(user.get('user_id')), 'user_info', 'keys', 'teams')
key = call('keys.generate', lambda: client.keys.generate(models=[], aliases={}, config={}, duration='24h', key_alias='client key', user_id=user.get('user_id')), 'key', 'token', 'expires', 'key_alias')
call('keys.info', lambda: client.keys.info(key.get('token')), 'key', 'info')
call('keys.update', lambda: client.keys.update(key.get('key'), key_alias='renamed', duration='7d'), 'key', 'key_alias')
call('models.info', lambda: {'models': client.models.info()}, 'models')
call('keys.delete', lambda: client.keys.delete(keys=[key.get('key')]), 'deleted_keys')
`;

interface Called {
  readonly call: string;
  readonly missing?: readonly string[];
  readonly error?: string;
}

export async function proveLitellmCalls(): Promise<ProofResult | SkippedProof> {
  await using cleanup = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'sluice-litellm-'));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const python = join(folder, 'venv/bin/python');
  try {
    await run('python3', ['-m', 'venv', join(folder, 'venv')]);
    await run(python, ['-m', 'pip', 'install', '--quiet', ...packages]);
  } catch (error) {
    return { skipped: `litellm cannot be installed: ${String(error).split('\n')[0]}` };
  }
  const sluice = await createSluice({ SLUICE_WORKERS: '1', LOG_LEVEL: 'silent' });
  cleanup.defer(() => sluice.remove());
  await sluice.start();
  const { token } = await createClient(managementTokensRoutes, await signIn(sluice)).createManagementToken({
    body: {
      name: 'LiteLLM client',
      scopes: [
        'users:read',
        'users:write',
        'teams:read',
        'teams:write',
        'tasks:write',
        'budgets:write',
        'api-keys:write',
        'providers:read',
      ],
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    },
  });
  const env = { ...process.env, LITELLM_LOCAL_MODEL_COST_MAP: 'True' };
  const { stdout } = await run(python, ['-c', program, sluice.origin, token], { env });
  const calls: Called[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return {
    title: "LiteLLM's own client manages users, teams and keys",
    holds: calls.length === 9 && calls.every(isGood),
    text: describeCalls(calls),
  };
}

const isGood = ({ error, missing }: Called) => error === undefined && missing?.length === 0;

function describeCalls(calls: readonly Called[]): string {
  const lines = calls.map((one) => {
    const lack = one.error ?? (one.missing?.length ? `missing: ${one.missing.join(', ')}` : 'as expected');
    return `| \`${one.call}\` | ${lack} |`;
  });
  return [
    `The client of ${packages.map((name) => `\`${name}\``).join(' and ')} calls the product with a management token. Each`,
    'response must have the fields that a script reads.',
    '',
    '| call | result |',
    '|---|---|',
    ...lines,
  ].join('\n');
}
