import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readCommandLine, startProgram } from '../programs/program.ts';
import { findFreePort, untilListening, untilPrinted } from '../programs/readiness.ts';
import { providerModel } from './request-body.ts';
import { NotInstalledError, type Surroundings, type Target } from './subject.ts';

// Wait after a change until every worker has received it, with a safety margin.
const knownEverywhereMs = 1_500;

interface Access {
  origin: string;
  email: string;
  password: string;
}

async function signIn({ origin, email, password }: Access): Promise<Record<string, string>> {
  const credentials = new URLSearchParams({ username: email, password });
  const session: { access_token: string } = await call(`${origin}/api/v1/auth/login`, {
    method: 'POST',
    body: credentials,
  });
  return { authorization: `Bearer ${session.access_token}`, 'content-type': 'application/json' };
}

export async function addProvider(
  access: Access,
  upstream: string,
  models: readonly string[] = [providerModel],
): Promise<void> {
  const { origin } = access;
  const headers = await signIn(access);
  const vendors: { id: number; provider_key: string }[] = await call(`${origin}/api/v1/provider-registry`, {
    headers,
  });
  const instance = {
    provider_registry_id: vendors.find(({ provider_key }) => provider_key === 'custom')?.id,
    provider_instance_name: 'benchmark',
    api_key: 'sk-benchmark',
    api_endpoint: `${upstream}/v1`,
    enabled_models: models,
  };
  await call(`${origin}/api/v1/llm-providers`, { method: 'POST', headers, body: JSON.stringify(instance) });
  await delay(knownEverywhereMs);
}

async function call(url: string, init: RequestInit) {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url} returned ${response.status}: ${await response.text()}`);
  return JSON.parse(await response.text());
}

const projectDir = fileURLToPath(new URL('../../..', import.meta.url));
const email = 'admin@example.com';
const password = 'benchmark-password';

export function startSluiceBefore(surroundings: Surroundings): Promise<Target> {
  const { against } = surroundings.options;
  if (against === null) throw new NotInstalledError('--against <folder> names a checkout to compare with');
  return startSluice(surroundings, against);
}

/** Starts a second Sluice as a control for noise. */
export function startSluiceAgain(surroundings: Surroundings): Promise<Target> {
  if (!surroundings.options.hasControl) throw new NotInstalledError('--no-control leaves it out');
  return startSluice(surroundings);
}

/** Starts Sluice with a price for the model, and optionally with six budgets for each request. */
export async function startPricedSluice(
  surroundings: Surroundings,
  { hasBudgets = false } = {},
): Promise<Target> {
  const target = await startSluice(surroundings);
  const { origin } = new URL(target.url);
  const headers = await signIn({ origin, email, password });
  const body = JSON.stringify({ unpriced_models: 'fallback', fallback_price: { input: 0.15, output: 0.6 } });
  await call(`${origin}/api/v1/admin/settings`, { method: 'PUT', headers, body });
  if (hasBudgets) await addBudgets(origin, headers);
  await delay(knownEverywhereMs);
  return target;
}

/** Adds budgets that no benchmark exhausts. */
async function addBudgets(origin: string, headers: Record<string, string>): Promise<void> {
  const read = (path: string) => call(`${origin}/api/v1${path}`, { headers });
  const [{ id: user_id }]: [{ id: number }] = await read('/admin/users');
  const instances: { id: number; provider_instance_name: string }[] = await read('/llm-providers');
  const llm_provider_id = instances.find(
    ({ provider_instance_name }) => provider_instance_name === 'benchmark',
  )?.id;
  const user = { subject_type: 'user', subject_id: user_id };
  for (const subject of [
    { subject_type: 'tenant' },
    { subject_type: 'tenant', model_pattern: '*' },
    user,
    { ...user, model_pattern: '*' },
    { subject_type: 'provider', subject_id: llm_provider_id },
    { ...user, llm_provider_id },
  ]) {
    const body = JSON.stringify({ ...subject, measure: 'usd', window: 'month', limit: 1_000_000 });
    await call(`${origin}/api/v1/admin/budgets`, { method: 'POST', headers, body });
  }
}

export async function startSluice(
  { resources, upstream, dir, options }: Surroundings,
  checkoutDir = projectDir,
  models?: readonly string[],
  settings: Record<string, string> = {},
): Promise<Target> {
  const port = await findFreePort();
  const env = {
    PORT: String(port),
    SLUICE_DATA_DIR: join(dir, `sluice-${port}`),
    SLUICE_ADMIN_EMAIL: email,
    SLUICE_ADMIN_PASSWORD: password,
    SLUICE_WORKERS: String(options.workers),
    SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1',
    ...settings,
  };
  const script = pathToFileURL(findProgram(checkoutDir));
  const program = startProgram(resources, { name: 'Sluice', script, env });
  const [, key] = await program.expect(untilPrinted(program.child, /Authorization: Bearer (slc_\w+)/i));
  await program.expect(untilListening(port));
  const origin = `http://127.0.0.1:${port}`;
  await addProvider({ origin, email, password }, upstream, models);
  return {
    url: `${origin}/api/v1/chat/completions`,
    headers: { authorization: `Bearer ${key}` },
    program,
    partOf: nameParts(program.pid),
    defersWork: true,
  };
}

/** Versions up to 0.2.0 have the program in another folder. */
function findProgram(checkoutDir: string): string {
  const program = join(checkoutDir, 'server/src/product/main.ts');
  return existsSync(program) ? program : join(checkoutDir, 'server/src/main.ts');
}

/**
 * Returns a function that names processes by their main files. The built-in sandbox is excluded, since it is idle in
 * benchmarks.
 */
function nameParts(supervisorPid: number): Target['partOf'] {
  return ({ pid, name }) => {
    if (pid === supervisorPid) return 'supervisor';
    if (name === 'postgres') return 'postgresql';
    const command = readCommandLine(pid);
    if (command.includes('sandbox/')) return null;
    const [, part = 'others'] = /\/([\w-]+)(?:\/main)?\.ts(?: |$)/.exec(command) ?? [];
    return part;
  };
}
