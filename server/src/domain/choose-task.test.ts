import { expect, it } from 'vitest';
import { chooseTask } from './choose-task.ts';

const regular = { id: 1, isApiAccess: false };
const other = { id: 2, isApiAccess: false };
const apiAccess = { id: 3, isApiAccess: true };

it.each([
  ['a named task', [regular, other, apiAccess], 2, other],
  ['a named API access task', [regular, apiAccess], 3, apiAccess],
  ['the API access task if none is named', [regular, other, apiAccess], null, apiAccess],
  ['the only task if none is named', [regular], null, regular],
])('chooseTask returns %s', (_case, own, named, task) => {
  for (const mayHaveNone of [true, false])
    expect(chooseTask(own, named, mayHaveNone)).toEqual({ kind: 'task', task });
});

it.each([
  ['without tasks', []],
  ['with several tasks and no API access task', [regular, other]],
])('chooseTask requires a user %s to name a task, unless tasks are optional for the user', (_case, own) => {
  expect(chooseTask(own, null, false)).toEqual({ kind: 'required' });
  expect(chooseTask(own, null, true)).toEqual({ kind: 'none' });
});

it("chooseTask rejects a named task that is not the user's own, even if the user has another task", () => {
  for (const mayHaveNone of [true, false]) {
    expect(chooseTask([regular, apiAccess], 9, mayHaveNone)).toEqual({ kind: 'not-own' });
    expect(chooseTask([], 9, mayHaveNone)).toEqual({ kind: 'not-own' });
  }
});
