import { modelNames } from '@sluice/sandbox';
import { expect, test } from 'vitest';
import { sandboxModels } from './add-tenant.ts';

/** Omitted, because each call to this model must contain the response in a header, which tenants cannot set. */
const scripted = 'sandbox-scripted';

test('sandboxModels lists each model of the sandbox that answers by itself, and no other', () => {
  expect([...sandboxModels, scripted].toSorted()).toEqual(modelNames.toSorted());
});
