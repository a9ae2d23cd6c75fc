import { modelNames } from '@sluice/sandbox';
import { expect, test } from 'vitest';
import { sandboxModels } from './add-tenant.ts';

test('sandboxModels lists each model of the sandbox, and no other', () => {
  expect(sandboxModels.toSorted()).toEqual(modelNames.toSorted());
});
