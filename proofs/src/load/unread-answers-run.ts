import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { auditAccounts } from '#test/database/audit-accounts.ts';
import type { SluiceProcess } from '#test/processes/sluice-process.ts';
import { startScriptedProvider } from '#test/providers/scripted-provider.ts';
import { writeDialectRequest } from '#test/requests/dialects.ts';
import { readMemoryBytes } from '../processes/event-loop-probe.ts';
import { startProductOver } from '../providers/product-over-provider.ts';

export interface UnreadAnswersFigures {
  readonly callers: number;
  /** Memory growth of the worker in bytes while no caller reads. */
  readonly grownBytes: number;
  /** Total number of bytes that the provider could send before it was paused. */
  readonly writtenBytes: number;
  /** Milliseconds from the start of the first caller until the last caller was cut off. */
  readonly cutAfterMs: number;
  readonly rows: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
}

const model = 'endless';
const cutWithinMs = 150_000;
const rowsWithinMs = 30_000;

/**
 * Runs the product with one worker and `callers` callers that stop reading. Their provider would send 200 MB to each
 * caller.
 */
export async function runUnreadAnswers(callers: number): Promise<UnreadAnswersFigures> {
  await using cleanup = new AsyncDisposableStack();
  const provider = await startScriptedProvider();
  cleanup.defer(() => provider.close());
  const progress = sendMuch(provider);
  const sluice = await startProductOver(provider.origin, [model], cleanup);
  // The warm-up uses callers that disconnect, so that only retained memory is measured afterwards.
  for (const socket of await openUnread(sluice, callers, 'earlier')) socket.destroy();
  while (progress.open > 0) await pause(100);
  const worker = sluice.pids('workers')[0] ?? 0;
  // Intentional delay: the worker releases the memory of the disconnected callers.
  await pause(5_000);
  const before = readMemoryBytes(worker);
  progress.writtenBytes = 0;
  const startedMs = performance.now();
  const sockets = await openUnread(sluice, callers, 'unread');
  await waitUntilStable(() => progress.writtenBytes);
  const grownBytes = readMemoryBytes(worker) - before;
  const { writtenBytes } = progress;
  while (progress.open > 0 && performance.now() - startedMs < cutWithinMs) await pause(250);
  const cutAfterMs = performance.now() - startedMs;
  for (const socket of sockets) socket.destroy();
  return { callers, grownBytes, writtenBytes, cutAfterMs, ...(await readBooks(sluice, callers)) };
}

const bytesOfEach = 200 * 1024 * 1024;
const event = Buffer.from(`data: {"choices":[{"index":0,"delta":{"content":"${'word '.repeat(200)}"}}]}\n\n`);

function sendMuch(provider: Awaited<ReturnType<typeof startScriptedProvider>>) {
  const progress = { writtenBytes: 0, open: 0 };
  provider.script = (response) => {
    let left = bytesOfEach;
    progress.open++;
    response.on('close', () => progress.open--);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const write = () => {
      do {
        progress.writtenBytes += event.length;
        left -= event.length;
      } while (response.write(event) && left > 0 && !response.destroyed);
      if (left <= 0) response.end();
    };
    response.on('drain', write);
    write();
  };
  return progress;
}

/** Reads only the head of each response. */
function openUnread({ origin, apiKey }: SluiceProcess, callers: number, name: string): Promise<Socket[]> {
  const port = Number(new URL(origin).port);
  const asked = { dialect: 'openai-chat', model, stream: true, apiKey, content: 'Hello' } as const;
  return Promise.all(
    Array.from({ length: callers }, async (_, place) => {
      // Intentional delay: callers arrive one after another.
      await pause(place * 4);
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(writeDialectRequest({ ...asked, clientRequestId: `${name}-${place}` }));
      await once(socket, 'readable');
      return socket;
    }),
  );
}

async function waitUntilStable(read: () => number): Promise<void> {
  for (let before = -1; before !== read(); await pause(2_000)) before = read();
}

async function readBooks(sluice: SluiceProcess, callers: number) {
  const pool = new pg.Pool({ connectionString: sluice.connectionString(), max: 1 });
  try {
    const rows = await countRows(pool, callers);
    const client = await pool.connect();
    const { faults } = await auditAccounts(client, 1).finally(() => client.release());
    return { rows, faults };
  } finally {
    await pool.end();
  }
}

async function countRows(pool: pg.Pool, callers: number): Promise<Record<string, number>> {
  const endMs = performance.now() + rowsWithinMs;
  for (;;) {
    const { rows } = await pool.query<{ status: string; count: number }>(
      `SELECT status, count(*)::integer AS count FROM request_logs WHERE client_request_id LIKE 'unread-%' GROUP BY 1`,
    );
    const sum = rows.reduce((total, { count }) => total + count, 0);
    if (sum >= callers || performance.now() > endMs)
      return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
    await pause(500);
  }
}
