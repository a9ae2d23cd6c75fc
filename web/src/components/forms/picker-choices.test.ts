import { describe, expect, it } from 'vitest';
import { findChoices, listPersonChoices } from './picker-choices.ts';

const people = ['Anna Lee', 'Leander Anson', 'Joanna Bell', 'Tom Keller'].map((name, index) => ({
  id: index + 1,
  name,
  email: `${name.split(' ')[1]?.toLowerCase()}@northwind.dev`,
  is_blocked: name === 'Tom Keller',
}));
const choices = listPersonChoices(people);
const labels = (text: string, taken: string[] = []) =>
  findChoices(choices, { text, taken, shownMax: 5 }).shown.map(({ label }) => label);

describe('a picker', () => {
  it('findChoices ranks names that start with the text first, then names that contain the text, then emails', () => {
    expect(labels(' AN ')).toEqual(['Anna Lee', 'Leander Anson', 'Joanna Bell']);
    expect(labels('lee')).toEqual(['Anna Lee']);
    expect(labels('keller@')).toEqual(['Tom Keller']);
  });

  it('findChoices omits users who are already selected', () => {
    expect(labels('', ['1', '3'])).toEqual(['Leander Anson', 'Tom Keller']);
  });

  it('findChoices limits the list and counts the omitted choices', () => {
    const many = Array.from({ length: 17 }, (_, index) => ({
      value: String(index),
      label: `Person ${index}`,
    }));
    const { shown, moreCount } = findChoices(many, { text: 'person', taken: ['0'], shownMax: 5 });
    expect([shown.length, moreCount]).toEqual([5, 11]);
    expect(findChoices(many.slice(0, 4), { text: '', taken: [], shownMax: 5 }).moreCount).toBe(0);
  });

  it('listPersonChoices marks blocked users', () => {
    expect(choices.map(({ note }) => note)).toEqual([undefined, undefined, undefined, 'Blocked']);
  });
});
