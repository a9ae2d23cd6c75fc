import { expect, test } from 'vitest';
import { keepRunning } from './keep-running.ts';
import { createLogger } from './logger.ts';

const log = createLogger('silent');

function fakeProcess() {
  const ended = Promise.withResolvers<string>();
  let stops = 0;
  return {
    exited: ended.promise,
    end: () => ended.resolve('it was told to'),
    stop: async () => {
      stops++;
      ended.resolve('stopped');
    },
    countStops: () => stops,
  };
}

test('keepRunning restarts a process that exited, even after a failed launch, until it is stopped', async () => {
  const first = fakeProcess();
  const second = fakeProcess();
  const launched = Promise.withResolvers<void>();
  const outcomes = [
    () => Promise.reject(new Error('not yet')),
    async () => {
      launched.resolve();
      return second;
    },
  ];
  const stop = keepRunning(first, {
    name: 'it',
    launch: () => outcomes.shift()?.() ?? Promise.reject(),
    log,
  });
  first.end();
  await launched.promise;
  await stop();
  expect(second.countStops()).toBe(1);
});

test('keepRunning does not restart a stopped process', async () => {
  const first = fakeProcess();
  let launches = 0;
  const launch = async () => {
    launches++;
    return fakeProcess();
  };
  await keepRunning(first, { name: 'it', launch, log })();
  expect(launches).toBe(0);
});

test('keepRunning stops the new process if it is stopped during a launch', async () => {
  const first = fakeProcess();
  const second = fakeProcess();
  const launching = Promise.withResolvers<void>();
  const launch = async () => {
    launching.resolve();
    await stopped.promise;
    return second;
  };
  const stopped = Promise.withResolvers<void>();
  const stop = keepRunning(first, { name: 'it', launch, log });
  first.end();
  await launching.promise;
  const stopping = stop();
  stopped.resolve();
  await stopping;
  expect(second.countStops()).toBe(1);
});
