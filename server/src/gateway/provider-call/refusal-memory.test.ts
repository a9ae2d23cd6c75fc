import { expect, it } from 'vitest';
import type { InstanceEntry } from '../snapshot/tables/llm-providers.ts';
import { createRefusalMemory, refusalValidMs } from './refusal-memory.ts';
import type { Refusal } from './refusals.ts';

// safe because the memory reads no other fields of an instance
const instanceAt = (endpoint: string, id = 1) => ({ id, endpoint }) as InstanceEntry;
const instance = instanceAt('https://a.example');
const ada = 1;
const ben = 2;
const refused: Refusal = { kind: 'field', value: 'temperature' };

function startMemory(stored: readonly object[] = []) {
  let nowMs = 1_000;
  const noted: unknown[][] = [];
  const memory = createRefusalMemory({
    // safe because the test rows have the fields of the table
    snapshot: { providerRefusals: { find: () => stored } as never },
    reports: { noteRefusal: (...report) => noted.push(report) },
    nowMs: () => nowMs,
  });
  const recall = (model: string, of = instance, userId = ada) =>
    memory.recall(of, model, userId).map(({ kind, value }) => `${kind} ${value}`);
  return { memory, noted, recall, advance: (ms: number) => (nowMs += ms) };
}

it('a remembered rejection applies to its model at its instance and endpoint, and is reported', () => {
  const { memory, noted, recall } = startMemory();
  memory.remember(instance, 'm', ada, [refused]);
  expect(recall('m')).toEqual(['field temperature']);
  expect(recall('other')).toEqual([]);
  expect(recall('m', instanceAt('https://a.example', 2))).toEqual([]);
  expect(recall('m', instanceAt('https://b.example'))).toEqual([]);
  expect(noted).toEqual([[1, 'm', ada, refused]]);
});

const kinds: readonly Refusal[] = [
  refused,
  { kind: 'field', value: 'images' },
  { kind: 'field', value: 'stream_options' },
  { kind: 'efforts', value: 'low,high' },
  { kind: 'responses', value: 'all' },
  { kind: 'output', value: '16' },
  { kind: 'context', value: '4096' },
];

it.each(kinds)(
  'a rejection applies only to the user whose request caused it until a second user confirms it: %j',
  (refusal) => {
    const { memory, recall, advance } = startMemory();
    const told = [`${refusal.kind} ${refusal.value}`];
    memory.remember(instance, 'm', ada, [refusal]);
    memory.remember(instance, 'm', ada, [refusal]);
    expect([recall('m', instance, ada), recall('m', instance, ben)]).toEqual([told, []]);
    memory.remember(instance, 'm', ben, [refusal]);
    expect([recall('m', instance, ada), recall('m', instance, 3)]).toEqual([told, told]);
    advance(refusalValidMs);
    memory.remember(instance, 'm', ada, [refusal]);
    expect([recall('m', instance, ada), recall('m', instance, ben)]).toEqual([told, []]);
  },
);

it('a stored rejection applies only to its user until it is confirmed, and is ignored without a user', () => {
  const stored = { model: 'm', refusedAtMs: 1_000, kind: 'field' };
  const { recall } = startMemory([
    { ...stored, value: 'seed', userId: ada, isConfirmed: false },
    { ...stored, value: 'user', userId: ada, isConfirmed: true },
    { ...stored, value: 'store', userId: null, isConfirmed: false },
  ]);
  expect(recall('m', instance, ada)).toEqual(['field seed', 'field user']);
  expect(recall('m', instance, ben)).toEqual(['field user']);
});

it('a remembered rejection of stream options applies to all models of the instance', () => {
  const { memory, recall } = startMemory();
  memory.remember(instance, 'm', ada, [{ kind: 'field', value: 'stream_options' }]);
  expect(recall('other')).toEqual(['field stream_options']);
});

it('the remaining output of one request is not remembered', () => {
  const { memory, noted, recall } = startMemory();
  memory.remember(instance, 'm', ada, [{ kind: 'room', value: '100' }]);
  expect([recall('m'), noted]).toEqual([[], []]);
});

it('a remembered rejection expires after a day, whether from this worker or the database', () => {
  const { memory, recall, advance } = startMemory([
    { ...refused, value: 'seed', model: 'm', refusedAtMs: 1_000, userId: ben, isConfirmed: true },
  ]);
  memory.remember(instance, 'm', ada, [refused]);
  advance(refusalValidMs - 1);
  expect(recall('m')).toEqual(['field seed', 'field temperature']);
  advance(1);
  expect(recall('m')).toEqual([]);
});

it('a worker remembers only the latest 200 rejections of an endpoint', () => {
  const { memory, recall } = startMemory();
  for (let index = 0; index <= 200; index++) memory.remember(instance, `m${index}`, ada, [refused]);
  expect([recall('m0'), recall('m1'), recall('m200')]).toEqual([
    [],
    ['field temperature'],
    ['field temperature'],
  ]);
});
