import { expect, it } from 'vitest';
import type { InstanceEntry } from '../snapshot/tables/llm-providers.ts';
import { createRefusalMemory, refusalValidMs } from './refusal-memory.ts';
import type { Refusal } from './refusals.ts';

// safe because the memory reads nothing else of an instance
const instanceAt = (endpoint: string, id = 1) => ({ id, endpoint }) as InstanceEntry;
const instance = instanceAt('https://a.example');
const refused: Refusal = { kind: 'field', value: 'temperature' };

function startMemory(stored: readonly object[] = []) {
  let nowMs = 1_000;
  const noted: unknown[][] = [];
  const memory = createRefusalMemory({
    // safe because the rows of the tests have the fields of the table
    snapshot: { providerRefusals: { find: () => stored } as never },
    reports: { noteRefusal: (...report) => noted.push(report) },
    nowMs: () => nowMs,
  });
  const recall = (model: string, of = instance) =>
    memory.recall(of, model).map(({ kind, value }) => `${kind} ${value}`);
  return { memory, noted, recall, advance: (ms: number) => (nowMs += ms) };
}

it('a remembered rejection applies to its model at its instance and endpoint, and is reported', () => {
  const { memory, noted, recall } = startMemory();
  memory.remember(instance, 'm', [refused]);
  expect(recall('m')).toEqual(['field temperature']);
  expect(recall('other')).toEqual([]);
  expect(recall('m', instanceAt('https://a.example', 2))).toEqual([]);
  expect(recall('m', instanceAt('https://b.example'))).toEqual([]);
  expect(noted).toEqual([[1, 'm', refused]]);
});

it('a remembered rejection of stream options applies to all models of the instance', () => {
  const { memory, recall } = startMemory();
  memory.remember(instance, 'm', [{ kind: 'field', value: 'stream_options' }]);
  expect(recall('other')).toEqual(['field stream_options']);
});

it('the remaining output of one request is not remembered', () => {
  const { memory, noted, recall } = startMemory();
  memory.remember(instance, 'm', [{ kind: 'room', value: '100' }]);
  expect([recall('m'), noted]).toEqual([[], []]);
});

it('a remembered rejection expires after a day, whether from this worker or the database', () => {
  const { memory, recall, advance } = startMemory([
    { ...refused, value: 'seed', model: 'm', refusedAtMs: 1_000 },
  ]);
  memory.remember(instance, 'm', [refused]);
  advance(refusalValidMs - 1);
  expect(recall('m')).toEqual(['field seed', 'field temperature']);
  advance(1);
  expect(recall('m')).toEqual([]);
});

it('a worker remembers only its latest 200 rejections per endpoint', () => {
  const { memory, recall } = startMemory();
  for (let index = 0; index <= 200; index++) memory.remember(instance, `m${index}`, [refused]);
  expect([recall('m0'), recall('m1'), recall('m200')]).toEqual([
    [],
    ['field temperature'],
    ['field temperature'],
  ]);
});
