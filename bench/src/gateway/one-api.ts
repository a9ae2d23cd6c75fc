import { execFileSync } from 'node:child_process';
import { startProgram } from '../programs/program.ts';
import { findFreePort, untilListening } from '../programs/readiness.ts';
import { peerPart, startPeerDatabase } from './peer-database.ts';
import { providerModel } from './request-body.ts';
import { NotInstalledError, type Surroundings, type Target } from './subject.ts';

const accessToken = 'benchmark-access-token-of-root-0';
const openaiChannel = 1;
const manyRequests = '1000000000';
const quota = 1_000_000_000_000;

export const startOneApi = (surroundings: Surroundings): Promise<Target> =>
  start(surroundings, { isGoverned: true });

/** Starts one-api without the log and without a token quota. The user's quota cannot be disabled. */
export const startPlainOneApi = (surroundings: Surroundings): Promise<Target> =>
  start(surroundings, { isGoverned: false });

async function start(surroundings: Surroundings, { isGoverned }: { isGoverned: boolean }): Promise<Target> {
  const { resources, upstream, dir, options } = surroundings;
  const command = options.oneApi;
  if (command === null)
    throw new NotInstalledError('--one-api <file> names a binary built from its repository');
  const port = await findFreePort();
  const database = await startPeerDatabase(surroundings, `one-api-${port}`);
  const env = {
    PORT: String(port),
    HOME: dir,
    SQL_DSN: database.url.replace('postgresql://', 'postgres://'),
    INITIAL_ROOT_ACCESS_TOKEN: accessToken,
    MEMORY_CACHE_ENABLED: 'true',
    // The default limits per IP address would stop the run.
    GLOBAL_API_RATE_LIMIT: manyRequests,
    GLOBAL_WEB_RATE_LIMIT: manyRequests,
  };
  const launch = async (until: AsyncDisposableStack) => {
    const program = startProgram(until, { name: 'one-api', command, args: ['--log-dir', dir], env });
    await program.expect(untilListening(port));
    return program;
  };
  const origin = `http://127.0.0.1:${port}`;
  const key = await configureBetween(launch, () => configure(origin, upstream, isGoverned));
  const program = await launch(resources);
  return {
    url: `${origin}/v1/chat/completions`,
    headers: { authorization: `Bearer sk-${key}` },
    program,
    version: execFileSync(command, ['--version'], { encoding: 'utf8' }).trim(),
    databasePid: database.pid,
    partOf: peerPart,
    defersWork: true,
  };
}

/** Configures one-api in a separate process before the measured one, since a process caches channels at startup. */
async function configureBetween<Key>(
  launch: (until: AsyncDisposableStack) => Promise<unknown>,
  work: () => Promise<Key>,
): Promise<Key> {
  await using firstRun = new AsyncDisposableStack();
  await launch(firstRun);
  return await work();
}

/** Returns the token. */
async function configure(origin: string, upstream: string, isGoverned: boolean): Promise<string> {
  const send = (method: string, path: string, body: object) => call(`${origin}/api/${path}`, method, body);
  await send('PUT', 'option/', { key: 'ModelRatio', value: JSON.stringify({ [providerModel]: 1 }) });
  await send('PUT', 'option/', { key: 'LogConsumeEnabled', value: String(isGoverned) });
  await send('POST', 'channel/', {
    name: 'benchmark',
    type: openaiChannel,
    key: 'sk-benchmark',
    base_url: upstream,
    models: providerModel,
    group: 'default',
  });
  const token = { name: 'benchmark', expired_time: -1, remain_quota: quota, unlimited_quota: !isGoverned };
  const { key }: { key: string } = await send('POST', 'token/', token);
  return key;
}

async function call(url: string, method: string, body: object) {
  const headers = { authorization: accessToken, 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  const text = await response.text();
  // Failures have the status 200 as well.
  const answer = response.ok ? JSON.parse(text) : null;
  if (!answer?.success) throw new Error(`one-api returned ${response.status} for ${url}: ${text}`);
  return answer.data;
}
