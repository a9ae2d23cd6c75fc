import { expect, test } from 'vitest';
import { orAborted } from './wait.ts';

test('orAborted returns the result or the error of the work if there is no abort', async () => {
  const { signal } = new AbortController();
  expect(await orAborted(signal, async () => 'done')).toBe('done');
  await expect(orAborted(signal, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

test('orAborted rejects with the reason of the abort, however long the work takes', async () => {
  const controller = new AbortController();
  const waiting = orAborted(controller.signal, () => new Promise(() => {}));
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

test('orAborted does not start work after an abort', async () => {
  let isBegun = false;
  const begin = async () => {
    isBegun = true;
  };
  await expect(orAborted(AbortSignal.abort(new Error('enough')), begin)).rejects.toThrow('enough');
  expect(isBegun).toBe(false);
});
