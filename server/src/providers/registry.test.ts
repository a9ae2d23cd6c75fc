import { providerNames } from '@sluice/contract';
import { expect, it } from 'vitest';
import { providers } from './registry.ts';

it('providers has for each vendor the name that every screen shows', () => {
  const names = Object.entries(providers).map(([key, { displayName }]) => [key, displayName]);
  expect(Object.fromEntries(names)).toEqual(providerNames);
});
