import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

test('sizes take a k for a thousand bytes', () => {
  const sizes = ['1500', '1.5k', '200K'].map((size) => readOptions(['--body', size]).bodyBytes);
  expect(sizes).toEqual([1500, 1500, 200_000]);
});

test.each([['--rounds', '0'], ['--body', 'large'], ['--connections', '-1'], ['--speed', '9'], ['nginx']])(
  'what makes no sense is refused with the list of options: %s %s',
  (...args) => {
    expect(() => readOptions(args)).toThrow('--connections <n>');
  },
);
