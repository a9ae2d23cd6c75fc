import { modelNames } from '@sluice/sandbox';
import { expect, test } from 'vitest';
import { sandboxModels } from './add-tenant.ts';

/** Requires its answer in a header of each call, so it is useless to tenants. */
const scripted = 'sandbox-scripted';

test('sandboxModels lists each model of the sandbox that answers by itself, and no other', () => {
  expect([...sandboxModels, scripted].toSorted()).toEqual(modelNames.toSorted());
});
