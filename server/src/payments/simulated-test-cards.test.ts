import { expect, it } from 'vitest';
import { findTestCard } from './simulated-test-cards.ts';

it.each(Object.getOwnPropertyNames(Object.prototype))(
  'findTestCard finds no card for the name %s',
  (name) => {
    expect(findTestCard(name)).toBeNull();
  },
);

it('findTestCard finds a card by its name, and by its number with or without spaces', () => {
  for (const known of ['pm_card_visa', '4242424242424242', '4242 4242 4242 4242'])
    expect(findTestCard(known)).toMatchObject({ brand: 'visa', last4: '4242' });
});
