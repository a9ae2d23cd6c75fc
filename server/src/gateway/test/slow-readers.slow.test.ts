import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hello, startGateway, type TestGateway } from '#test/console/gateway.ts';
import { openCall } from '#test/load/leaving-caller.ts';
import {
  completionText,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';

const idleWriteMs = 2_000;
const readerCount = 20;
const mebibyte = 1024 * 1024;

let provider: ScriptedProvider;
let patient: TestGateway;
let hasty: TestGateway;
beforeAll(async () => {
  provider = await startScriptedProvider();
  const seed: Parameters<typeof startGateway>[0] = {
    // The provider never completes its responses, so no response is read after its caller disconnects.
    env: { SLUICE_ABANDONED_TIMEOUT: '0' },
    seed: (sow) => sow.addInstance({ name: 'lab', models: ['m'], endpoint: `${provider.origin}/v1` }),
  };
  [patient, hasty] = await Promise.all([
    startGateway(seed),
    startGateway({ ...seed, timeouts: { idleWriteMs } }),
  ]);
});
afterAll(async () => {
  await Promise.all([patient.stop(), hasty.stop()]);
  await provider.close();
});

const event = Buffer.from(`data: {"choices":[{"index":0,"delta":{"content":"${'word '.repeat(200)}"}}]}\n\n`);
const longText = completionText + ' '.repeat(24 * mebibyte);

const generate = () => {
  const progress = { writtenBytes: 0, open: 0 };
  provider.script = (response, call) => {
    if (!JSON.parse(call.body.toString()).stream) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(longText);
      return;
    }
    progress.open++;
    response.on('close', () => progress.open--);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const write = () => {
      do progress.writtenBytes += event.length;
      while (response.write(event) && !response.destroyed);
    };
    response.on('drain', write);
    write();
  };
  return progress;
};

const open = async (
  gateway: TestGateway,
  clientRequestId: string,
  stream = true,
): Promise<IncomingMessage> => {
  const call = openCall(gateway, clientRequestId);
  call.on('error', () => undefined);
  call.end(JSON.stringify({ model: 'm', stream, messages: hello }));
  const [answer] = await once(call, 'response');
  answer.on('error', () => undefined);
  return answer;
};

const readThenStop = async (answer: IncomingMessage, bytes: number) => {
  for (let received = 0; received < bytes; ) {
    const chunk = answer.read();
    if (chunk === null) await once(answer, 'readable');
    else received += chunk.length;
  }
};

const openReaders = (gateway: TestGateway, ids: string[]) =>
  Promise.all(
    ids.map(async (id, index) => {
      const answer = await open(gateway, id);
      await readThenStop(answer, index % 2 === 0 ? 1 : 2 * mebibyte);
      return answer;
    }),
  );
const namesOf = (kind: string) =>
  Array.from({ length: readerCount }, (_, index) => `${kind}-reader-${index}`);

const untilStill = async (read: () => number) => {
  for (let before = -1; before !== read(); await pause(500)) before = read();
};

const answering = new Map<string, ServerResponse>();
subscribe('http.server.request.start', (message) => {
  // safe because Node documents this message shape for the diagnostics channel
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  const id = request.headers['x-request-id'];
  if (typeof id === 'string') answering.set(id, response);
});

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** The resident set size would include free pages. */
const heldBytes = () => {
  collectGarbage();
  const { external, heapUsed } = process.memoryUsage();
  return heapUsed + external;
};

it(`${readerCount} callers that stop reading pause the provider and use little memory`, async () => {
  const progress = generate();
  for (const answer of await openReaders(patient, namesOf('earlier'))) answer.destroy();
  await vi.waitFor(() => expect(progress.open).toBe(0), 10_000);
  const heldBefore = heldBytes();
  const answers = await openReaders(patient, namesOf('stopped'));
  await untilStill(() => progress.writtenBytes);
  expect(progress.open).toBe(readerCount);
  expect(heldBytes() - heldBefore).toBeLessThan(60 * mebibyte);
  const waiting = namesOf('stopped').map((id) => answering.get(id)?.writableLength ?? 0);
  expect(waiting).toHaveLength(readerCount);
  expect(Math.min(...waiting)).toBeGreaterThan(0);
  expect(Math.max(...waiting)).toBeLessThanOrEqual(256 * 1024);
  for (const answer of answers) answer.destroy();
  await vi.waitFor(() => expect(progress.open).toBe(0), 10_000);
});

it('callers that stop reading are cut off after the write timeout, and their rows have estimated usage', async () => {
  const progress = generate();
  const startedMs = performance.now();
  const ids = namesOf('idle');
  await openReaders(hasty, ids);
  await vi.waitFor(() => expect(progress.open).toBe(0), 20_000);
  expect(performance.now() - startedMs).toBeGreaterThan(idleWriteMs);
  for (const row of await Promise.all(ids.map(hasty.waitForRowOf))) {
    expect(row).toMatchObject({ status: 'client_closed', http_status: 499, usage_source: 'estimated' });
    expect(row.completion_tokens).toBeGreaterThan(0);
  }
});

describe.concurrent('callers while others have stalled', () => {
  it('a caller that reads slowly keeps its stream', async () => {
    const progress = generate();
    const answer = await open(hasty, 'slow-reader');
    for (
      const endsAtMs = performance.now() + 2 * idleWriteMs;
      performance.now() < endsAtMs;
      await pause(100)
    ) {
      await readThenStop(answer, mebibyte);
    }
    expect(progress.open).toBe(1);
    answer.destroy();
    await vi.waitFor(() => expect(progress.open).toBe(0), 10_000);
  });

  it('a caller that does not read a non-streaming response is cut off', async () => {
    const answer = await open(hasty, 'reader-of-nothing', false);
    expect(answer.headers['content-length']).toBe(String(longText.length));
    const findAnswer = () => answering.get('reader-of-nothing');
    await vi.waitFor(() => expect(findAnswer()?.destroyed).toBe(true), 10 * idleWriteMs);
    await new Promise((resolve) => answer.on('close', resolve).resume());
    expect(answer.complete).toBe(false);
  });
});
