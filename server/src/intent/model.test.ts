import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { encodeModel, loadModel } from './model.ts';

const file = new URL('./model.bin', import.meta.url);
const bytes = readFileSync(file);

test('the shipped model is at most 2 MB', () => {
  expect(statSync(file).size).toBeLessThanOrEqual(2_000_000);
});

test('encodeModel writes a loaded model back byte for byte', () => {
  expect(Buffer.from(encodeModel(loadModel(bytes))).equals(bytes)).toBe(true);
});

test.each([
  ['cut off', bytes.subarray(0, bytes.length - 1)],
  ['empty', new Uint8Array()],
  ['of another kind', Buffer.concat([Buffer.from('JUNK'), bytes.subarray(4)])],
  [
    'of another version',
    Buffer.concat([bytes.subarray(0, 4), Buffer.from([99, 0, 0, 0]), bytes.subarray(8)]),
  ],
])('loadModel rejects a file that is %s', (_, wrong) => {
  expect(() => loadModel(wrong)).toThrow('npm run train');
});

test('loadModel uses the weights in place, without a copy', () => {
  expect(loadModel(bytes).weights.buffer).toBe(bytes.buffer);
});
