import { modelNames } from '@sluice/sandbox';
import { expect, test } from 'vitest';
import { sandboxModels } from './add-tenant.ts';

/** Omitted, since it requires its response in a header of each call, which tenants cannot use. */
const scripted = 'sandbox-scripted';

test('sandboxModels lists each model of the sandbox that answers by itself, and no other', () => {
  expect([...sandboxModels, scripted].toSorted()).toEqual(modelNames.toSorted());
});
