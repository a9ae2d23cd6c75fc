import { expect, it } from 'vitest';
import { chooseTask } from './choose-task.ts';

const regular = { id: 1, isApiAccess: false };
const other = { id: 2, isApiAccess: false };
const apiAccess = { id: 3, isApiAccess: true };

it.each([
  ['a named task', [regular, other, apiAccess], 2, other],
  ['a named API access task', [regular, apiAccess], 3, apiAccess],
  ['the API access task when none is named', [regular, other, apiAccess], null, apiAccess],
  ['the only one when none is named', [regular], null, regular],
])('a request works for %s', (_case, own, named, task) => {
  for (const mayHaveNone of [true, false])
    expect(chooseTask(own, named, mayHaveNone)).toEqual({ kind: 'task', task });
});

it.each([
  ['who has none', []],
  ['who has several and no API access task', [regular, other]],
])('a person %s has to name one, unless they may work for none', (_case, own) => {
  expect(chooseTask(own, null, false)).toEqual({ kind: 'required' });
  expect(chooseTask(own, null, true)).toEqual({ kind: 'none' });
});

it('a task that is not the own one is refused to everybody, though there is another one', () => {
  for (const mayHaveNone of [true, false]) {
    expect(chooseTask([regular, apiAccess], 9, mayHaveNone)).toEqual({ kind: 'not-own' });
    expect(chooseTask([], 9, mayHaveNone)).toEqual({ kind: 'not-own' });
  }
});
