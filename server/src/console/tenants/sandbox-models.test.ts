import { modelNames } from '@sluice/sandbox';
import { expect, test } from 'vitest';
import { sandboxModels } from './sandbox-models.ts';

test('the first instance offers each model that the sandbox has, and no other', () => {
  expect(sandboxModels.toSorted()).toEqual(modelNames.toSorted());
});
