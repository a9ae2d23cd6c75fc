import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { signSessionToken } from '#platform/tokens.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { startWorker, testKeyring, testSecret } from '#test/console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { callCommand, runCommand } from '#test/processes/run-command.ts';

export const providerKey = 'sk-a-provider-key-that-no-output-may-have';
export const clientSecret = 'a-client-secret-that-no-output-may-have';
export const userPassword = 'a-password-that-no-output-may-have';

export interface Installation {
  readonly database: TestDatabase;
  readonly folder: string;
  readonly env: Record<string, string>;
  readonly printed: readonly string[];
  run(args: readonly string[], input?: string): ReturnType<typeof callCommand>;
  spawn(args: readonly string[]): ReturnType<typeof runCommand>;
  write(name: string, content: string | object): Promise<string>;
  call(
    tenant: string,
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; body: string }>;
  listModels(apiKey: string): Promise<string[]>;
  close(): Promise<void>;
}

function createCall(origin: string, token: string): Installation['call'] {
  return async (tenant, method, path, body) => {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'x-sluice-tenant': tenant,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.text() };
  };
}

async function listModels(origin: string, apiKey: string): Promise<string[]> {
  const response = await fetch(`${origin}/api/v1/models`, { headers: { authorization: `Bearer ${apiKey}` } });
  const { data } = (await response.json()) as { data: { id: string }[] };
  return data.map(({ id }) => id);
}

export async function createInstallation(): Promise<Installation> {
  const database = await createTestDatabase();
  await database.pool.query('INSERT INTO installation (secret_check) VALUES ($1)', [testKeyring.secretCheck]);
  const tenantId = await addTenant(database.pool, 'One');
  const { userId } = await addPerson(database.pool, tenantId, 'super_admin', 'root@one.test');
  await syncRegistry(drizzle({ client: database.pool }));
  const folder = await mkdtemp(join(tmpdir(), 'sluice-configuration-'));
  const worker = await startWorker({
    connectionString: database.connectionString,
    variables: { SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1' },
  });
  const claims = { userId, sessionId: crypto.randomUUID(), tokenVersion: 1 };
  const token = await signSessionToken(testKeyring.sessionKey, claims, Date.now());
  const env = {
    DATABASE_URL: database.connectionString,
    SLUICE_SECRET: testSecret,
    SLUICE_DATA_DIR: folder,
    SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1',
    PORT: '0',
    OPENAI_KEY: providerKey,
    OIDC_SECRET: clientSecret,
    FIRST_PASSWORD: userPassword,
  };
  const printed: string[] = [];
  const keep = <Output extends { stdout: string; stderr: string }>(output: Output): Output => {
    printed.push(output.stdout, output.stderr);
    return output;
  };
  return {
    database,
    folder,
    env,
    printed,
    run: async (args, input) => keep(await callCommand(args, env, input)),
    spawn: async (args) => keep(await runCommand(args, env)),
    async write(name, content) {
      const path = join(folder, name);
      await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
      return path;
    },
    call: createCall(worker.origin, token),
    listModels: (apiKey) => listModels(worker.origin, apiKey),
    async close() {
      await worker.close();
      await database.close();
      await rm(folder, { recursive: true });
    },
  };
}
