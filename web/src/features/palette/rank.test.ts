import { describe, expect, it } from 'vitest';
import { rank } from './commands.ts';

describe('rank', () => {
  it.each([
    ['System Logs', 'sys', 3],
    ['System Logs', 'LOG', 2],
    ['System Logs', 'stem', 1],
    ['System Logs', 'log sys', 2],
    ['System Logs', 'users', 0],
    ['Jonas Weber jonas@north.dev', 'north', 2],
    ['C++ (new)', '+ (n', 1],
    ['Anything', '  ', 1],
  ])('rank(%s, %s) returns %d', (text, typed, expected) => {
    expect(rank(text, typed)).toBe(expected);
  });
});
