import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWithBucket, startBucket, type TestBucket } from '#test/object-store/start-bucket.ts';
import { type ObjectStore, openObjectStore } from './object-store.ts';

let bucket: TestBucket;
let store: ObjectStore;

describeWithBucket('object storage', () => {
  beforeAll(async () => {
    bucket = await startBucket();
    store = openObjectStore(bucket.config);
  });
  afterAll(() => bucket.close());

  it('an object can be read as a whole and by range, replaced and deleted', async () => {
    const bytes = randomBytes(300_000);
    await store.put('day/one', bytes);
    expect(await store.get('day/one')).toEqual(bytes);
    expect(await store.get('day/one', { offset: 1_000, length: 1 })).toEqual(bytes.subarray(1_000, 1_001));
    expect(await store.get('day/one', { offset: 299_000, length: 1_000 })).toEqual(bytes.subarray(299_000));
    expect(await bucket.list()).toEqual(['day/one']);
    await store.put('day/one', Buffer.from('other'));
    expect(await store.get('day/one')).toEqual(Buffer.from('other'));
    await store.delete('day/one');
    await store.delete('day/one');
    expect(await store.get('day/one')).toBeNull();
    expect(await store.get('day/one', { offset: 0, length: 5 })).toBeNull();
  });

  it('a range beyond the end of an object is an error, not fewer bytes', async () => {
    await store.put('short', Buffer.from('12345'));
    await expect(store.get('short', { offset: 3, length: 5 })).rejects.toThrow('a different range');
    await expect(store.get('short', { offset: 9, length: 5 })).rejects.toThrow('416');
  });

  it('errors contain neither keys nor URLs', async () => {
    const wrongs = [{ secretKey: 'a wrong secret' }, { accessKeyId: 'an unknown id' }, { bucket: 'missing' }];
    for (const wrong of wrongs) {
      const wrongStore = openObjectStore({ ...bucket.config, ...wrong });
      const { put, get, delete: remove } = wrongStore;
      for (const call of [() => put('one', Buffer.from('1')), () => get('one'), () => remove('one')]) {
        const error: unknown = await call().then(
          () => null,
          (cause: unknown) => cause,
        );
        expect(String(error)).toMatch(/^ObjectStoreError: The object storage returned 40[34] \(\w+\)\.$/);
        expect(error).not.toHaveProperty('cause');
      }
    }
  });

  it('requests fail while the server is unavailable and work again afterwards', async () => {
    await store.put('kept', Buffer.from('kept'));
    await bucket.kill();
    await expect(store.put('one', Buffer.from('1'))).rejects.toThrow('cannot be reached (ECONNREFUSED)');
    await expect(store.get('kept')).rejects.toThrow('cannot be reached (ECONNREFUSED)');
    await expect(store.delete('kept')).rejects.toThrow('cannot be reached (ECONNREFUSED)');
    await bucket.restart();
    expect(await store.get('kept')).toEqual(Buffer.from('kept'));
  });
});

describe('object storage that fails', () => {
  const failures: [name: string, listener: RequestListener, message: string][] = [
    [
      'an error',
      (_, response) => response.writeHead(500).end('<Error><Code>SlowDown</Code></Error>'),
      'returned 500 (SlowDown)',
    ],
    ['a cut connection', (request) => request.socket.destroy(), 'cannot be reached (UND_ERR_SOCKET)'],
    [
      'half a body',
      (_, response) => {
        response.writeHead(200, { 'content-length': '8' }).write('half', () => response.destroy());
      },
      'cannot be reached (UND_ERR_SOCKET)',
    ],
    ['silence', () => undefined, 'cannot be reached (TimeoutError)'],
    [
      'a redirect',
      (_, response) => response.writeHead(307, { location: '/other' }).end(),
      'cannot be reached (TypeError)',
    ],
  ];

  it.each(failures)('get reports %s as an ObjectStoreError with the reason', async (_, listener, message) => {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    // safe because the server listens on TCP
    const { port } = server.address() as AddressInfo;
    const config = { bucket: 'texts', prefix: '', region: 'us-east-1', accessKeyId: 'id', secretKey: 'key' };
    const failing = openObjectStore(
      { ...config, endpoint: `http://127.0.0.1:${port}` },
      { putMs: 200, otherMs: 200 },
    );
    await expect(failing.get('one')).rejects.toMatchObject({
      name: 'ObjectStoreError',
      message: expect.stringContaining(message),
    });
    server.closeAllConnections();
    server.close();
  });
});
