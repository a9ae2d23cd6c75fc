import { providerNames } from '@sluice/contract';
import { expect, it } from 'vitest';
import { providers } from './registry.ts';

it('providers use the display names of the contract', () => {
  const names = Object.entries(providers).map(([key, { displayName }]) => [key, displayName]);
  expect(Object.fromEntries(names)).toEqual(providerNames);
});
