import { describe, expect, it } from 'vitest';
import type { Message } from '../canonical/content.ts';
import { makeCallIdsUnique } from './unique-call-ids.ts';

const called = (...ids: string[]): Message => ({
  role: 'assistant',
  parts: ids.map((id) => ({ type: 'tool-call', id, name: 'f', arguments: '{}' })),
});
const told = (...ids: string[]): Message => ({
  role: 'user',
  parts: ids.map((callId) => ({ type: 'tool-result', callId, parts: [], isError: false })),
});

const idsOf = (messages: readonly Message[]) => ({
  calls: messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : [])),
  ),
  results: messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-result' ? [part.callId] : [])),
  ),
});

describe('makeCallIdsUnique', () => {
  it('makeCallIdsUnique returns conversations with unique ids unchanged', () => {
    const messages = [called('a', 'b'), told('b', 'a'), called('c'), told('c'), told('unknown')];
    expect(makeCallIdsUnique(messages)).toBe(messages);
  });

  it.each<[name: string, messages: readonly Message[]]>([
    [
      'an id that each turn uses again',
      [called('0'), told('0'), called('0'), told('0'), called('0'), told('0')],
    ],
    ['an id of two calls in one turn', [called('0', '0'), told('0', '0')]],
    ['empty ids', [called(''), told(''), called('', ''), told('', '')]],
    ['numbering that starts again', [called('0', '1'), told('0', '1'), called('0', '1'), told('0', '1')]],
  ])('makeCallIdsUnique gives each call a unique id and its result the same id: %s', (_, messages) => {
    const { calls, results } = idsOf(makeCallIdsUnique(messages));
    expect(calls).not.toContain('');
    expect(new Set(calls).size).toBe(calls.length);
    expect(results).toEqual(calls);
  });

  it('makeCallIdsUnique keeps the first of several equal ids, and does not change ids when the conversation continues', () => {
    const turns = [called('0'), told('0'), called('0'), told('0')];
    const longer = idsOf(makeCallIdsUnique([...turns, called('0'), told('0')])).calls;
    expect(longer.slice(0, 2)).toEqual(idsOf(makeCallIdsUnique(turns)).calls);
    expect(longer[0]).toBe('0');
  });

  it('makeCallIdsUnique assigns a second result of a call to its latest call, and keeps results without a call', () => {
    const { calls, results } = idsOf(
      makeCallIdsUnique([called('0'), told('0'), called('0'), told('0', '0', 'x')]),
    );
    expect(results).toEqual([...calls, calls[1], 'x']);
  });
});
