import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3mini } from 's3mini';
import { describe, vi } from 'vitest';
import type { ObjectStoreConfig } from '#object-store/object-store.ts';
import { findFreePort } from '../processes/free-port.ts';

const programs = ['versitygw', '/opt/versitygw/versitygw'];
const program = programs.find((path) => !spawnSync(path, ['--version'], { stdio: 'ignore' }).error);
if (!program)
  console.info(
    'Tests with an object storage are skipped: versitygw is not installed (GOBIN=/opt/versitygw go install github.com/versity/versitygw/cmd/versitygw@v1.8.0).',
  );

/** Without an S3 server, the tests are skipped with a printed reason. */
export const describeWithBucket = describe.skipIf(program === undefined);

export interface TestBucket {
  readonly config: ObjectStoreConfig;
  kill(): Promise<void>;
  /** Keeps the data and the URL. */
  restart(): Promise<void>;
  list(): Promise<string[]>;
  clear(): Promise<void>;
  close(): Promise<void>;
}

const access = { accessKeyId: 'test-key-id', secretKey: 'test-secret-key' };
const bucket = 'texts';

export async function startBucket(prefix = 'of-tests'): Promise<TestBucket> {
  const folder = await mkdtemp(join(tmpdir(), 'bucket-'));
  const port = await findFreePort();
  // The server stores each bucket as a folder.
  for (const name of [join('objects', bucket), 'attributes'])
    await mkdir(join(folder, name), { recursive: true });
  let child: ChildProcess;
  const start = async () => {
    const { accessKeyId, secretKey } = access;
    const listening = ['--port', `127.0.0.1:${port}`, '--access', accessKeyId, '--secret', secretKey];
    const storage = ['posix', '--sidecar', join(folder, 'attributes'), join(folder, 'objects')];
    child = spawn(program ?? '', ['--quiet', ...listening, ...storage], { stdio: 'ignore' });
    await vi.waitFor(() => reach(port), { timeout: 20_000, interval: 20 });
  };
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  await start();
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new S3mini({
    endpoint: `${endpoint}/${bucket}`,
    region: 'us-east-1',
    accessKeyId: access.accessKeyId,
    secretAccessKey: access.secretKey,
  });
  const keyPrefix = prefix === '' ? '' : `${prefix}/`;
  const list = async () =>
    ((await client.listObjects('/', keyPrefix)) ?? [])
      .map(({ Key }) => Key.slice(keyPrefix.length))
      .toSorted();
  return {
    config: { bucket, prefix, endpoint, region: 'us-east-1', ...access },
    kill,
    restart: start,
    list,
    async clear() {
      for (const name of await list()) await client.deleteObject(`${keyPrefix}${name}`);
    },
    async close() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function reach(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
}
