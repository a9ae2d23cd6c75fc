import { modelNames } from '@sluice/sandbox';
import { expect, test } from 'vitest';
import { sandboxModels } from './add-tenant.ts';

/** Omitted, because each call to this model must contain the response in a header, which tenants cannot set. */
const scripted = 'sandbox-scripted';

test('sandboxModels contains exactly the sandbox models that need no scripted response', () => {
  expect([...sandboxModels, scripted].toSorted()).toEqual(modelNames.toSorted());
});
