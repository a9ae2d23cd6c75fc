import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

test('readOptions accepts sizes with a k for 1000 bytes', () => {
  const sizes = ['1500', '1.5k', '200K'].map((size) => readOptions(['--body', size]).bodyBytes);
  expect(sizes).toEqual([1500, 1500, 200_000]);
});

test.each([['--rounds', '0'], ['--body', 'large'], ['--connections', '-1'], ['--speed', '9'], ['nginx']])(
  'readOptions rejects an invalid option with the list of options: %s %s',
  (...args) => {
    expect(() => readOptions(args)).toThrow('--connections <n>');
  },
);
