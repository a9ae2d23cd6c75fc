import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { startWorker } from '#test/console/console-server.ts';
import { createTestDatabase } from '#test/database/database.ts';

it('an idle connection is closed after SLUICE_IDLE_TIMEOUT', async () => {
  await using cleanup = new AsyncDisposableStack();
  const database = await createTestDatabase();
  cleanup.defer(database.close);
  const { connectionString } = database;
  const worker = await startWorker({ connectionString, variables: { SLUICE_IDLE_TIMEOUT: '1 s' } });
  cleanup.defer(worker.close);
  const socket = connect(worker.port, '127.0.0.1');
  socket.write('GET /healthz HTTP/1.1\r\nHost: sluice\r\n\r\n');
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toMatch(/\r\nkeep-alive: timeout=1\r\n/i);
});
