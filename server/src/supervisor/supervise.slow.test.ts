import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findFreePort } from '#test/processes/free-port.ts';
import { fastStart } from '#test/processes/run-command.ts';
import type { WorkerBoot } from './messages.ts';

// Each process writes its events as lines to the same pipe, which preserves the order of the events.
const say = `
  import { existsSync, readFileSync, writeSync } from 'node:fs';
  import { setTimeout as delay } from 'node:timers/promises';
  const say = (...words) => writeSync(2, '> ' + words.join(' ') + '\\n');
`;
const source = (path: string) => JSON.stringify(join(import.meta.dirname, '..', path));

const mainScript = `${say}
  import { readConfig } from ${source('config/read-config.ts')};
  import { createLogger } from ${source('platform/logger.ts')};
  import { supervise } from ${source('supervisor/supervise.ts')};
  const { TEST_PREPARE, TEST_KILL_AFTER_MS } = process.env;
  const file = (name) => new URL(name, import.meta.url).pathname;
  try {
    const { port, sandboxOrigin } = await supervise({
      config: readConfig(),
      log: createLogger('warn', { write: (line) => line.includes('waiting') && say('waiting', JSON.parse(line).msg) }),
      workerFile: file('worker.mjs'),
      shipperFile: file('shipper.mjs'),
      sandboxFile: file('sandbox.mjs'),
      isDatabaseInUse: async () => false,
      async prepareDatabase({ secret }) {
        say('prepare', secret.length);
        if (TEST_PREPARE === 'fail') throw new Error('no migration today');
        if (TEST_PREPARE === 'hang') await new Promise(() => {});
      },
      killAfterMs: Number(TEST_KILL_AFTER_MS ?? 20_000),
    });
    say('up', port, sandboxOrigin);
  } catch (error) {
    say('failed', error.message);
    process.exit(1);
  }
`;

const workerScript = `${say}
  import { createServer } from 'node:http';
  import pg from ${JSON.stringify(import.meta.resolve('pg'))};
  import { installWorkerLifecycle } from ${source('supervisor/worker-lifecycle.ts')};
  // Its environment is not the test's.
  const { TEST_GATE, TEST_WORKER } = JSON.parse(readFileSync(new URL('test.json', import.meta.url), 'utf8'));
  const worker = installWorkerLifecycle();
  const boot = await worker.receiveBoot();
  const server = createServer((request, response) => response.end(JSON.stringify({ pid: process.pid, ...boot })));
  worker.onUnready((reason) => boot.config.drain.delayMs > 0 && reason && say('unready', reason));
  worker.onDrain(async () => {
    say('drain', boot.slot);
    if (TEST_GATE) while (!existsSync(TEST_GATE)) await delay(5);
    if (boot.sandboxOrigin) say('sandbox', (await fetch(boot.sandboxOrigin)).status);
    if (!boot.config.database) {
      const client = new pg.Client({ connectionString: boot.connectionString });
      await client.connect();
      say('database', (await client.query('SELECT 7 AS seven')).rows[0].seven);
      await client.end();
    }
    say('drained', boot.slot);
  });
  if (TEST_WORKER === 'fail') worker.reportFailure(new Error('no model file'));
  else {
    say('worker', boot.slot, process.pid);
    worker.reportReady((connection) => server.emit('connection', connection));
  }
`;

const sandboxScript = `${say}
  import { createServer } from 'node:http';
  say('sandbox-env', Object.keys(process.env).filter((name) => name.startsWith('S')).sort().join());
  const server = createServer((request, response) => response.end('sandbox'));
  server.listen(Number(process.env.SANDBOX_PORT), '127.0.0.1', () => {
    const { port } = server.address();
    say('sandbox-up', process.pid, port);
    process.send({ origin: 'http://127.0.0.1:' + port });
  });
  process.on('SIGTERM', () => { say('sandbox-down'); process.exit(0); });
  process.on('disconnect', () => process.exit(0));
`;

const shipperScript = `${say}
  import { basename } from 'node:path';
  process.on('message', ({ type, boot }) => {
    if (type === 'start') say('shipper', process.pid, boot.slotDirs.map((dir) => basename(dir)).sort().join());
    if (type === 'drain') { say('shipped'); process.exit(0); }
  });
  process.on('disconnect', () => process.exit(1));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});
  process.send({ type: 'waiting' });
`;

let folder: string;
let dataDir: string;
const groups: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'supervise-'));
  dataDir = join(folder, 'data');
  writeFileSync(join(folder, 'main.mjs'), mainScript);
  writeFileSync(join(folder, 'worker.mjs'), workerScript);
  writeFileSync(join(folder, 'sandbox.mjs'), sandboxScript);
  writeFileSync(join(folder, 'shipper.mjs'), shipperScript);
});
afterEach(async () => {
  for (const child of groups.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'close');
  }
  rmSync(folder, { recursive: true });
});

interface Sluice {
  child: ChildProcess;
  events: string[];
  /**
   * Resolves with the text after `prefix` in the next event with this prefix. Past events count unless they were
   * returned before.
   */
  next(prefix: string): Promise<string>;
  closed: Promise<number | null>;
}

const outsideDatabase = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', SLUICE_SANDBOX: '0' };

function startSluice(env: Record<string, string> = outsideDatabase): Sluice {
  writeFileSync(join(folder, 'test.json'), JSON.stringify(env));
  const child = spawn(process.execPath, [join(folder, 'main.mjs')], {
    env: { ...fastStart, PORT: '0', SLUICE_WORKERS: '1', SLUICE_DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  groups.push(child);
  const events: string[] = [];
  const awaited = new Set<number>();
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line.startsWith('> ')) events.push(line.slice(2));
    else process.stderr.write(`${line}\n`);
  });
  return {
    child,
    events,
    async next(prefix) {
      while (true) {
        const index = events.findIndex((event, at) => !awaited.has(at) && event.split(' ')[0] === prefix);
        awaited.add(index);
        const found = events[index];
        if (found !== undefined) return found.slice(prefix.length + 1);
        if (child.exitCode !== null) throw new Error(`ended without "${prefix}": ${events.join(', ')}`);
        await delay(5);
      }
    },
    closed: once(child, 'close').then(([code]) => code),
  };
}

async function ask(port: string): Promise<WorkerBoot & { pid: number }> {
  const response = await fetch(`http://127.0.0.1:${port.split(' ')[0]}`, {
    headers: { connection: 'close' },
  });
  // safe because the worker above responds with its boot
  return response.json() as Promise<WorkerBoot & { pid: number }>;
}

/** Only Linux reports accepted connections. */
async function untilAccepted(port: string, count: number): Promise<void> {
  if (process.platform !== 'linux') return delay(200);
  const hexPort = Number.parseInt(port, 10).toString(16).toUpperCase().padStart(4, '0');
  const isAccepted = (line: string) => {
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
    return local.endsWith(`:${hexPort}`) && state === established && inode !== '0';
  };
  const countAccepted = () => readFileSync('/proc/net/tcp', 'utf8').split('\n').filter(isAccepted).length;
  await expect.poll(countAccepted).toBe(count);
}

const established = '01';

function postgresPid(): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

test('supervise on the embedded database boots workers, and SIGTERM drains them before anything they use stops', async () => {
  const sluice = startSluice({ SLUICE_WORKERS: '2' });
  const [port = '', sandboxOrigin] = (await sluice.next('up')).split(' ');
  const boot = await ask(port);
  expect(boot).toMatchObject({
    config: { workers: 2, dataDir },
    secret: readFileSync(join(dataDir, 'secret'), 'utf8').trim(),
    connectionString: expect.stringMatching(/^postgresql:\/\/sluice@/),
    sandboxOrigin,
  });
  expect(boot.directConnectionString).toBe(boot.connectionString);
  expect(dirname(boot.journalDir)).toBe(join(dataDir, 'journal', `slot-${boot.slot}`));
  // A node is ready without its shipper, which may still be starting.
  await sluice.next('shipper');

  sluice.child.kill('SIGTERM');
  expect(await sluice.closed).toBe(0);
  expect(sluice.events[0]).toBe('prepare 43');
  const last = sluice.events.slice(-10).sort();
  expect(last).toEqual([
    'database 7',
    'database 7',
    'drain 0',
    'drain 1',
    'drained 0',
    'drained 1',
    'sandbox 200',
    'sandbox 200',
    'sandbox-down',
    'shipped',
  ]);
  expect(sluice.events.slice(-2)).toEqual(['shipped', 'sandbox-down']);
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
});

test('kill -9 of the supervisor stops its workers and the sandbox, and the next start takes over the database', async () => {
  const first = startSluice({});
  await first.next('up');
  const orphan = postgresPid();
  first.child.kill('SIGKILL');
  await first.closed;
  expect(first.events).not.toContain('drain 0');
  const second = startSluice({});
  await second.next('up');
  expect(await second.next('shipper')).toMatch(/ slot-0$/);
  expect(postgresPid()).not.toBe(orphan);
  second.child.kill('SIGTERM');
  expect(await second.closed).toBe(0);
});

test("a second start on the same folder fails with the holder's name and does not disturb the first", async () => {
  const first = startSluice({ SLUICE_SANDBOX: '0' });
  const port = await first.next('up');
  const second = startSluice({ SLUICE_SANDBOX: '0' });
  expect(await second.next('failed')).toMatch(
    new RegExp(`^The data folder ${dataDir} is in use by process ${first.child.pid} on .+ since `),
  );
  expect(await second.closed).toBe(1);
  expect(await ask(port)).toMatchObject({ slot: 0 });
});

test('a start waits for the previous one to drain, and logs it', async () => {
  const gate = join(folder, 'gate');
  const first = startSluice({ ...outsideDatabase, TEST_GATE: gate });
  await first.next('up');
  first.child.kill('SIGTERM');
  await first.next('drain');
  const second = startSluice();
  expect(await second.next('waiting')).toMatch(
    new RegExp(
      `process ${first.child.pid} .+, which is stopping .+; waiting up to 70 seconds for it to exit$`,
    ),
  );
  writeFileSync(gate, '');
  expect(await first.closed).toBe(0);
  await second.next('up');
});

test('a signal stops a start that waits for the previous one', async () => {
  const first = startSluice({ ...outsideDatabase, TEST_GATE: join(folder, 'never') });
  await first.next('up');
  first.child.kill('SIGTERM');
  await first.next('drain');
  const second = startSluice();
  await second.next('waiting');
  second.child.kill('SIGTERM');
  expect(await second.closed).toBe(0);
  first.child.kill('SIGKILL');
});

test('SIGHUP of a closing terminal drains the node', async () => {
  const sluice = startSluice();
  await sluice.next('up');
  process.kill(-(sluice.child.pid ?? 0), 'SIGHUP');
  await sluice.next('drained');
  expect(await sluice.closed).toBe(0);
});

test('a worker killed with -9 is replaced immediately, with a new journal', async () => {
  const sluice = startSluice();
  const port = await sluice.next('up');
  await sluice.next('shipper');
  const { pid, journalDir } = await ask(port);
  const before = sluice.events.length;
  process.kill(pid, 'SIGKILL');
  await sluice.next('worker');
  await sluice.next('worker');
  expect(sluice.events.slice(before)).toEqual([expect.stringMatching(/^worker 0 /)]);
  const successor = await ask(port);
  expect(successor.pid).not.toBe(pid);
  expect(dirname(successor.journalDir)).toBe(dirname(journalDir));
  expect(successor.journalDir > journalDir).toBe(true);
});

test('a shipper killed with -9 is replaced without affecting the workers', async () => {
  const sluice = startSluice();
  const port = await sluice.next('up');
  const { pid } = await ask(port);
  const [shipper] = (await sluice.next('shipper')).split(' ');
  process.kill(Number(shipper), 'SIGKILL');
  expect(await sluice.next('shipper')).toMatch(/ slot-0$/);
  expect((await ask(port)).pid).toBe(pid);
});

test('connections that arrive while the only worker is dead or dying wait for the next worker', async () => {
  const sluice = startSluice();
  const port = await sluice.next('up');
  const { pid } = await ask(port);
  process.kill(pid, 'SIGSTOP');
  const held = Array.from({ length: 5 }, () => ask(port));
  await untilAccepted(port, held.length);
  process.kill(pid, 'SIGKILL');
  const late = Array.from({ length: 5 }, () => ask(port));
  for (const answer of await Promise.all([...held, ...late])) expect(answer.pid).not.toBe(pid);
});

test('a worker that receives a signal itself drains and is replaced', async () => {
  const sluice = startSluice();
  const { pid } = await ask(await sluice.next('up'));
  process.kill(pid, 'SIGTERM');
  await sluice.next('drained');
  await sluice.next('worker');
  await sluice.next('worker');
});

test("a sandbox that dies restarts at the same origin, without the node's environment", async () => {
  const sluice = startSluice({ DATABASE_URL: outsideDatabase.DATABASE_URL });
  const [pid, port] = (await sluice.next('sandbox-up')).split(' ');
  await sluice.next('up');
  process.kill(Number(pid), 'SIGKILL');
  expect((await sluice.next('sandbox-up')).split(' ')[1]).toBe(port);
  expect(await sluice.next('sandbox-env')).toBe('SANDBOX_HOST,SANDBOX_PORT');
});

test("a worker gets neither the administrator's password nor a secret in its environment", async () => {
  const canary = 'canary-of-the-environment';
  const sluice = startSluice({
    ...outsideDatabase,
    SLUICE_ADMIN_PASSWORD: canary,
    SLUICE_SECRET: `${canary}-of-32-characters`,
    SMTP_URL: `smtp://user:${canary}@mail.example`,
    MAIL_FROM: 'a@b.co',
    STRANGE_TOKEN: canary,
    TZ: 'UTC',
  });
  const boot = await ask(await sluice.next('up'));
  expect(boot.config).toMatchObject({ mail: { from: 'a@b.co' } });
  expect(boot.config).not.toHaveProperty('admin');
  const environment =
    process.platform === 'linux' ? readFileSync(`/proc/${boot.pid}/environ`, 'utf8') : 'TZ=UTC';
  expect(environment).toContain('TZ=UTC');
  expect(environment).not.toContain(canary);
});

test('two shippers share the slots of five workers and a slot that is no longer used', async () => {
  mkdirSync(join(dataDir, 'journal', 'slot-5'), { recursive: true });
  const sluice = startSluice({ ...outsideDatabase, SLUICE_WORKERS: '5' });
  await sluice.next('up');
  const slots = [await sluice.next('shipper'), await sluice.next('shipper')].map(
    (event) => event.split(' ')[1],
  );
  expect(slots.sort()).toEqual(['slot-0,slot-2,slot-4', 'slot-1,slot-3,slot-5']);
});

test('copies of a signal, including those to the process group, count as one stop request', async () => {
  const gate = join(folder, 'gate');
  const sluice = startSluice({ DATABASE_URL: outsideDatabase.DATABASE_URL, TEST_GATE: gate });
  await sluice.next('up');
  await sluice.next('shipper');
  const started = sluice.events.length;
  const group = -(sluice.child.pid ?? 0);
  process.kill(group, 'SIGINT');
  process.kill(group, 'SIGTERM');
  // Intentional delay: a copy of the signal arrives slightly later.
  await delay(40);
  sluice.child.kill('SIGTERM');
  await sluice.next('drain');
  writeFileSync(gate, '');
  expect(await sluice.closed).toBe(0);
  expect(sluice.events.slice(started)).toEqual([
    'drain 0',
    'sandbox 200',
    'drained 0',
    'shipped',
    'sandbox-down',
  ]);
});

test('another signal more than a second later aborts the drain and still stops the database', async () => {
  const sluice = startSluice({ SLUICE_SANDBOX: '0', TEST_GATE: join(folder, 'never') });
  await sluice.next('up');
  await sluice.next('shipper');
  sluice.child.kill('SIGTERM');
  await sluice.next('drain');
  // Intentional delay: a signal within a second counts as a copy.
  await delay(1000);
  sluice.child.kill('SIGTERM');
  expect(await sluice.closed).toBe(1);
  expect(sluice.events.at(-1)).toBe('drain 0');
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
});

test('a node with a drain delay reports unready first and still accepts connections until it drains', async () => {
  const sluice = startSluice({ ...outsideDatabase, SLUICE_DRAIN_DELAY: '500 ms' });
  const port = await sluice.next('up');
  sluice.child.kill('SIGTERM');
  expect(await sluice.next('unready')).toBe('draining');
  expect(await ask(port)).toMatchObject({ slot: 0 });
  expect(sluice.events).not.toContain('drain 0');
  await sluice.next('drain');
  await expect(ask(port)).rejects.toThrow('fetch failed');
  expect(await sluice.closed).toBe(0);
});

test('a second signal ends the drain delay early', async () => {
  const sluice = startSluice({ ...outsideDatabase, SLUICE_DRAIN_DELAY: '10 min' });
  await sluice.next('up');
  sluice.child.kill('SIGTERM');
  expect(await sluice.next('unready')).toBe('draining');
  // Intentional delay: a signal within a second counts as a copy.
  await delay(1000);
  sluice.child.kill('SIGTERM');
  expect(await sluice.closed).toBe(1);
});

test('a start that fails skips the drain delay', async () => {
  const sluice = startSluice({ ...outsideDatabase, SLUICE_DRAIN_DELAY: '10 min', TEST_PREPARE: 'fail' });
  expect(await sluice.next('failed')).toBe('no migration today');
  expect(await sluice.closed).toBe(1);
});

test('a worker that does not drain in time is killed, and the node exits with 0', async () => {
  const sluice = startSluice({
    ...outsideDatabase,
    TEST_GATE: join(folder, 'never'),
    TEST_KILL_AFTER_MS: '200',
  });
  await sluice.next('up');
  sluice.child.kill('SIGTERM');
  expect(await sluice.closed).toBe(0);
});

test('a start fails on a taken port and names PORT before any process is started', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = String(typeof address === 'object' ? address?.port : '');
  const sluice = startSluice({ PORT: port });
  expect(await sluice.next('failed')).toBe(
    `port ${port} on 127.0.0.1 is already in use: set PORT to another port`,
  );
  expect(await sluice.closed).toBe(1);
  expect(sluice.events).toHaveLength(1);
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
  other.close();
});

test.each([
  ['the database cannot be prepared', { TEST_PREPARE: 'fail' }, 'no migration today'],
  ['a worker cannot start', { TEST_WORKER: 'fail' }, 'no model file'],
])('a start that fails because %s stops all processes it started', async (_, env, reason) => {
  const sluice = startSluice({ SLUICE_WORKERS: '2', ...env });
  expect(await sluice.next('failed')).toBe(reason);
  expect(await sluice.closed).toBe(1);
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  expect(existsSync(join(dataDir, 'lock.holder'))).toBe(false);
});

test('a node accepts no connection before its database is prepared', async () => {
  const port = await findFreePort();
  const sluice = startSluice({ ...outsideDatabase, PORT: String(port), TEST_PREPARE: 'hang' });
  await sluice.next('prepare');
  await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow('fetch failed');
  sluice.child.kill('SIGTERM');
  expect(await sluice.closed).toBe(0);
});

test('a signal during a start stops all processes it started', async () => {
  const sluice = startSluice({ TEST_PREPARE: 'hang' });
  await sluice.next('prepare');
  sluice.child.kill('SIGTERM');
  expect(await sluice.closed).toBe(0);
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
});
